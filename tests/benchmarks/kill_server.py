"""Kill the server 50 times at random moments and count what was lost.

    uv run python -m tests.benchmarks.kill_server [--kills 50] [--seed 1]

The test run does the same with fewer kills (`tests/runtime/test_killed_server.py`).
"""

import argparse
import tempfile
import time
from pathlib import Path

from tests.runtime.killing import play_and_kill


def main() -> None:
    """Play, kill, compare; print the toll."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        toll = play_and_kill(Path(folder), kills=args.kills, seed=args.seed)
    print(
        f"{toll.kills} kills -9 in {time.monotonic() - start:.0f} s: {toll.acknowledged} taps acknowledged, "
        f"{len(toll.lost)} lost, {toll.rounds} rounds finished"
    )


if __name__ == "__main__":
    main()
