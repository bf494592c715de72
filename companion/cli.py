"""The command `cheating-moth`: parse, dispatch, and turn every CompanionError into one sentence."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from companion.config import Config, load_config, override
from companion.errors import CompanionError

BAD_INPUT = 2
HIGHEST_PORT = 65535


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status: 0 done, 2 bad input (one sentence on stderr)."""
    try:
        args = _parser().parse_args(argv)
        return int(args.run(args))
    except CompanionError as error:
        print(f"cheating-moth: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130


class _Parser(argparse.ArgumentParser):
    """A parser that says in one sentence what is wrong with the command, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        raise CompanionError("{what}: see `{command} --help`.", what=message, command=self.prog)


def _parser() -> argparse.ArgumentParser:
    # The libraries behind these take seconds to load: inside `main`, Ctrl-C meanwhile ends the command quietly.
    from companion import analyze, calibration_cli, doctor

    parser = _Parser(prog="cheating-moth", description="Companion for the card game Cheating Moth.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="play: serve the screens, watch the table")
    _add_server_options(run)
    run.add_argument("--camera", metavar="SOURCE", help="camera number, V4L2 path, stream address or video file")
    run.add_argument("--layout", type=Path, help="the table's layout file for that camera")
    run.set_defaults(run=_run)

    demo = commands.add_parser("demo", help="see it all on a sample clip, without a camera")
    _add_server_options(demo)
    demo.add_argument("--no-browser", action="store_true", help="do not open the pages in a browser")
    demo.set_defaults(run=_demo)

    analyse = commands.add_parser("analyze", help="watch a video file and write what was seen as JSON")
    analyze.add_arguments(analyse)
    analyse.set_defaults(run=_analyze)

    calibrate = commands.add_parser(
        "calibrate", help="print the page of markers; list, export and import saved layouts"
    )
    calibration_cli.add_arguments(calibrate)
    calibrate.set_defaults(run=calibration_cli.run)

    check = commands.add_parser("doctor", help="look whether camera, network, disk and model are well")
    doctor.add_arguments(check)
    check.set_defaults(run=doctor.run)

    models = commands.add_parser("models", help="fetch the hand model once, verify it and keep it in the cache")
    models.set_defaults(run=_models)
    return parser


def _add_server_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, help="configuration file (TOML); the user's own where none is named")
    command.add_argument("--host", help="address to listen on")
    command.add_argument("--port", type=_port, help="TCP port; 0 takes a free one")
    command.add_argument("--folder", type=Path, help="folder of the journal and the clips")


def _port(text: str) -> int:
    if text.isdecimal() and len(text) < 6 and int(text) <= HIGHEST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to {HIGHEST_PORT}, not {text!r}")


def _config(args: argparse.Namespace) -> Config:
    return override(
        load_config(args.config),
        host=args.host,
        port=args.port,
        folder=args.folder,
        camera=getattr(args, "camera", None),
        layout=getattr(args, "layout", None),
    )


def _run(args: argparse.Namespace) -> int:
    from companion.runtime.run import run

    return run(_config(args))


def _demo(args: argparse.Namespace) -> int:
    from companion.runtime.demo import demo

    return demo(_config(args), browser=not args.no_browser)


def _analyze(args: argparse.Namespace) -> int:
    from companion import analyze, handmodel

    return analyze.run(args, handmodel.ensure_with_bar())


def _models(_args: argparse.Namespace) -> int:
    from companion import handmodel

    print(f"hand model: {handmodel.ensure_with_bar()}")
    return 0
