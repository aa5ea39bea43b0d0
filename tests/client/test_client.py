"""The client with a real server and broken connections."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close, Notice
from fortythieves.times import Ms
from fortythieves_client.client import Client
from fortythieves_client.deal_check import UNSIGNED, DealCheck
from fortythieves_client.race import OwnRace
from fortythieves_client.reconnecting import Closed
from tests.refusals import refusal_of
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

Racing = list[tuple[Client, OwnRace]]


async def started(client: Client) -> OwnRace:
    await client.create("Ann", game="lucas", seats=1, countdown=3, undo="free", deal="32001")
    await client.ready()
    return await client.until(lambda: client.race)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def racing(address: str) -> AsyncIterator[Racing]:
    """Clients that race alone. All countdowns run at the same time, because each takes three seconds."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(address)) for _ in range(4)]
        races = await asyncio.gather(*[started(client) for client in clients])
        yield list(zip(clients, races, strict=True))


async def test_joining_without_a_code_is_an_error_and_a_refusal_has_a_sentence(address: str) -> None:
    async with Client(address) as client:
        with pytest.raises(ValueError, match="names none"):
            await client.join("Ann")
        with pytest.raises(Refused, match="There is no room BCDFGH"):
            await client.join("Ann", "BCDFGH")


async def test_pings_set_the_clock(address: str) -> None:
    async with Client(address) as client:
        await asyncio.gather(client.ping(), client.ping())
        room = await client.create("Ann")
        assert room.me is not None
        assert abs(client.now() - room.me["since"]) < 5_000


async def test_each_change_of_the_room_reaches_all_players(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        theirs = await bob.join("Bob", room.code)
        await ann.change_settings(game="streets")
        await ann.lock(True)
        await bob.chat("Good luck!", key="once")
        await bob.chat("Good luck!", key="once")
        await bob.rename("Bobby")
        await ann.hand_over(theirs.seat)
        await bob.lock(False)
        await ann.until(lambda: not room.view["locked"])
        assert room.view == theirs.view
        assert [line["text"] for line in room.view["chat"].values()] == ["Good luck!"]
        assert room.host == theirs.seat


async def test_moves_return_the_revealed_cards(racing: Racing) -> None:
    client, race = racing.pop()
    (card,) = await client.play("draw")
    assert list(race.board.waste) == [card]
    await client.undo()
    assert not race.board.waste
    assert [entry.text for entry in race.log] == ["draw", "undo"]


async def test_moves_after_a_refused_one_are_refused(racing: Racing) -> None:
    client, race = racing.pop()
    moves = [client.play(move) for move in ("draw", "redeal", "draw")]
    first, second, third = await asyncio.gather(*moves, return_exceptions=True)
    assert isinstance(first, tuple)
    assert isinstance(second, Refused) and isinstance(third, Refused)
    assert [entry.text for entry in race.log] == ["draw"]


async def test_a_client_returns_to_seat_and_board_after_a_break(racing: Racing) -> None:
    client, race = racing.pop()
    for _ in range(10):
        moves = [asyncio.create_task(client.play("draw")) for _ in range(5)]
        client.interrupt()
        await asyncio.gather(*moves)
    assert client.room is not None and client.room.seat == 1
    assert client.race is not None and len(client.race.log) == 50
    assert client.race.number == race.number


async def test_a_command_without_an_answer_is_repeated(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        await bob.join("Bob", room.code)
        for name in ("Bea", "Ben", "Bill"):
            renaming = asyncio.create_task(bob.rename(name))
            await asyncio.sleep(0)
            bob.interrupt()
            await renaming
            await ann.until(lambda name=name: room.people[2]["name"] == name)  # type: ignore[misc]


async def test_a_connection_can_break_while_joining(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        joining = asyncio.create_task(bob.join("Bob", room.code))
        await asyncio.sleep(0)
        bob.interrupt()
        assert (await joining).seat == 2
        await ann.until(lambda: len(room.people) == 2)


async def test_a_guest_token_brings_the_seat_back(address: str) -> None:
    async with Client(address) as first:
        room = await first.create("Ann")
        async with Client(address, token=first.token) as second:
            assert (await second.join("Ann", room.code)).seat == room.seat
            with pytest.raises(Closed) as closed:
                await first.until(lambda: False)
            assert closed.value.code == Close.TAKEN_OVER


async def test_moves_of_another_connection_are_on_the_board(address: str, racing: Racing) -> None:
    first, _ = racing.pop()
    await first.play("draw")
    async with Client(address, token=first.token) as second:
        assert first.room is not None
        await second.join("Ann", first.room.code)
        race = await second.until(lambda: second.race)
        assert [entry.text for entry in race.log] == ["draw"]
        await second.play("draw")
        assert len(race.log) == 2


async def test_a_removed_player_does_not_reconnect(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        theirs = await bob.join("Bob", room.code)
        await ann.kick(theirs.seat)
        with pytest.raises(Closed) as closed:
            await bob.until(lambda: False)
        assert closed.value.code == Close.KICKED and closed.value.for_good


async def test_a_player_who_left_can_open_another_room(address: str) -> None:
    async with Client(address) as ann:
        code = (await ann.create("Ann")).code
        await ann.leave()
        assert ann.room is None
        assert (await ann.create("Ann")).code != code


async def test_all_players_return_after_a_restart(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with serving(tmp_path, hurry=False) as address:
            client = await stack.enter_async_context(Client(address))
            race = await started(client)
            before = [await client.play("draw") for _ in range(3)]
        moves = asyncio.gather(*[client.play("draw") for _ in range(3)])
        async with serving(tmp_path, int(address.rpartition(":")[2]), hurry=False):
            after = await moves
            assert client.race is not None and client.race.number == race.number
            assert client.race.board.waste == tuple(card for cards in before + after for card in cards)
            await client.close()


async def test_connecting_without_a_server_fails() -> None:
    with pytest.raises(OSError):
        async with Client("http://127.0.0.1:9"):
            pass


async def test_closing_ends_all_pending_calls(address: str) -> None:
    async with Client(address) as client:
        await client.create("Ann")
        waiting = asyncio.create_task(client.until(lambda: False))
        await asyncio.sleep(0)
    with pytest.raises(Closed, match="closed the connection"):
        await waiting


async def test_a_host_runs_a_tournament(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        plan = {"name": "Club night", "entry": "password", "by_timer": False}
        room = await ann.create("Ann", plan=plan, password="sesame", seats=10)
        assert await refusal_of(bob.join("Bob", room.code)) == "wrong-password"
        bobs = await bob.join("Bob", room.code, password="sesame")
        await ann.enter(True)
        await ann.change_plan(pause=90, password="aha")
        await ann.co_host(bobs.seat, True)
        await bob.timer(Ms(int(bob.now())) + Ms(3_600_000))
        await bob.round("pause")
        async with Client(address) as dan:
            assert await refusal_of(dan.join("Dan", room.code, password="sesame")) == "wrong-password"
            dans = await dan.join("Dan", room.code, password="aha")
            await dan.enter(True)
            await bob.judge(dans.seat, True, "Two browsers.")
        now = bobs.tournament
        assert now is not None and (now["plan"]["pause"], now["co_hosts"]) == (90, [bobs.seat])
        assert {deed[2] for deed in now["desk"]} >= {"planned", "disqualified", "paused"}


async def test_a_client_returns_to_a_tournament_with_a_password(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann", plan={"entry": "password"}, password="sesame")
        await bob.join("Bob", room.code, password="sesame")
        bob.interrupt()
        await bob.enter(False)
        await ann.until(lambda: room.tournament and room.tournament["entrants"]["2"]["state"] == "withdrawn")


async def test_a_committed_nonce_is_revealed_and_used(tmp_path: Path) -> None:
    async with serving(tmp_path, hurry=False) as address, Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann", game="lucas", countdown=3, undo="none")
        await bob.join("Bob", room.code)
        await ann.ready("ab" * 16)
        await bob.ready()
        await ann.until(lambda: ann.race)
        await bob.until(lambda: bob.race)
        nonces = room.race["nonces"]
        assert nonces["1"] == "ab" * 16 and len(nonces) == 2
        for client in (ann, bob):
            await client.leave()
        assert not [notice for client in (ann, bob) for notice in client.notices]


async def test_an_unsigned_promise_is_reported_once(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob, Client(address) as eve:
        room = await ann.create("Ann")
        assert not ann.notices
        # The first promise is changed here, and the memory of it is deleted.
        room.race["promise"]["at"] += 1
        ann.deal_check = DealCheck()
        await bob.join("Bob", room.code)
        await ann.until(lambda: len(room.people) == 2)
        await eve.join("Eve", room.code)
        await ann.until(lambda: len(room.people) == 3)
        assert [(notice.code, notice.message) for notice in ann.notices] == [("broken-promise", UNSIGNED)]


async def test_until_misses_no_state_and_raises_errors_of_its_condition() -> None:
    client = Client("http://127.0.0.1")
    waiting = asyncio.create_task(client.until(lambda: client.notices and client.notices[-1].code == "first"))
    failing = asyncio.create_task(client.until(lambda: bool(client.notices) and 1 / 0))
    await asyncio.sleep(0)  # now they wait
    client.handle(Notice("first", ""))
    client.handle(Notice("second", ""))
    assert await waiting
    with pytest.raises(ZeroDivisionError):
        await failing
