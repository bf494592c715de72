"""`python -m companion.watcher`: commands on stdin, reports on stdout, the log on stderr."""

import logging
import os
import signal
import sys
from typing import IO


def main() -> None:
    """Watch until stdin closes: then the server is gone, and so is this process."""
    # the server gets Ctrl-C too and closes stdin; Python's own way out would tear down threads that are in native code
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = _own_stdout()
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(threadName)s: %(message)s"
    )
    # the longest that a V4L2 camera may keep a read waiting, in s; its own 10 s would look like a hang
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
    # imported late, so that whatever native libraries print at their start goes to stderr
    from companion.watcher.outbox import Outbox
    from companion.watcher.plan import plan_watching
    from companion.watcher.process import Watcher
    from companion.watcher.threads import end_process

    outbox = Outbox(out)
    Watcher(outbox.say, plan_watching).obey_all(sys.stdin)
    outbox.close(timeout_s=1.0)
    logging.shutdown()
    end_process(0)  # not by returning: a thread may still be in native code


def _own_stdout() -> IO[str]:
    """Return the true stdout for reports alone; whatever else is printed, by native code too, goes to stderr."""
    reports = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return os.fdopen(reports, "w", encoding="utf-8")


if __name__ == "__main__":
    main()
