"""House bots in rooms of a real server, without long pauses."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.solver.search import search
from fortythieves.times import Ms
from fortythieves_client.bot.house import run_bot
from fortythieves_client.bot.levels import NAMES
from fortythieves_client.client import Client
from fortythieves_client.room import Room
from fortythieves_server.core.tournament import CHECK_IN_FOR

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Seconds before the start when check-in ends.
CHECK_IN = 60

#: A Lucas that level 3 wins.
WON = "32001"


@contextlib.asynccontextmanager
async def bot(address: str, code: str, level: int = 3, alone: float = 60) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(run_bot(address, code, level, seconds=0.001, alone=alone, rng=random.Random(1)))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


def bots(room: Room) -> list[int]:
    return [seat for seat, person in room.people.items() if person["bot"]]


def checked_in(room: Room) -> set[int]:
    return {int(seat) for seat in (room.tournament or {})["check_in"]["here"]}


async def test_the_bots_of_a_room_have_different_names_of_bots(address: str) -> None:
    async with Client(address) as ann, contextlib.AsyncExitStack() as stack:
        room = await ann.create("Ann", auto_start=False)
        playing = [await stack.enter_async_context(bot(address, room.code, level=2)) for _ in range(4)]
        await ann.until(lambda: len(bots(room)) == 4 and all(room.people[seat]["ready"] for seat in bots(room)))
        names = [room.people[seat]["name"] for seat in bots(room)]
        assert len(set(names)) == 4 and {name.split()[0] for name in names} <= {*NAMES[2]}
        await ann.kick(bots(room)[0])
        await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)


@pytest.mark.long
async def test_a_bot_races_to_the_end_and_is_ready_for_the_rematch(address: str) -> None:
    async with Client(address) as ann:
        room = await ann.create("Ann", game="lucas", deal=WON, undo="none", countdown=3)
        async with bot(address, room.code):
            await ann.until(lambda: bots(room))
            await ann.ready()
            await ann.until(lambda: ann.race)
            for move in search(Board.deal(game("lucas"), deck_of_number(int(WON))), 16).moves:
                await ann.play(move)
            await ann.until(lambda: room.over)
            assert {racer["state"] for racer in room.racers.values()} == {"solved"}
            await ann.rematch()
            await ann.until(lambda: room.race["number"] == 2 and room.race.get("starts_at"))


async def test_a_bot_without_sensible_moves_gives_up(address: str) -> None:
    async with Client(address) as ann:
        room = await ann.create("Ann", game="forty-thieves", deal="32001", undo="none", countdown=3)
        async with bot(address, room.code, level=1):
            await ann.until(lambda: bots(room))
            await ann.ready()
            await ann.until(lambda: (him := room.racers.get(2)) and (him.get("gave_up_at") or him["state"] == "stuck"))


async def test_a_bot_leaves_an_empty_room(address: str) -> None:
    async with Client(address) as ann:
        code = (await ann.create("Ann")).code
        async with bot(address, code, alone=0.1) as task:
            await ann.until(lambda: ann.room and bots(ann.room))
            await ann.close()
            await task


async def test_a_bot_that_becomes_host_hands_over(address: str) -> None:
    async with Client(address) as ann, Client(address) as bob:
        code = (await ann.create("Ann", auto_start=False)).code
        async with bot(address, code):
            await ann.until(lambda: ann.room and bots(ann.room))
            room = await bob.join("Bob", code)
            await ann.leave()
            await bob.until(lambda: room.host == room.seat)


async def test_a_bot_checks_in_for_a_tournament_as_soon_as_it_can(address: str) -> None:
    """A bot that enters during check-in need not."""
    async with Client(address) as ann:
        starts_at = Ms(int(ann.now()) + 1000 * (1 + CHECK_IN)) + CHECK_IN_FOR
        room = await ann.create("Ann", plan={"format": "swiss", "check_in": CHECK_IN, "starts_at": starts_at})
        async with bot(address, room.code):
            await ann.until(lambda: bots(room))
            assert not checked_in(room)
            await ann.until(lambda: checked_in(room) == {*bots(room)})


async def test_a_stopped_bot_leaves_the_room(address: str) -> None:
    async with Client(address) as ann:
        room = await ann.create("Ann", auto_start=False)
        async with bot(address, room.code):
            await ann.until(lambda: bots(room))
        await ann.until(lambda: not bots(room))


async def test_a_bot_is_refused_like_a_person(address: str) -> None:
    with pytest.raises(Refused, match="There is no room"):
        await run_bot(address, "BCDFGH", 1)
