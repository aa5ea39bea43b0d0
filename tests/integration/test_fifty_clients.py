"""Fifty racers in ten rooms play to the end on connections that break. Then Redis must have what was acknowledged.

Half of the rooms are at one process, and half at two.
"""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.cards import names
from fortythieves.rules.deal import commitment, deck_of_secret
from fortythieves.rules.games import GAMES, game
from fortythieves_client.bot.levels import LEVELS, next_moves
from fortythieves_client.client import Client
from fortythieves_client.room import Room
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.store import Store
from tests.server.stores import opened
from tests.server.tables import fold
from tests.serving import serving

ROOMS, SEATS = 10, 5
#: The rooms at one process and at two. Each kind of undo is at both, and each game at one.
ROOMS_AT = {1: range(0, ROOMS, 2), 2: range(1, ROOMS, 2)}

#: The number of entries of all racers but one in each room, which plays until no move is left.
MOST = 50
#: The share of moves during which a connection breaks.
BREAKS = 0.02
#: Seconds in which a client tries to reconnect: far more than a busy machine needs.
PATIENCE = 600
#: The share of moves before which a racer tries an illegal one.
MISTAKES = 0.05


@dataclass
class Racer:
    """A racer, and the acknowledged entries of the log: the text of each, and the cards that it revealed."""

    client: Client
    dice: random.Random
    #: The number of entries after which the racer gives up.
    most: int = 1000
    acknowledged: list[tuple[str, str]] = field(default_factory=list)

    @property
    def room(self) -> Room:
        assert self.client.room is not None
        return self.client.room

    @property
    def racing(self) -> bool:
        racer = self.room.my_race
        return racer is not None and racer["state"] == "racing"

    async def play(self, text: str) -> None:
        playing = asyncio.create_task(self.client.play(text))
        if self.dice.random() < BREAKS:
            await asyncio.sleep(0)
            self.client.interrupt()
        self.acknowledged.append((text, names(await playing)))

    async def race(self) -> None:
        """Play until no move is left to try or made so many, then give up, and wait until all have ended."""
        race = await self.client.until(lambda: self.client.race)
        level = LEVELS[1]
        while self.racing and len(race.log) < self.most and (moves := next_moves(race.board, level, self.dice)):
            if self.dice.random() < MISTAKES:
                with pytest.raises(Refused):
                    await self.client.play("redeal" if race.board.stock_count else "1-1")
            if self.room.settings["undo"] == "free" and race.log and self.dice.random() < 0.1:
                await self.play("undo" if race.board.moves_made else str(moves[0]))
                continue
            try:
                await self.play(str(moves[0]))
            except Refused as refused:
                # The server knows the stock, so it can end a race that is stuck before the racer notices.
                assert refused.code == "finished"
                break
            race = await self.client.until(lambda: self.client.race)
        while self.racing and (self.room.my_race or {}).get("gave_up_at") is None:
            try:
                await self.client.give_up()
            except Refused as refused:
                if refused.code == "too-early":
                    await asyncio.sleep(0.5)
        await self.client.until(lambda: self.room.over)


async def room_of_racers(addresses: Sequence[str], number: int, turn: asyncio.Lock) -> list[Racer]:
    """Five racers in a room, each at the next process. Rooms start one by one: nonces are due in three seconds."""
    here = [addresses[(number + seat) % len(addresses)] for seat in range(SEATS)]
    clients = [Client(address, reconnect_timeout=PATIENCE) for address in here]
    racers = [
        Racer(client, random.Random(number * SEATS + seat), MOST if seat else 1000)
        for seat, client in enumerate(clients)
    ]
    for client in clients:
        await client.__aenter__()
    host, *others = clients
    key = list(GAMES)[number % len(GAMES)]
    undo = ("none", "turned", "free")[number % 3]
    # Only with four seconds of countdown are there three to reveal a nonce.
    room = await host.create("Ann", game=key, undo=undo, countdown=4, seats=SEATS, auto_start=False)
    for client in others:
        await client.join("Bob", room.code)
    await asyncio.gather(*[client.ready() for client in clients])
    async with turn:
        await host.start()
        await host.until(lambda: len(room.race.get("nonces", ())) == SEATS or host.race)
    return racers


def order_of(racer: dict[str, Any]) -> tuple[float, ...]:
    """The ranking, as in PROTOCOL.md."""
    solved = racer["state"] == "solved"
    return (not solved, racer["finished_at"] if solved else 0, -racer["home"], racer["reached_at"], racer["moves"])


@pytest.mark.long
async def test_fifty_racers_play_to_the_end_and_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    """All rooms at the same time, because most of it is the wait until giving up is final."""
    turn = asyncio.Lock()
    async with asyncio.TaskGroup() as group:
        for processes, numbers in ROOMS_AT.items():
            folder = tmp_path / f"{processes}"
            group.create_task(race_at(folder, processes, numbers, turn), name=f"{processes} processes")


async def race_at(folder: Path, processes: int, numbers: Sequence[int], turn: asyncio.Lock) -> None:
    async with AsyncExitStack() as stack:
        redis = (await stack.enter_async_context(EmbeddedRedis(folder))).url
        addresses = [await stack.enter_async_context(serving(folder, redis=redis)) for _ in range(processes)]
        rooms = await asyncio.gather(*[room_of_racers(addresses, number, turn) for number in numbers])
        racing = [racer for racers in rooms for racer in racers]
        await asyncio.gather(*[racer.race() for racer in racing])
        store = await stack.enter_async_context(opened(redis, "reader"))
        for racers in rooms:
            await assert_log_is_acknowledged(store, racers)
            assert_same_ranking(racers)
            await assert_seat_returns_with_its_log(addresses[-1], racers[0])
        await asyncio.gather(*[racer.client.close() for racer in racing])
        assert sum(len(racer.acknowledged) for racer in racing) > len(racing) * 30


async def assert_log_is_acknowledged(store: Store, racers: Sequence[Racer]) -> None:
    """The log has exactly the acknowledged entries, in order, and the racer's board follows from it."""
    room = racers[0].room
    race = room.race
    nonces = [bytes.fromhex(nonce) for _, nonce in sorted(race["nonces"].items(), key=lambda item: int(item[0]))]
    secret = bytes.fromhex(race["secret"])
    # On a busy machine, some racers may reveal their nonce too late.
    assert race["nonces"].keys() <= {str(racer.room.seat) for racer in racers}
    assert commitment(secret) == race["commitment"]
    for racer in racers:
        log = await store.logs.moves(room.code, race["number"], racer.room.seat)
        assert [text for _, text in log] == [text for text, _ in racer.acknowledged]
        assert all(one <= other for (one, _), (other, _) in pairwise(log))
        playthrough = fold(
            game(race["game"]), deck_of_secret(secret, nonces), room.settings["undo"], race["starts_at"], log
        )
        assert [(text, turned) for text, turned in playthrough.entries] == racer.acknowledged
        assert racer.client.race is not None
        seen, true = racer.client.race.board, playthrough.board
        assert (seen.columns, seen.waste, seen.stock_count) == (true.columns, true.waste, true.stock_count)
        entry = room.racers[racer.room.seat]
        assert (entry["home"], entry["moves"], entry["reached_at"]) == (true.home, len(log), playthrough.reached_at)


def assert_same_ranking(racers: Sequence[Racer]) -> None:
    """All racers see the same places, which follow from the rule."""
    first, *others = (racer.room for racer in racers)
    assert all(room.ranking == first.ranking for room in others)
    assert all(room.race == first.race for room in others)
    places = first.ranking
    assert len(places) == SEATS and places[0][0] == 1
    for (place, seat), (next_place, next_seat) in pairwise(places):
        one, other = order_of(first.racers[seat]), order_of(first.racers[next_seat])
        assert one <= other
        assert (one == other) == (place == next_place)


async def assert_seat_returns_with_its_log(address: str, racer: Racer) -> None:
    """Another device with the guest token gets the same log."""
    async with Client(address, token=racer.client.token) as again:
        room = await again.join("Ann", racer.room.code)
        assert room.seat == racer.room.seat
        race = await again.until(lambda: again.race)
        assert [(text, names(turned)) for text, turned in race.log] == racer.acknowledged
