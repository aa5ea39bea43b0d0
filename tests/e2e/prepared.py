"""Races that are well under way: played over the protocol, quicker than by hand, and then looked at on a page."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import BrowserContext

from fortythieves_client.client import Client

#: A limit for hanging tests, s.
TIMEOUT = 240

#: By game: an open deal, and the moves that win it.
WINS = {win["game"]: win for win in json.loads((Path(__file__).parents[2] / "shared/vectors/wins.json").read_text())}


class Seat(NamedTuple):
    code: str
    #: The guest token of the seat.
    token: str
    name: str

    async def put_into(self, browser: BrowserContext) -> None:
        """Make a new browser remember this seat, as if it had been taken there."""
        # Playwright's `storage_state` opens a window, which takes as long as the page of a test.
        seats = json.dumps([{"code": self.code, "name": self.name, "at": 0}])
        kept = {"forty-thieves.token": self.token, "forty-thieves.seats": seats, "test.seat": "given"}
        await browser.add_init_script(
            "if (location.protocol === 'http:' && !localStorage.getItem('test.seat'))"
            f" Object.assign(localStorage, {json.dumps(kept)})"
        )


@asynccontextmanager
async def quick(address: str) -> AsyncIterator[Client]:
    async with asyncio.timeout(TIMEOUT), Client(address) as client:
        yield client


async def alone(address: str, moves: Iterable[str] = (), name: str = "Ann", **settings: Any) -> Seat:
    """A race of one player with these moves."""
    async with quick(address) as client:
        room = await client.create(name, **{"countdown": 3, **settings})
        await client.start()
        await play(client, moves)
        return Seat(room.code, client.token or "", name)


class Duel(NamedTuple):
    """Two racers without pages that move on request."""

    code: str
    ann: Client
    bob: Client


@asynccontextmanager
async def duel(address: str, **settings: Any) -> AsyncIterator[Duel]:
    """Ann and Bob have their cards."""
    async with quick(address) as ann, quick(address) as bob:
        room = await ann.create("Ann", **{"countdown": 3, "auto_start": False, **settings})
        await bob.join("Bob", room.code)
        await ann.start()
        await asyncio.gather(play(ann), play(bob))
        yield Duel(room.code, ann, bob)


async def won(address: str, key: str) -> str:
    """The code of a room in which Ann has won this game, after Bob went ahead and left."""
    win = WINS[key]
    async with duel(address, game=key, deal=str(win["number"])) as race:
        await play(race.bob, win["moves"][:30])
        await race.bob.leave()
        await play(race.ann, win["moves"])
        return race.code


@asynccontextmanager
async def race_of_two(address: str, moves: Iterable[str], **settings: Any) -> AsyncIterator[Seat]:
    """Ann has made these moves, Bob looks at his cards."""
    async with duel(address, **settings) as race:
        await play(race.ann, moves)
        await race.ann.close()
        yield Seat(race.code, race.ann.token or "", "Ann")


async def play(client: Client, moves: Iterable[str] = ()) -> None:
    """Wait for the cards, and make these moves together, because pages then draw them once."""
    await client.until(lambda: client.race)
    await asyncio.gather(*(client.play(move) for move in moves))
