"""The program ``forty-thieves``: run a server, play as a bot, check records, solve deals, and describe positions.

Each command imports what it needs itself, so that `deal` and `analyse` do not load the server's libraries.
"""

import argparse
import asyncio
import contextlib
import errno
import inspect
import io
import json
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar
from urllib.parse import urlsplit

from fortythieves.errors import CannotRead, Refused, harmless
from fortythieves_server import __version__
from fortythieves_server.common import logs
from fortythieves_server.common.child_process import own_program
from fortythieves_server.common.errors import StartError
from fortythieves_server.config import Config, add_options, config_of
from fortythieves_server.process.data_directory import OPS_TOKEN

T = TypeVar("T")

#: In bytes. A request for `analyse` has about 1 kB, and a very long game a few dozen kB.
LONGEST_LINE = 1_000_000

#: Exit codes: for a request that cannot be carried out, and (as in shells) for an interrupted program.
CANNOT = 2
INTERRUPTED = 130

#: Errors of a standard output that is full, broken or only readable.
_NOT_WRITTEN = {errno.ENOSPC, errno.EIO, errno.EBADF}


def main(arguments: Sequence[str] | None = None) -> int:
    _open_standard_streams()
    try:
        options = command_line().parse_args(with_command(sys.argv[1:] if arguments is None else arguments))
        run: Callable[[argparse.Namespace], int] = options.run
        if run in {_serve, _bot, _load, _keys}:
            check_system(sys.platform)
        return run(options)
    except (StartError, Refused, CannotRead) as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _nobody_reads()
        return 1
    except OSError as error:
        if error.errno not in _NOT_WRITTEN or error.filename is not None:
            raise
        _nobody_reads()
        return _complain(f"The output cannot be written: {error.strerror}.")


def with_command(arguments: Sequence[str]) -> Sequence[str]:
    """Without a command, the program serves."""
    first = arguments[0] if arguments else "--"
    return ["serve", *arguments] if first.startswith("-") and first not in {"-h", "--help", "--version"} else arguments


def check_system(platform: str) -> None:
    """Whether it has the signals, locks and sockets that these commands need."""
    if platform == "win32":
        raise StartError("This command needs Linux or macOS. On Windows, run it in WSL: 'wsl --install'.")


def _complain(sentence: str) -> int:
    # It may quote what a server has sent.
    print(f"forty-thieves: {harmless(sentence)}", file=sys.stderr)
    return CANNOT


class _Parser(argparse.ArgumentParser):
    """Prints an error on one line, without the whole usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(CANNOT, f"{self.prog}: {harmless(message)} (see {self.prog} --help)\n")


def command_line() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="forty-thieves",
        description="Race friends on the identical secret deal of a Forty Thieves game, in the browser.",
        epilog="To play, run 'forty-thieves' and open the address that it prints. Without a command, it is 'serve'.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"forty-thieves {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], short: str) -> argparse.ArgumentParser:
        description, _, examples = inspect.cleandoc(run.__doc__ or "").partition("Examples:")
        added = commands.add_parser(
            name,
            help=short,
            description=description.strip(),
            epilog="examples:" + examples.rstrip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        added.set_defaults(run=run)
        return added

    def number(to: argparse.ArgumentParser, name: str, least: int, most: int, text: str, **options: Any) -> None:
        def parse(written: str) -> int:
            if not written.isdecimal() or not least <= int(written) <= most:
                raise argparse.ArgumentTypeError(f"{written!r} is not a whole number from {least} to {most}")
            return int(written)

        to.add_argument(name, type=parse, metavar="N", help=text, **options)

    serve = command("serve", _serve, "run a server for browsers and bots")
    add_options(serve)
    serve.add_argument(
        "--qr",
        action=argparse.BooleanOptionalAction,
        help="print the address on the local network as a QR code (default: on a terminal)",
    )
    serve.add_argument("--open", action="store_true", help="open the address in the browser")
    serve.add_argument("--verbose", action="store_true", help="log more to standard error")
    serve.add_argument("--log", choices=("text", "json"), default="text", help="format of the log (text)")
    # Only used by the program itself: the numbers of the open sockets to listen on.
    serve.add_argument("--worker", help=argparse.SUPPRESS)

    bot = command("bot", _bot, "play in a room as a bot")
    bot.add_argument("url", metavar="URL", help="address of the server, or link of the room")
    bot.add_argument("code", metavar="CODE", nargs="?", help="six-letter code of the room, without a link of it")
    bot.add_argument("--level", type=int, choices=(1, 2, 3), default=2, help="playing strength (2)")
    bot.add_argument("--name", help="name of the bot (default: one of its own choice)")

    load = command("load", _load, "load-test a server and check that no acknowledged move is lost")
    load.add_argument("url", metavar="URL", help="address of the server")
    number(load, "--rooms", 1, 10_000, "rooms (10)", default=10)
    number(load, "--players", 1, 1000, "racers in each room (5)", default=5)
    number(load, "--watchers", 0, 1000, "spectators in each room (0)", default=0)
    number(load, "--rounds", 0, 30, "play tournaments of N rounds (0: single races)", default=0)
    load.add_argument("--rate", type=_rate, default=0.5, metavar="N", help="moves per second of each bot (0.5)")
    number(load, "--seconds", 5, 3600, "duration of each race (30)", default=30)
    number(load, "--seed", 0, 999_999_999, "seed of all random choices (1)", default=1)
    load.add_argument("--show", action="store_true", help="play well, in public rooms: for a fair or a screenshot")
    load.add_argument("--chaos", type=Path, metavar="PIDFILE", help="kill the processes in this file, one by one")
    load.add_argument("--every", type=_rate, default=5.0, metavar="SECONDS", help="time between two kills (5)")

    keys = command("keys", _keys, "list or rotate the keys with which a server signs")
    keys.add_argument("do", choices=("list", "rotate"), help="list the keys of records, or create new keys")
    keys.add_argument(
        "what", choices=("passes", "records", "all"), nargs="?", default="all", help="which keys to rotate (all)"
    )
    keys.add_argument("--data", metavar="DIR", help="data directory of the server, as for serve")
    keys.add_argument("--redis", metavar="URL", help="Redis of the servers, as for serve")

    deal = command("deal", _deal, "print a deal as JSON")
    deal.add_argument("--game", metavar="KEY", required=True, help="key of the game: forty-thieves, lucas, ...")
    which = deal.add_mutually_exclusive_group(required=True)
    which.add_argument("--number", metavar="N", help="number of the deal, from 32001 to 10^20")
    which.add_argument("--secret", metavar="HEX", help="secret of the deal, 32 bytes in hexadecimal")
    nonces = "with a secret: the nonces of the racers, 16 bytes each, sorted by seat"
    many: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    deal.add_argument("--nonce", "--nonces", dest="nonces", metavar="HEX", help=nonces, **many)

    solve = command("solve", _solve, "look for moves that win a deal")
    solve.add_argument("--game", metavar="KEY", help="key of the game: forty-thieves, lucas, ...")
    solve.add_argument("--number", metavar="N", help="number of the deal, from 32001 to 10^20")
    moves = "moves before the search: draw, W-F, 3-7x4"
    solve.add_argument("--moves", metavar="MOVE", nargs="+", default=[], help=moves)
    solve.add_argument("--record", metavar="FILE|LINK", help="record of a race, instead of a game and a number")
    number(solve, "--seat", 1, 100_000, "with a record: the seat of the log")
    number(solve, "--at", 0, 20_000, "with a record: after how many entries of the log (0)")
    effort = "most positions to continue from after each draw (128); twice as many take twice as long"
    number(solve, "--effort", 1, 1024, effort)

    analyse = command("analyse", _analyse, "describe positions, or show what was possible in a race")
    analyse.add_argument("--record", metavar="FILE|LINK", help="record of a race (default: read positions)")
    seats: dict[str, Any] = {"dest": "seats", "action": "append", "default": []}
    number(analyse, "--seat", 1, 100_000, "with a record: the racer, once for each (all)", **seats)

    for name, run, short, source in (
        ("verify", _verify, "check the record of a race", "the record, or the link of the race"),
        ("standings", _standings, "check the standings of a tournament", "the bundle, or the link of the tournament"),
    ):
        check = command(name, run, short)
        check.add_argument("source", metavar="FILE|LINK", help=f"{source} on its server")
        _add_key(check)

    series = command("series", _series, "add up several tournaments")
    series.add_argument("sources", metavar="FILE|LINK", nargs="+", help="the bundles, or the links of the tournaments")
    series.add_argument("--points", metavar="N,N,...", help="points by place (25,18,15,12,10,8,6,4,2,1)")
    series.add_argument("--best", metavar="N", type=int, help="how many tournaments count for each person (all)")
    same = "names under which one person entered; the first one is shown"
    series.add_argument("--same", action="append", nargs="+", default=[], metavar="NAME", help=same)
    _add_key(series)
    return parser


def _add_key(parser: argparse.ArgumentParser) -> None:
    expected = "expected public key of records; repeat the option for earlier keys (default: ask the server)"
    parser.add_argument("--key", dest="keys", action="append", default=[], metavar="HEX", help=expected)


def _serve(options: argparse.Namespace) -> int:
    """Run a server for browsers and bots until Ctrl-C or SIGTERM. This command starts a Redis server that keeps rooms
    and results on disk until the next start. Each option can also be set by an environment
    variable: FORTY_THIEVES_PORT=80 is --port 80.

    Examples:
      forty-thieves serve
      forty-thieves serve --port 80 --data /var/lib/forty-thieves
      forty-thieves serve --redis redis://localhost:6379/0 --public-url https://cards.example.org --proxies 127.0.0.1
    """
    logs.begin(verbose=options.verbose, as_json=options.log == "json")
    if options.worker is not None:
        return _serve_as_worker(options.worker)
    config = config_of(vars(options), os.environ)
    from fortythieves_server.app import serve
    from fortythieves_server.common.texts import FIRST, LANGUAGES, language_of_environment

    language = language_of_environment(os.environ)
    if not _can_print(LANGUAGES[language]):
        language = FIRST
    draw = sys.stdout.isatty() if options.qr is None else options.qr
    name = OwnName(f"{socket.gethostname().partition('.')[0]}.local")

    def announce(addresses: list[str]) -> None:
        try:
            print("\n".join(_announcement(config, [*addresses, *name.of(addresses)], draw, language)), flush=True)
        except OSError:
            _nobody_reads()
        if options.open:
            import webbrowser

            # A browser for terminals ends when its user leaves it.
            threading.Thread(target=webbrowser.open, args=addresses[:1], daemon=True).start()

    same = ["--log", options.log, *(["--verbose"] if options.verbose else [])]
    _run(serve(config, announce, [*own_program("fortythieves_server"), "serve", *same, "--worker"]))
    return 0


def _serve_as_worker(end: str) -> int:
    """Serve as one of several workers (`supervisor`): settings on standard input, answers on standard output."""
    from fortythieves_server.app import serve_here

    length = int.from_bytes(sys.stdin.buffer.read(4), "big")
    settings = sys.stdin.buffer.read(length)
    if not settings:
        return CANNOT  # the parent has already ended
    config, number = pickle.loads(settings)
    inlet = socket.socket(fileno=int(end))

    def tell(answer: dict[str, Any]) -> None:
        print(json.dumps(answer), flush=True)

    try:
        _run(serve_here(config, lambda addresses: tell({"addresses": addresses}), number, inlet))
    except StartError as error:
        tell({"error": str(error)})
        return CANNOT
    return 0


def _announcement(config: Config, addresses: Sequence[str], draw: bool, language: str) -> Iterator[str]:
    from fortythieves_server.common.texts import text

    here, *elsewhere = addresses
    yield text(language, "server.start.here", address=here)
    for address in elsewhere:
        yield text(language, "server.start.network", address=address)
    if draw and (code := _qr_code(elsewhere[0] if elsewhere else here)):
        yield code
    if config.ops_port and (config.ops_token or not config.redis):
        host = "localhost" if config.ops_host in {"0.0.0.0", "127.0.0.1", "::", "::1"} else config.ops_host
        key = "server.start.ops" if config.ops_token else "server.start.opsAndFile"
        yield text(language, key, address=f"http://{host}:{config.ops_port}/ops", file=config.data / OPS_TOKEN)
    if config.demo:
        yield text(language, "server.start.demo", address=f"http://localhost:{config.demo}/break")
    yield text(language, "server.start.keptInRedis" if config.redis else "server.start.kept", folder=config.data)


class OwnName:
    """The name of this machine in its network, if the system resolves it (mDNS). Others may take seconds to say no."""

    def __init__(self, name: str, resolve: Callable[[str, None], list[Any]] = socket.getaddrinfo) -> None:
        self.name = name
        self._hosts = set[str]()
        self._until = time.monotonic() + 0.5
        self._thread = threading.Thread(target=self._look, args=(resolve,), daemon=True)
        self._thread.start()

    def _look(self, resolve: Callable[[str, None], list[Any]]) -> None:
        with contextlib.suppress(OSError, UnicodeError):
            self._hosts.update(str(answer[4][0]) for answer in resolve(self.name, None))

    def of(self, addresses: Sequence[str]) -> Iterator[str]:
        """The address with this name, if it leads to one of the `addresses` for others."""
        if addresses[1:]:
            self._thread.join(max(0, self._until - time.monotonic()))
        found = [url for url in map(urlsplit, addresses[1:]) if url.hostname in self._hosts]
        yield from (f"http://{self.name}:{url.port}" for url in found[:1])


def _qr_code(text: str) -> str:
    """A QR code drawn in characters. Empty if standard output cannot show them."""
    import segno

    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, compact=True)
    return drawing.getvalue() if _can_print(drawing.getvalue()) else ""


def _can_print(text: str) -> bool:
    """Whether the encoding of standard output has all characters of the text."""
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _bot(options: argparse.Namespace) -> int:
    """Join a room as a bot and play until all people have left. The bot sees only what a player sees.

    Examples:
      forty-thieves bot http://localhost:8040 KQXWVD --level 3
      forty-thieves bot http://localhost:8040/r/KQXWVD --name Robin
    """
    from fortythieves_client.address import parse_address
    from fortythieves_client.bot.house import run_bot

    try:
        named = parse_address(options.url).code
    except ValueError as error:
        raise StartError(str(error)) from None
    code = options.code or named
    if not code:
        raise StartError("The room is missing. Give its code, or the link of the room.")

    async def play() -> None:
        """Play until the game ends, or until SIGTERM or SIGINT. Then leave the room properly."""
        task = asyncio.ensure_future(run_bot(options.url, code, options.level, options.name))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await asyncio.wait((task,))
        if not task.cancelled():
            task.result()

    try:
        _run(play())
    except OSError as error:
        _complain(f"No connection with {options.url}: {error.strerror or error}.")
        return 1
    return 0


#: More bots than one process can run. A guess.
_MOST_BOTS = 20_000


def _load(options: argparse.Namespace) -> int:
    """Let bots race on a server, and compare the answers to each bot with the records of the races. Prints the
    figures as JSON. The exit code is 0 if no acknowledged move was lost or doubled and every race ended, 1 if not, and
    2 if the test could not start. All bots connect from one address, so the server needs higher limits: --limits
    'times=1000'.

    Examples:
      forty-thieves load http://localhost:8040 --rooms 60 --players 5 --seconds 60
      forty-thieves load http://localhost:8040 --rooms 1 --players 500 --rounds 3
      forty-thieves load http://localhost:8040 --chaos /run/forty-thieves.pids --every 5
      forty-thieves load http://localhost:8040 --show --rooms 3 --rounds 20 --seconds 120 --rate 2
    """
    from fortythieves_client.load import Load, run_load

    if options.rooms * (options.players + options.watchers) > _MOST_BOTS:
        raise StartError(f"A load test has at most {_MOST_BOTS:,} bots.")
    load = Load(**{name: getattr(options, name) for name in Load._fields})
    try:
        figures = _run(run_load(load))
    except* (OSError, ValueError) as errors:
        raise StartError(f"The load test of {options.url} cannot run: {_first(errors)}") from None
    except* Refused as errors:
        raise StartError(f"The server refuses the load test: {_first(errors)}") from None
    print(json.dumps(figures, indent=2), flush=True)
    return 0 if figures["good"] else 1


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    first = errors.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def _rate(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.01 <= (rate := float(text)) <= 60:
            return rate
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0.01 to 60")


def _keys(options: argparse.Namespace) -> int:
    """List the public keys of records, or make all servers on one Redis sign with new keys: for guest tokens
    ("passes"), for records, or for both. No server needs a restart. Guest tokens signed with the old key stay valid for
    30 more days. Records signed with an old key stay valid forever: servers publish all their keys, and until when each
    was used.

    Examples:
      forty-thieves keys list
      forty-thieves keys rotate
      forty-thieves keys rotate records --redis redis://localhost:6379/0
    """
    from fortythieves_server.app import run_keys

    config = config_of({"data": options.data, "redis": options.redis}, os.environ)
    what = options.what if options.do == "rotate" else None
    print("\n".join(_run(run_keys(config.redis, config.data, what))), flush=True)
    return 0


def _deal(options: argparse.Namespace) -> int:
    """Print a deal as one JSON object: the game, the deck (104 card names, the first is dealt first), and for a secret
    its commitment.

    Examples:
      forty-thieves deal --game lucas --number 32001
      forty-thieves deal --game maria --secret HEX --nonce HEX HEX
    """
    from fortythieves.rules.analyse import deal_object

    print(json.dumps(deal_object(options.game, options.number, options.secret, options.nonces)), flush=True)
    return 0


def _solve(options: argparse.Namespace) -> int:
    """Look for moves that win, with all cards known, and print a JSON object: the game, the number, the moves (null if
    none were found with this effort: there may be some all the same), how many cards the best line brings home, how
    many positions were looked at, the seconds, the width of the search that won, and for a whole deal its stars.

    Examples:
      forty-thieves solve --game lucas --number 32001
      forty-thieves solve --game maria --number 32001 --effort 512 --moves draw W-3
      forty-thieves solve --record forty-thieves-KQXWVD-1.ftr --seat 2 --at 41
    """
    from fortythieves.solver.effort import EFFORT
    from fortythieves_client.solving import solve_deal, solve_record

    effort = options.effort or EFFORT
    deal, record = (options.game, options.number), (options.record, options.seat)
    if None not in deal and (*record, options.at) == (None, None, None):
        solved = solve_deal(*deal, options.moves, effort)
    elif None not in record and (*deal, *options.moves) == (None, None):
        solved = solve_record(*record, options.at or 0, effort)
    else:
        raise StartError("Give either --game and --number, or --record and --seat.")
    print(json.dumps(solved), flush=True)
    return 0


def _analyse(options: argparse.Namespace) -> int:
    """Read a JSON object from each line of standard input, and print a JSON object for it: the board after its moves,
    or an error. With a record, print one JSON object: for each racer the most cards home that could still be reached,
    with all cards known, from some points of the log, the moves that cost most, and a score; where the racers
    parted; and the par of the deal.

    Examples:
      echo '{"game": "lucas", "number": 32001, "moves": ["draw"]}' | forty-thieves analyse
      forty-thieves analyse < positions.jsonl > answers.jsonl
      forty-thieves analyse --record forty-thieves-KQXWVD-1.ftr --seat 1 --seat 2
    """
    if options.record is not None:
        from fortythieves_client.solving import analyse_record

        print(json.dumps(analyse_record(options.record, options.seats)), flush=True)
        return 0
    if options.seats:
        raise StartError("A seat is one of a record: give --record, too.")
    from fortythieves.rules.analyse import answer

    refused = Refused("bad-request", detail=f"A line has at most {LONGEST_LINE:,} bytes.")
    too_long = {"error": {"code": refused.code, "message": str(refused)}}
    for line in _lines(sys.stdin.buffer):
        print(json.dumps(too_long if line is None else answer(line)), flush=True)
    return 0


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Each line of the file. None for a line that is too long."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        yield None


def _verify(options: argparse.Namespace) -> int:
    """Check the record of a race: that the deal is the one committed to, that every move was legal and in time, that
    results and places follow from the moves, and that the server signed it. Prints a line for each check, and the
    racers with numbers in the deal, with a warning if the server could have chosen the cards. The exit code is 0 if all
    checks hold and the key is known (from --key or from the server), 3 if all checks hold but the key is not known, 1
    if a check fails, and 2 if the record cannot be read.

    Examples:
      forty-thieves verify http://localhost:8040/r/KQXWVD/1
      forty-thieves verify forty-thieves-KQXWVD-1.ftr --key HEX
    """
    from fortythieves_client.verify import run_verify

    return run_verify(options.source, options.keys)


def _standings(options: argparse.Namespace) -> int:
    """Compute the standings of a tournament from the signed records of its races, and compare them with the
    server's. Prints a line for each part, and the table if everything is right. The exit code is 0 if everything is
    right and the key is known (from --key or from the server), 3 if everything is right but the key is not known, 1 if
    something is wrong, and 2 if the tournament cannot be read.

    Examples:
      forty-thieves standings http://localhost:8040/r/KQXWVD
      forty-thieves standings KQXWVD.bundle.json --key HEX
    """
    from fortythieves_client.standings import run_standings

    return run_standings(options.source, options.keys)


def _series(options: argparse.Namespace) -> int:
    """Add up the tournaments of a series: points for the place in each, of which the best count. Each tournament is
    checked first, as by `standings`, with the same exit codes. Prints the errors, or the table.

    Examples:
      forty-thieves series --best 1 http://localhost:8040/r/KQXWVD http://localhost:8040/r/BCDFGH
      forty-thieves series *.bundle.json --points 10,6,4,3,2,1 --same Ann "Ann B." --key HEX
    """
    from fortythieves_client.standings import run_series, series_of

    return run_series(options.sources, series_of(options.points, options.best, options.same), options.keys)


def _run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run with uvloop if it is installed: it serves twice as many players (measured)."""
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with contextlib.suppress(ImportError):
        import uvloop

        new_loop = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(coroutine)


def _open_standard_streams() -> None:
    """Open those that are closed. Otherwise a socket or a file could get their number, and their output."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(opened)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def _nobody_reads() -> None:
    """Discard buffered output. Otherwise Python would complain about the closed pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
