"""The command `cheating-moth`: parse, dispatch, and turn every CompanionError into one sentence."""

import argparse
import sys
from collections.abc import Sequence

from companion import handmodel
from companion.errors import CompanionError

BAD_INPUT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status: 0 done, 2 bad input (one sentence on stderr)."""
    parser = _parser()
    args = parser.parse_args(argv)
    try:
        return int(args.run(args))
    except CompanionError as error:
        print(f"cheating-moth: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cheating-moth", description="Companion for the card game Cheating Moth.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    models = commands.add_parser("models", help="fetch the hand model once, verify it and keep it in the cache")
    models.set_defaults(run=_models)
    return parser


def _models(_args: argparse.Namespace) -> int:
    print(f"hand model: {ensure_models()}")
    return 0


def ensure_models() -> str:
    """Return the path of the hand model, fetched with a progress bar where it is not cached yet."""
    from tqdm import tqdm

    found = handmodel.cached()
    if found:
        return str(found)
    with tqdm(unit="B", unit_scale=True, unit_divisor=1024, desc="hand model", file=sys.stderr) as bar:

        def show(what: str, done: int, total: int | None) -> None:
            bar.set_postfix_str(what, refresh=False)
            bar.total = total
            bar.update(done - bar.n)

        return str(handmodel.ensure(progress=show))
