"""Resuming while moves are in flight: a client gets its log in order."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.integration.raw import RawClient, guest
from tests.server.stores import SECONDS
from tests.serving import serving

#: In this number of tries, the order was once wrong.
TRIES = 40
#: Moves in flight when the next connection opens.
IN_FLIGHT = 8


#: How many entries the next connection knows, in turn: all, some, none.
KNOWN: tuple[Callable[[int], int], ...] = (lambda n: n, lambda n: max(0, n - 3), lambda n: 0)
#: A possible first move of deal 32001.
PROBE = "2-4"


class Seat(NamedTuple):
    """A seat in a race, and how many entries its log has."""

    code: str
    epoch: str
    length: int


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_client_that_resumes_gets_moves_in_flight_once_and_in_order(
    tmp_path: Path, own_redis: EmbeddedRedis, processes: int
) -> None:
    async with AsyncExitStack() as stack:
        addresses = [
            await stack.enter_async_context(serving(tmp_path / f"{k}", redis=own_redis.url)) for k in range(processes)
        ]
        old = await stack.enter_async_context(guest(addresses[0]))
        settings = {"seats": 1, "countdown": 3, "undo": "free", "deal": "32001"}
        assert await old.ask("create", "Ann", settings) == "ok"
        room = next(one.message for one in old.received if one.message[0] == "room")
        await old.send("ready", 99, "")
        await old.receive("board")
        seat = Seat(room[4]["code"], room[1], 0)
        for attempt in range(TRIES):
            address, known = addresses[attempt % processes], KNOWN[attempt % len(KNOWN)](seat.length)
            async with asyncio.timeout(SECONDS):
                old, seat = await _taken_over(stack, address, old, seat, known)


async def _taken_over(
    stack: AsyncExitStack, address: str, old: RawClient, seat: Seat, known: int
) -> tuple[RawClient, Seat]:
    """Take the seat on another connection while moves of the old one are in flight."""
    new = await stack.enter_async_context(guest(address, old.token))
    resume = [seat.epoch, 1, known] if known else None
    moves = [old.send("move", 1, n, "undo" if n % 2 else "draw") for n in range(seat.length, seat.length + IN_FLIGHT)]
    await asyncio.gather(*moves, new.send("join", 1, seat.code, "Ann", resume))
    await old.closed()
    while (answer := await new.receive("ok", "refused"))[1] != 1:
        pass
    assert answer[0] == "ok"
    # The probe is legal only after the last entry, and is then taken back. Moves of the old connection in between
    # are taken back first.
    back = Back(new, known)
    made = length = await back.make(PROBE, back.length)
    while back.moves_on_top(made):
        length = await back.make("undo", length)
    back.check()
    return new, seat._replace(length=length)


class Back:
    """A resumed client that knew a number of entries."""

    def __init__(self, client: RawClient, known: int) -> None:
        self._client = client
        self._known = known
        #: The numbers and texts of its own moves.
        self._asked: set[tuple[int, str]] = set()

    async def make(self, text: str, n: int) -> int:
        """Make a move with the right number. Returns the length of the log."""
        while True:
            await self._client.send("move", 1, n, text)
            self._asked.add((n, text))
            while True:
                answer = await self._client.receive("moved", "unmoved", "board")
                if answer[0] == "unmoved":
                    assert answer[4] != "illegal-move", answer
                    n = answer[3]
                    while self.length < n:
                        await self._client.receive("moved", "board")
                    break
                if answer[0] == "moved" and answer[3] == text and answer[2] == n + 1:
                    return n + 1

    @property
    def length(self) -> int:
        """The length of the log by the last message. A client that knew all entries gets none."""
        match self._told()[-1]:
            case ["board", _, _, moves]:
                return len(moves)
            case ["moved", _, int(n), *_]:
                return n
        return self._known

    def moves_on_top(self, made: int) -> int:
        """How many undos are needed up to the move with the number ``made``."""
        later = [message[3] for message in self._told() if message[0] == "moved" and message[2] > made]
        return 1 + sum(-1 if text == "undo" else 1 for text in later)

    def check(self) -> None:
        """The room, then the missed entries or the board, then later entries, each once."""
        known = self._known
        room, *others = self._told()
        assert room[0] == "room"
        if not known:
            board, *others = others
            assert board[0] == "board"
            known = len(board[3])
        assert [message[:3] for message in others] == [["moved", 1, known + k + 1] for k in range(len(others))]

    def _told(self) -> list[list[Any]]:
        """All messages about the log, without the second copies of its own moves."""
        told: list[list[Any]] = []
        asked = set(self._asked)
        for one in self._client.received:
            message = one.message
            if (
                message[0] == "moved"
                and (message[2] - 1, message[3]) in asked
                and message[:4] in [one[:4] for one in told]
            ):
                asked.remove((message[2] - 1, message[3]))
            elif message[0] in {"room", "board", "moved"}:
                told.append(message)
        return told
