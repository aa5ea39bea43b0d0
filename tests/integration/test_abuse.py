"""Malicious and broken clients: each gets a reason, and no other client notices."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import msgpack
import pytest
import pytest_asyncio
from itsdangerous import URLSafeTimedSerializer
from websockets.exceptions import ConnectionClosed

from fortythieves.protocol.to_client import Close
from fortythieves.protocol.to_server import VERSION
from fortythieves_server.app import Times
from fortythieves_server.common.limits import Rate
from fortythieves_server.common.prices import PART as PAID_PART
from fortythieves_server.web import connection
from tests.integration.raw import RawClient, guest, raw_client
from tests.server.stores import SECONDS
from tests.serving import GENEROUS, points_for, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def race_alone(racer: RawClient, **settings: Any) -> list[Any]:
    """Open a room for one and start a race in it; the board."""
    await racer.create(seats=1, countdown=3, deal="32001", **settings)
    await racer.send("ready", 99, "")
    return await racer.receive("board")


#: The settings of the rooms of shared races.
RACES: dict[str, dict[str, Any]] = {
    "undo of what turned no card": {"game": "lucas", "undo": "turned"},
    "forty thieves": {"game": "forty-thieves"},
    "watched": {"game": "lucas", "watching": "link", "watch": "open"},
    "any": {},
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def racers(address: str) -> AsyncIterator[dict[str, RawClient]]:
    """The racer of each shared race. All countdowns run at the same time."""
    async with contextlib.AsyncExitStack() as stack:
        found = {name: await stack.enter_async_context(guest(address)) for name in RACES}
        await asyncio.gather(*[race_alone(racer, **RACES[name]) for name, racer in found.items()])
        yield found


async def still_serves(address: str) -> bool:
    async with guest(address) as somebody:
        return await somebody.ask("create", "Bob", {}) == "ok"


# --- invalid messages -----------------------------------------------------------------------------------------------

#: tests/shared/protocol/test_wire.py has all others.
NO_MESSAGES: dict[str, bytes | str] = {
    "no MessagePack": b"\xc1",
    "a tag that is none": msgpack.packb(["shuffle", 1]),
    "arrays in arrays in arrays": b"\x91" * 12_000,
    "a text frame": '["ping", 1]',
    "a second hello": msgpack.packb(["hello", 1, None]),
}


@pytest.mark.parametrize("frame", NO_MESSAGES.values(), ids=NO_MESSAGES)
async def test_an_invalid_message_closes_the_connection(address: str, frame: bytes | str) -> None:
    async with guest(address) as abuser:
        await abuser.socket.send(frame)
        assert await abuser.closed() == Close.INVALID
        assert abuser.socket.close_reason
    assert await still_serves(address)


LARGE: dict[str, bytes | list[bytes]] = {
    "one frame": b"\xc6" + bytes(GENEROUS.frame),
    "fragments": [bytes(1024)] * (GENEROUS.frame // 1024 + 1),
}


@pytest.mark.parametrize("frame", LARGE.values(), ids=LARGE)
async def test_a_message_that_is_too_large_closes_the_connection(address: str, frame: bytes | list[bytes]) -> None:
    async with guest(address) as abuser:
        await abuser.socket.send(frame)
        assert await abuser.closed() == Close.TOO_BIG
    assert await still_serves(address)


@pytest.mark.parametrize("message", [b"x", ["create", 1, "Ann", {}]], ids=["a part", "a command"])
async def test_a_message_before_hello_closes_the_connection(address: str, message: Any) -> None:
    async with raw_client(address) as abuser:
        await abuser.socket.send(msgpack.packb(message))
        assert await abuser.closed() == Close.INVALID


async def test_parts_above_the_limit_wait(tmp_path: Path) -> None:
    limits = GENEROUS._replace(points=points_for(PAID_PART, PAID_PART, spare=10_000))
    async with serving(tmp_path, limits=limits) as address, guest(address) as abuser, guest(address) as other:
        for part in (b"\x93\xa4plan", b"\x01", b"\x80"):
            await abuser.socket.send(msgpack.packb(part))
        await abuser.send("ping", 1.0)
        await other.socket.send(msgpack.packb(b"\x93\xa4plan"))
        await other.send("ping", 1.0)
        assert await still_serves(address)
        for client in (abuser, other):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await client.receive("pong")
            # Its goodbye would wait as well, and websockets ten seconds for the answer.
            client.socket.transport.abort()


async def test_long_messages_have_the_price_of_parts(tmp_path: Path) -> None:
    limits = GENEROUS._replace(points=points_for(PAID_PART, PAID_PART, spare=10_000))
    names = [f"{'W' * 20}{n:04}" for n in range(100)]
    async with serving(tmp_path, limits=limits) as address, guest(address) as abuser:
        await abuser.create(False, {"listed": names})
        assert await abuser.ask("plan", {"listed": names[1:]}) == "ok"
        await abuser.send("plan", 3, {"listed": names[2:]})
        assert await still_serves(address)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await abuser.receive("ok", "refused")
        abuser.socket.transport.abort()


@pytest.mark.parametrize("kind", ["ping", "pong"])
async def test_a_client_that_sends_too_many_messages_is_disconnected(tmp_path: Path, kind: str) -> None:
    async with serving(tmp_path, limits=GENEROUS.changed("messages=1/hour+20")) as address, guest(address) as abuser:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(30):
                await (abuser.send("ping", 1.0) if kind == "ping" else abuser.socket.pong())
        assert await abuser.closed() == Close.TOO_FAST


@pytest.mark.parametrize("pongs", [False, True], ids=["silent", "only pongs"])
async def test_a_connection_without_a_hello_is_closed(tmp_path: Path, pongs: bool) -> None:
    async with serving(tmp_path, limits=GENEROUS._replace(hello=1)) as address, raw_client(address) as abuser:
        with contextlib.suppress(ConnectionClosed):
            while pongs:
                await abuser.socket.pong()
                await asyncio.sleep(0.05)
        assert await abuser.closed() == Close.INVALID


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


async def test_an_address_with_too_many_stored_moves_waits_and_others_play_on(tmp_path: Path) -> None:
    few = GENEROUS._replace(moves=Rate(1, "hour", 64))
    ours = [ip_network("127.0.0.1")]
    async with serving(tmp_path, limits=few, proxies=ours) as address, contextlib.AsyncExitStack() as stack:
        for at in ("192.0.2.1", "192.0.2.2"):
            racer = await stack.enter_async_context(guest(address, of=at))
            await race_alone(racer)
            for _ in range(3):  # refused moves cost nothing
                assert (await racer.move(0, "redeal"))[0] == "unmoved"
            for n in range(64):
                await racer.send("move", 1, n, "draw")
                assert (await racer.receive("moved", "unmoved"))[0] == "moved"
            await racer.send("move", 1, 64, "draw")
            assert (await racer.receive("unmoved"))[2:5] == [64, 64, "too-fast"]


# --- guest tokens -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forge", ["change", "sign"])
async def test_a_changed_or_foreign_guest_token_is_refused(address: str, forge: str) -> None:
    async with guest(address) as ann:
        name, *rest = ann.token.split(".")
    changed = ".".join([name[:-1] + ("A" if name[-1] != "A" else "B"), *rest])
    token = changed if forge == "change" else URLSafeTimedSerializer("guess").dumps("ann")
    async with raw_client(address) as abuser:
        await abuser.send("hello", VERSION, token)
        assert (await abuser.receive("notice"))[1] == "bad-token"
        assert await abuser.closed() == Close.BAD_TOKEN


# --- rooms --------------------------------------------------------------------------------------------------------


async def test_a_kicked_player_cannot_join_again(address: str) -> None:
    async with guest(address) as ann, guest(address) as bob:
        code = await ann.create()
        await bob.ask("join", code, "Bob")
        assert await ann.ask("kick", 2) == "ok"
        assert await bob.closed() == Close.KICKED
        async with guest(address, bob.token) as again:
            assert await again.ask("join", code, "Bob") == "kicked"


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


async def test_only_the_host_runs_the_room(address: str) -> None:
    async with guest(address) as ann, guest(address) as bob:
        code = await ann.create(auto_start=False)
        await bob.ask("join", code, "Bob")
        for command in (
            ("settings", {"game": "lucas"}),
            ("start",),
            ("lock", True),
            ("kick", 1),
            ("host", 2),
            ("bot", 1),
        ):
            assert await bob.ask(*command) == "not-host"


async def test_a_connection_joins_one_room_and_commands_need_one(address: str) -> None:
    async with guest(address) as ann:
        for command in (("ready", ""), ("start",), ("chat", "k", "hi"), ("give_up",), ("leave",), ("rematch", "")):
            assert await ann.ask(*command) == "not-in-room"
        assert (await ann.move(0))[4] == "not-in-room"
        code = await ann.create()
        assert await ann.ask("create", "Ann", {}) == await ann.ask("join", code, "Ann") == "in-room"


async def test_a_repeated_look_does_not_send_the_boards_again(address: str, racers: dict[str, RawClient]) -> None:
    ann = racers["watched"]
    async with guest(address) as eve:
        assert await eve.ask("watch", ann.code, "Eve") == "ok"
        for _ in range(20):
            assert await eve.ask("look", True) == "ok"
        assert len(eve.messages("gallery")) == 1


# --- the race -----------------------------------------------------------------------------------------------------


async def test_no_move_counts_before_the_race(address: str) -> None:
    async with guest(address) as ann:
        await ann.create(seats=1, countdown=10)
        assert (await ann.move(0))[4] == "not-racing"
        assert await ann.ask("ready", "") == "ok"
        while "starts_at" not in (await ann.receive("patch"))[2].get("race", {}):
            pass
        assert (await ann.move(0))[4] == "not-started"
        assert await ann.ask("give_up") == "not-started"
        assert (await ann.move(0, race=2))[4] == "not-started"


async def test_invalid_illegal_and_out_of_turn_moves_are_refused(racers: dict[str, RawClient]) -> None:
    ann = racers["undo of what turned no card"]
    for text, code in (
        ("", "bad-move"),
        ("DRAW", "bad-move"),
        ("3-7x1", "bad-move"),
        ("14-F", "bad-move"),
        ("F-3", "bad-move"),
        ("0-1", "bad-move"),
        ("٣-7", "bad-move"),
        ("undo ", "bad-move"),
        ("undo", "nothing-to-undo"),
        ("redeal", "illegal-move"),
        ("W-F", "illegal-move"),
    ):
        unmoved = await ann.move(0, text)
        assert (unmoved[0], unmoved[3], unmoved[4]) == ("unmoved", 0, code), text
    assert (await ann.move(5))[3:5] == [0, "out-of-turn"]
    assert (await ann.move(0, race=0))[4] == "over"
    assert (await ann.move(0))[:3] == ["moved", 1, 1]
    assert (await ann.move(1, "undo"))[4] == "undo-turned"
    assert (await ann.move(0, "W-1"))[3:5] == [1, "out-of-turn"]


async def test_the_same_move_twice_is_applied_once_and_answered_twice(racers: dict[str, RawClient]) -> None:
    ann = racers["forty thieves"]
    for _ in range(2):
        for n in range(5):
            await ann.send("move", 1, n, "draw")
    answers = [await ann.receive("moved", "unmoved") for _ in range(10)]
    assert answers[:5] == answers[5:]
    assert [answer[2] for answer in answers[:5]] == [1, 2, 3, 4, 5]
    assert (await ann.move(5))[:3] == ["moved", 1, 6]


async def test_a_move_in_another_race_is_not_acknowledged(racers: dict[str, RawClient]) -> None:
    ann = racers["any"]
    assert (await ann.move(0))[:3] == ["moved", 1, 1]
    for race in (0, 2, 999, 2**53):
        assert (await ann.move(0, race=race))[:3] == ["unmoved", race, 0]
    await ann.send("move", 1, -1, "draw")
    assert await ann.closed() == Close.INVALID


async def test_no_move_counts_on_another_board_or_after_the_race(address: str) -> None:
    async with guest(address) as ann, guest(address) as bob, guest(address) as cem:
        code = await ann.create(countdown=3, game="lucas", deal="32001", late="watch", auto_start=False)
        assert await bob.ask("join", code, "Bob") == "ok"
        assert await ann.ask("start") == "ok"
        assert await cem.ask("join", code, "Cem") == "ok"
        await bob.receive("board")
        assert (await cem.move(0))[4] == "not-racing"
        assert await cem.ask("give_up") == "not-racing"
        assert (await ann.move(0))[:3] == ["moved", 1, 1]
        assert await ann.ask("kick", 2) == "ok"
        assert await bob.closed() == Close.KICKED
        async with guest(address, bob.token) as again:
            assert (await again.move(0))[4] == "not-in-room"
        assert (await cem.move(0))[4] == "not-racing"


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


async def test_the_server_answers_a_ping(address: str) -> None:
    async with guest(address) as ann:
        async with asyncio.timeout(SECONDS):
            await (await ann.socket.ping(b"there?"))
        assert await ann.create()


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


async def test_many_short_connections_do_not_disturb_the_server(address: str) -> None:
    async def come_and_go() -> None:
        async with raw_client(address) as passer_by:
            passer_by.socket.transport.abort()

    await asyncio.gather(*[come_and_go() for _ in range(50)])
    assert await still_serves(address)
