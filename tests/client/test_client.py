"""The client against a real server, on connections that break."""

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
    """Race alone: the shortest countdown, then one's own cards."""
    await client.create("Ann", game="lucas", seats=1, countdown=3, undo="free", deal="32001")
    await client.ready()
    return await client.until(lambda: client.race)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def racing(address: str) -> AsyncIterator[Racing]:
    """Clients that race alone, for whoever takes one. All countdowns run at the same time: each takes three seconds."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(address)) for _ in range(5)]
        races = await asyncio.gather(*[started(client) for client in clients])
        yield list(zip(clients, races, strict=True))


async def test_who_creates_a_room_sits_in_it_as_its_host(address: str) -> None:
    async with Client(address) as client:
        room = await client.create("Ann", game="maria")
        assert room.host == room.seat
        assert room.me is not None and room.me["name"] == "Ann"
        assert room.settings["game"] == "maria"


async def test_a_room_link_is_enough_to_join(address: str) -> None:
    async with Client(address) as ann:
        code = (await ann.create("Ann")).code
        async with Client(f"{address}/r/{code}") as bob:
            room = await bob.join("Bob")
            assert room.code == code
            await ann.until(lambda: ann.room and len(ann.room.people) == 2)


async def test_without_a_code_there_is_nothing_to_join(address: str) -> None:
    async with Client(address) as client:
        with pytest.raises(ValueError, match="names none"):
            await client.join("Ann")


async def test_a_refusal_comes_with_its_code_and_its_sentence(address: str) -> None:
    async with Client(address) as client:
        with pytest.raises(Refused, match="There is no room BCDFGH") as refused:
            await client.join("Ann", "BCDFGH")
        assert refused.value.code == "unknown-room"


async def test_pings_tell_the_servers_clock(address: str) -> None:
    async with Client(address) as client:
        await asyncio.gather(client.ping(), client.ping())
        room = await client.create("Ann")
        assert room.me is not None
        assert abs(client.now() - room.me["since"]) < 5_000


async def test_every_change_of_the_room_reaches_everybody_in_it(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        theirs = await bob.join("Bob", room.code)
        await ann.change_settings(game="streets")
        await ann.lock()
        await bob.chat("Good luck!", key="once")
        await bob.chat("Good luck!", key="once")
        await bob.rename("Bobby")
        await ann.hand_over(theirs.seat)
        await bob.lock(False)
        await ann.until(lambda: not room.view["locked"])
        assert room.view == theirs.view
        assert [line["text"] for line in room.view["chat"].values()] == ["Good luck!"]
        assert room.host == theirs.seat


async def test_moves_bring_the_cards_that_they_turn(racing: Racing) -> None:
    client, race = racing.pop()
    (card,) = await client.play("draw")
    assert list(race.board.waste) == [card]
    await client.undo()
    assert not race.board.waste
    assert [entry.text for entry in race.log] == ["draw", "undo"]


async def test_moves_can_be_sent_without_waiting_for_one_another(racing: Racing) -> None:
    client, race = racing.pop()
    turned = await asyncio.gather(*[client.play("draw") for _ in range(20)])
    assert race.board.waste == tuple(card for cards in turned for card in cards)


async def test_a_refused_move_takes_those_along_that_were_built_on_it(racing: Racing) -> None:
    client, race = racing.pop()
    moves = [client.play(move) for move in ("draw", "redeal", "draw")]
    first, second, third = await asyncio.gather(*moves, return_exceptions=True)
    assert isinstance(first, tuple)
    assert isinstance(second, Refused) and isinstance(third, Refused)
    assert [entry.text for entry in race.log] == ["draw"]


async def test_a_client_whose_connection_breaks_comes_back_to_its_seat_and_its_board(racing: Racing) -> None:
    client, race = racing.pop()
    for _ in range(10):
        moves = [asyncio.create_task(client.play("draw")) for _ in range(5)]
        client.interrupt()
        await asyncio.gather(*moves)
    assert client.room is not None and client.room.seat == 1
    assert client.race is not None and len(client.race.log) == 50
    assert client.race.number == race.number


async def test_a_command_whose_answer_was_lost_is_asked_again(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        await bob.join("Bob", room.code)
        for name in ("Bea", "Ben", "Bill"):
            renaming = asyncio.create_task(bob.rename(name))
            await asyncio.sleep(0)
            bob.interrupt()
            await renaming
            await ann.until(lambda name=name: room.people[2]["name"] == name)  # type: ignore[misc]


async def test_a_connection_that_breaks_while_sitting_down_is_no_reason_to_stand(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        joining = asyncio.create_task(bob.join("Bob", room.code))
        await asyncio.sleep(0)
        bob.interrupt()
        assert (await joining).seat == 2
        await ann.until(lambda: len(room.people) == 2)


async def test_the_guest_pass_brings_the_seat_back_anywhere(address: str) -> None:
    async with Client(address) as first:
        room = await first.create("Ann")
        async with Client(address, token=first.token) as second:
            assert (await second.join("Ann", room.code)).seat == room.seat
            with pytest.raises(Closed) as closed:
                await first.until(lambda: False)
            assert closed.value.code == Close.TAKEN_OVER


async def test_what_another_connection_of_the_seat_played_is_on_our_board(address: str, racing: Racing) -> None:
    first, _ = racing.pop()
    await first.play("draw")
    async with Client(address, token=first.token) as second:
        assert first.room is not None
        await second.join("Ann", first.room.code)
        race = await second.until(lambda: second.race)
        assert [entry.text for entry in race.log] == ["draw"]
        await second.play("draw")
        assert len(race.log) == 2


async def test_who_was_removed_stays_away(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann")
        theirs = await bob.join("Bob", room.code)
        await ann.kick(theirs.seat)
        with pytest.raises(Closed) as closed:
            await bob.until(lambda: False)
        assert closed.value.code == Close.KICKED and closed.value.for_good


async def test_a_forged_guest_pass_is_no_pass(address: str) -> None:
    with pytest.raises(Closed) as closed:
        async with Client(address, token="forged"):
            pass
    assert closed.value.code == Close.BAD_TOKEN


async def test_who_leaves_is_out_of_the_room_and_may_open_another(address: str) -> None:
    async with Client(address) as ann:
        code = (await ann.create("Ann")).code
        await ann.leave()
        assert ann.room is None
        assert (await ann.create("Ann")).code != code


async def test_a_server_that_restarts_finds_everybody_where_they_were(tmp_path: Path) -> None:
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


async def test_a_server_that_does_not_come_back_is_given_up(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with serving(tmp_path) as address:
            client = await stack.enter_async_context(Client(address, reconnect_timeout=0.2))
            await client.create("Ann")
        with pytest.raises(Closed, match="did not come back"):
            await client.ready()


async def test_where_no_server_is_connecting_fails_at_once() -> None:
    with pytest.raises(OSError):
        async with Client("http://127.0.0.1:9"):
            pass


async def test_who_hangs_up_leaves_nobody_waiting(address: str) -> None:
    async with Client(address) as client:
        await client.create("Ann")
        waiting = asyncio.create_task(client.until(lambda: False))
        await asyncio.sleep(0)
    with pytest.raises(Closed, match="closed the connection"):
        await waiting


async def test_a_tournament_is_opened_entered_and_led(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob, Client(address) as cleo:
        plan = {"name": "Club night", "entry": "password", "by_timer": False}
        room = await ann.create("Ann", plan=plan, password="sesame", seats=10)
        held = room.tournament
        assert held is not None and held["plan"]["name"] == "Club night"
        assert await refusal_of(bob.join("Bob", room.code)) == "wrong-password"
        bobs = await bob.join("Bob", room.code, password="sesame")
        cleos = await cleo.join("Cleo", room.code, password="sesame")
        assert bobs.tournament is not None and str(bobs.seat) in bobs.tournament["entrants"]

        await ann.enter()
        await bob.enter(False)
        await bob.enter()
        await ann.change_plan(pause=90, name="Late night")
        await ann.co_host(bobs.seat)
        await bob.judge(cleos.seat, True, "Two browsers.")
        await bob.judge(cleos.seat, False, "It was somebody else.")
        await bob.withdraw(cleos.seat)
        await bob.timer(Ms(int(bob.now())) + Ms(3_600_000))
        await bob.timer(None)
        await bob.round("pause")
        await bob.round("resume")

        await bob.change_plan(password="aha")
        async with Client(address) as dan:
            assert await refusal_of(dan.join("Dan", room.code, password="sesame")) == "wrong-password"
            await dan.join("Dan", room.code, password="aha")

        now = bobs.tournament
        assert now["plan"]["pause"] == 90
        assert now["co_hosts"] == [bobs.seat]
        assert now["entrants"][str(cleos.seat)]["state"] == "withdrawn"
        assert {deed[2] for deed in now["desk"]} >= {"planned", "disqualified", "reinstated", "paused"}


async def test_a_client_whose_connection_breaks_comes_back_to_a_tournament_with_a_password(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann", plan={"entry": "password"}, password="sesame")
        await bob.join("Bob", room.code, password="sesame")
        bob.interrupt()
        await bob.enter(False)
        await ann.until(lambda: room.tournament and room.tournament["entrants"]["2"]["state"] == "withdrawn")


async def test_what_is_committed_to_is_revealed_and_goes_into_the_deal(tmp_path: Path) -> None:
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


async def test_a_promise_that_is_not_signed_is_objected_to_before_the_race_and_once(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob, Client(address) as eve:
        room = await ann.create("Ann")
        assert not ann.notices
        # A server that shows something that it has not signed: what it showed first is changed here, and forgotten.
        room.race["promise"]["at"] += 1
        ann.deal_check = DealCheck()
        await bob.join("Bob", room.code)
        await ann.until(lambda: len(room.people) == 2)
        await eve.join("Eve", room.code)
        await ann.until(lambda: len(room.people) == 3)
        assert [(notice.code, notice.message) for notice in ann.notices] == [("broken-promise", UNSIGNED)]


async def test_what_lasts_only_until_the_next_message_is_not_missed() -> None:
    client = Client("http://127.0.0.1")
    waiting = asyncio.create_task(client.until(lambda: client.notices and client.notices[-1].code == "first"))
    await asyncio.sleep(0)  # now it waits
    client.handle(Notice("first", ""))
    client.handle(Notice("second", ""))
    assert await waiting


async def test_what_a_condition_raises_is_raised_to_whoever_waits_for_it() -> None:
    client = Client("http://127.0.0.1")
    waiting = asyncio.create_task(client.until(lambda: bool(client.notices) and 1 / 0))
    await asyncio.sleep(0)
    client.handle(Notice("first", ""))
    with pytest.raises(ZeroDivisionError):
        await waiting
