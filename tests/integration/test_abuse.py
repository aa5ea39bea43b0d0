"""Malicious and broken clients: each gets a reason, and no other client notices."""

import asyncio
import contextlib
import socket
from collections.abc import Coroutine
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeVar

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed

from fortythieves.protocol.to_client import Close
from fortythieves_server.app import Times
from fortythieves_server.common.limits import Rate
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import PART as PAID_PART
from fortythieves_server.common.prices import Account
from fortythieves_server.web import connection
from tests.bench.websocket import framed
from tests.integration.raw import RawClient, guest, raw_client
from tests.serving import GENEROUS, points_for, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

OURS = [ip_network("127.0.0.1")]
T = TypeVar("T")


async def race_alone(racer: RawClient, **settings: Any) -> list[Any]:
    """Open a room for one and start a race in it; the board."""
    await racer.create(seats=1, countdown=3, deal="32001", **settings)
    await racer.send("ready", 99, "")
    return await racer.receive("board")


async def still_serves(address: str) -> bool:
    async with guest(address) as somebody:
        return await somebody.ask("create", "Bob", {}) == "ok"


HELLO = msgpack.packb(["hello", 1, None])
#: The frames of an abuser, and why the connection is closed. tests/shared/protocol/test_wire.py has the other invalid
#: messages.
FRAMES: dict[str, tuple[list[bytes | str | list[bytes]], int]] = {
    "no MessagePack": ([HELLO, b"\xc1"], Close.INVALID),
    "a tag that is none": ([HELLO, msgpack.packb(["shuffle", 1])], Close.INVALID),
    "arrays in arrays in arrays": ([HELLO, b"\x91" * 12_000], Close.INVALID),
    "a text frame": ([HELLO, '["ping", 1]'], Close.INVALID),
    "a second hello": ([HELLO, HELLO], Close.INVALID),
    "a part before hello": ([msgpack.packb(b"x")], Close.INVALID),
    "a command before hello": ([msgpack.packb(["create", 1, "Ann", {}])], Close.INVALID),
    "one frame that is too large": ([HELLO, b"\xc6" + bytes(GENEROUS.frame)], Close.TOO_BIG),
    "fragments that are too large": ([HELLO, [bytes(1024)] * (GENEROUS.frame // 1024 + 1)], Close.TOO_BIG),
}


@pytest.mark.parametrize(("frames", "why"), FRAMES.values(), ids=FRAMES)
async def test_an_invalid_or_large_message_closes_the_connection(
    address: str, frames: list[bytes | str | list[bytes]], why: int
) -> None:
    async with raw_client(address) as abuser:
        for frame in frames:
            await abuser.socket.send(frame)
        assert await abuser.closed() == why
        assert abuser.socket.close_reason
    assert await still_serves(address)


async def test_parts_and_long_messages_above_the_limit_wait(tmp_path: Path) -> None:
    limits = GENEROUS._replace(points=points_for(PAID_PART, PAID_PART, spare=10_000))
    names = [f"{'W' * 20}{n:04}" for n in range(100)]

    async def waits(client: RawClient, *tags: str) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await client.receive(*tags)
        # Its goodbye would wait as well, and websockets ten seconds for the answer.
        client.socket.transport.abort()

    async with (
        serving(tmp_path, limits=limits, proxies=OURS) as address,
        guest(address, of="192.0.2.1") as abuser,
        guest(address, of="192.0.2.1") as other,
        guest(address, of="192.0.2.2") as host,
    ):
        for part in (b"\x93\xa4plan", b"\x01", b"\x80"):
            await abuser.socket.send(msgpack.packb(part))
        await abuser.send("ping", 1.0)
        await other.socket.send(msgpack.packb(b"\x93\xa4plan"))
        await other.send("ping", 1.0)
        # A long message has the price of parts.
        await host.create(False, {"listed": names})
        assert await host.ask("plan", {"listed": names[1:]}) == "ok"
        await host.send("plan", 3, {"listed": names[2:]})
        assert await still_serves(address)
        await waits(abuser, "pong")
        await waits(other, "pong")
        await waits(host, "ok", "refused")


async def test_only_one_long_frame_is_read_ahead_while_an_address_cannot_pay(tmp_path: Path) -> None:
    long = bytes(GENEROUS.frame - 100)
    limits = GENEROUS._replace(points=points_for(PAID_PART))
    async with serving(tmp_path, limits=limits, proxies=OURS) as address, guest(address, of="192.0.2.1") as abuser:
        transport = abuser.socket.transport
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, len(long))
        for _ in range(connection.READ_AHEAD):
            transport.write(framed(long))
        assert await still_serves(address)
        await asyncio.sleep(0.2)
        assert transport.get_write_buffer_size() > connection.READ_AHEAD / 2 * len(long)
        transport.abort()


async def test_a_client_that_sends_too_many_messages_is_disconnected(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=GENEROUS.changed("messages=1/hour+20")) as address:
        for pings in (True, False):
            async with guest(address) as abuser:
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(30):
                        await (abuser.send("ping", 1.0) if pings else abuser.socket.pong())
                assert await abuser.closed() == Close.TOO_FAST


async def test_a_connection_without_a_hello_is_closed(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, limits=GENEROUS._replace(hello=1)) as address,
        raw_client(address) as silent,
        raw_client(address) as abuser,
    ):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await abuser.socket.pong()
                await asyncio.sleep(0.05)
        assert await abuser.closed() == await silent.closed() == Close.INVALID


@pytest.mark.parametrize("version", [0, 2, 10**9])
async def test_a_client_with_another_version_learns_the_version_of_the_server(address: str, version: int) -> None:
    async with raw_client(address) as newer:
        await newer.send("hello", version, None)
        assert await newer.closed() == Close.BAD_VERSION
        assert "version 1 of" in (newer.socket.close_reason or "")


async def test_an_address_that_sends_too_much_waits_and_loses_nothing(tmp_path: Path) -> None:
    few = GENEROUS.changed("points=2000/s+1300")
    async with serving(tmp_path, limits=few) as address, guest(address) as racer:
        await race_alone(racer)
        for n in range(60):
            await racer.send("move", 1, n, "draw")
            for _ in range(4):
                await racer.send("ping", 1.0)
        assert [(await racer.receive("moved", "unmoved"))[::2][:2] for _ in range(60)] == [
            ["moved", n] for n in range(1, 61)
        ]


class Scheduled(LoopShare):
    frames = commands = 0

    async def turn(self, address: str) -> None:
        Scheduled.frames += 1
        await super().turn(address)

    async def do(self, account: Account, work: Coroutine[Any, Any, T]) -> T:
        Scheduled.commands += 1
        return await super().do(account, work)


async def test_connections_and_messages_share_a_part_of_the_event_loop_but_no_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fortythieves_server.app.LoopShare", Scheduled)
    async with serving(tmp_path) as address, guest(address) as racer:
        await race_alone(racer)
        assert (Scheduled.frames, Scheduled.commands) == (4, 2), "the connection, hello, create, ready"
        await racer.move(0)
        assert (Scheduled.frames, Scheduled.commands) == (4, 2)
        await racer.send("ping", 1.0)
        await racer.receive("pong")
        assert (Scheduled.frames, Scheduled.commands) == (5, 2)


async def test_an_address_with_too_many_stored_moves_waits_and_others_play_on(tmp_path: Path) -> None:
    few = GENEROUS._replace(kept=Rate(1, "hour", 3_000))
    async with serving(tmp_path, limits=few, proxies=OURS) as address, contextlib.AsyncExitStack() as stack:
        for at in ("192.0.2.1", "192.0.2.2"):
            racer = await stack.enter_async_context(guest(address, of=at))
            await race_alone(racer)
            for _ in range(3):  # refused moves cost nothing
                assert (await racer.move(0, "redeal"))[0] == "unmoved"
            n, answer = 0, list[Any](["moved"])
            while answer[0] == "moved":
                await racer.send("move", 1, n, "draw")
                n, answer = n + 1, await racer.receive("moved", "unmoved")
            assert answer[4] == "too-fast" and 32 <= answer[3] <= 96


async def test_an_address_that_stores_long_texts_waits_and_others_chat_on(tmp_path: Path) -> None:
    few = GENEROUS._replace(kept=Rate(1, "hour", 20_000))
    async with (
        serving(tmp_path, limits=few, proxies=OURS) as address,
        guest(address, of="192.0.2.1") as eve,
        guest(address, of="192.0.2.1") as ned,
        guest(address, of="192.0.2.2") as ann,
    ):
        code = await eve.create(auto_start=False)
        assert await ned.ask("join", code, "Ned") == await ann.ask("join", code, "Ann") == "ok"
        lines = 0
        while (answer := await eve.ask("chat", f"{lines}", f"{lines:04}" + "ü" * 276)) == "ok":
            lines += 1
        assert answer == "too-fast" and 20 < lines < 40
        assert await ned.ask("ready", "") == await eve.ask("lock", True) == "too-fast"
        assert await ann.ask("chat", "k", "Hello.") == await ann.ask("ready", "") == "ok"


async def test_the_address_of_an_admitted_spectator_pays_for_the_note_about_it(tmp_path: Path) -> None:
    few = GENEROUS._replace(kept=Rate(1, "hour", 60))
    async with (
        serving(tmp_path, limits=few, proxies=OURS) as address,
        guest(address, of="192.0.2.1") as ann,
        guest(address, of="192.0.2.2") as wanda,
    ):
        code = await ann.create(False, {"entry": "password"}, "sesame")
        assert await wanda.ask("watch", code, "Wanda", "sesame") == "ok"
        assert await wanda.ask("chat", "k", "Hello.") == "too-fast"


async def test_a_kick_can_keep_new_guests_of_the_same_address_out(address: str) -> None:
    async with guest(address) as ann, guest(address) as bob, guest(address) as new:
        code = await ann.create(seats=3)
        assert await bob.ask("join", code, "Bob", None) == "ok"
        assert await ann.ask("kick", 2, True) == "ok"
        assert await bob.closed() == Close.KICKED
        assert await new.ask("join", code, "Bobby", None) == "address-held"
        assert await new.ask("watch", code, "Bobby") == "address-held"
        async with guest(address, ann.token) as again:
            assert await again.ask("join", code, "Ann", None) == "ok"
        assert not any(b"127.0.0.1" in one.frame for one in (*ann.received, *again.received, *new.received))


async def test_a_connection_joins_one_room_and_commands_need_one(address: str) -> None:
    async with guest(address) as ann:
        for command in (("ready", ""), ("start",), ("chat", "k", "hi"), ("give_up",), ("leave",), ("rematch", "")):
            assert await ann.ask(*command) == "not-in-room"
        assert (await ann.move(0))[4] == "not-in-room"
        code = await ann.create()
        assert await ann.ask("create", "Ann", {}) == await ann.ask("join", code, "Ann") == "in-room"


async def test_a_repeated_move_is_applied_once_and_a_repeated_look_sends_no_boards_again(address: str) -> None:
    async with guest(address) as ann, guest(address) as eve:
        await race_alone(ann, game="lucas", watching="link", watch="open")
        for n in [*range(5), *range(5)]:
            await ann.send("move", 1, n, "draw")
        answers = [await ann.receive("moved", "unmoved") for _ in range(10)]
        assert answers[:5] == answers[5:]
        assert [answer[2] for answer in answers[:5]] == [1, 2, 3, 4, 5]
        assert (await ann.move(5))[:3] == ["moved", 1, 6]
        assert await eve.ask("watch", ann.code, "Eve") == "ok"
        for _ in range(20):
            assert await eve.ask("look", True) == "ok"
        assert len(eve.messages("gallery")) == 1


async def test_a_client_that_still_sends_while_it_is_disconnected_gets_the_reason(address: str) -> None:
    """A closed socket answers with a reset, which deletes unread data."""
    async with guest(address) as old:
        code = await old.create()
        old.socket.transport.pause_reading()
        async with guest(address, old.token) as new:
            assert await new.ask("join", code, "Ann") == "ok"
            for _ in range(3):
                await old.send("ping", 1.0)
                assert await new.ask("chat", "k", "still here") == "ok", "by now the server has heard the ping, too"
        old.socket.transport.resume_reading()
        assert await old.closed() == Close.TAKEN_OVER


async def test_only_a_client_that_does_not_answer_pings_is_disconnected(tmp_path: Path) -> None:
    async with serving(tmp_path, times=Times(ping=1)) as address, guest(address) as ann, guest(address) as bob:
        code = await ann.create()
        assert await bob.ask("join", code, "Bob") == "ok"
        bob.socket.transport.pause_reading()
        # Ann sends nothing either, but her system answers pings.
        while (await ann.receive("patch"))[2].get("people", {}).get("2", {}).get("here") is not False:
            pass
        assert await ann.ask("chat", "k", "still here") == "ok"
        bob.socket.transport.abort()


@pytest.mark.parametrize("buffer", [0, 30, 100, connection.BUFFER], ids="{} bytes".format)
async def test_messages_of_one_event_loop_iteration_arrive_in_order(
    address: str, buffer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUFFER", buffer)
    questions = [*map(float, range(200))]
    async with guest(address) as ann:
        # The server answers all waiting messages in the same iteration.
        await asyncio.gather(*[ann.send("ping", question) for question in questions])
        assert [(await ann.receive("pong"))[1] for _ in questions] == questions
