"""Races that are well under way: played over the protocol, quicker than by hand, and then looked at on a page."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

from playwright.async_api import BrowserContext

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import parse_move
from fortythieves_client.client import Client
from tests.shared.vectors import read

#: A limit for hanging tests, s.
TIMEOUT = 240

#: By game: an open deal, and the moves that win it.
WINS = {win["game"]: win for win in read("wins")}


def board_of(key: str, moves: Iterable[str] = (), number: int | None = None) -> Board:
    """The board of an open deal, of the one that is won unless a number is given, after these moves."""
    board = Board.deal(game(key), deck_of_number(number or WINS[key]["number"]))
    for text in moves:
        board.play(parse_move(text))
    return board


class Seat(NamedTuple):
    code: str
    #: The guest token of the seat.
    token: str
    name: str

    async def put_into(self, browser: BrowserContext) -> None:
        # Playwright's `storage_state` opens a window, which takes as long as the page of a test.
        seats = json.dumps([{"code": self.code, "name": self.name, "at": 0}])
        kept = {"forty-thieves.token": self.token, "forty-thieves.seats": seats, "test.seat": "given"}
        await browser.add_init_script(
            "if (location.protocol === 'http:' && !localStorage.getItem('test.seat'))"
            f" Object.assign(localStorage, {json.dumps(kept)})"
        )


def seat_of(client: Client, name: str = "Ann") -> Seat:
    assert client.room is not None and client.token is not None
    return Seat(client.room.code, client.token, name)


@asynccontextmanager
async def quick(address: str, token: str | None = None) -> AsyncIterator[Client]:
    async with asyncio.timeout(TIMEOUT), Client(address, token=token) as client:
        yield client


async def alone(address: str, moves: Iterable[str] = (), name: str = "Ann", **settings: Any) -> Seat:
    async with quick(address) as client:
        await client.create(name, **{"countdown": 3, **settings})
        await client.start()
        await play(client, moves)
        return seat_of(client, name)


@asynccontextmanager
async def guests(address: str, code: str, names: Iterable[str], password: str = "") -> AsyncIterator[list[Client]]:
    """People without pages in a room."""
    async with AsyncExitStack() as stack:
        clients = []
        for name in names:
            clients.append(await stack.enter_async_context(quick(address)))
            await clients[-1].join(name, code, password=password)
        yield clients


@asynccontextmanager
async def racers(address: str, first: str, *others: str, **settings: Any) -> AsyncIterator[list[Client]]:
    """People without pages who have their cards and move on request."""
    async with quick(address) as host:
        room = await host.create(first, **{"countdown": 3, "auto_start": False, **settings})
        async with guests(address, room.code, others) as clients:
            await host.start()
            await asyncio.gather(*map(play, [host, *clients]))
            yield [host, *clients]


class Duel(NamedTuple):
    code: str
    ann: Client
    bob: Client


@asynccontextmanager
async def duel(address: str, **settings: Any) -> AsyncIterator[Duel]:
    async with racers(address, "Ann", "Bob", **settings) as (ann, bob):
        yield Duel(seat_of(ann).code, ann, bob)


async def play(client: Client, moves: Iterable[str] = ()) -> None:
    """Wait for the cards, and make these moves together, because pages then draw them once."""
    await client.until(lambda: client.race)
    await asyncio.gather(*(client.play(move) for move in moves))
