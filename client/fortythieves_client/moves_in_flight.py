"""Moves in flight: sent, and not confirmed by the server yet."""

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.rules.cards import Card
from fortythieves_client.race import OwnRace
from fortythieves_client.reconnecting import reject, resolve


class _InFlight(NamedTuple):
    message: to_server.Move
    done: asyncio.Future[tuple[Card, ...]]


class MovesInFlight:
    """The moves of one seat that are not confirmed yet, in order."""

    def __init__(self) -> None:
        self._moves: list[_InFlight] = []

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[to_server.Move]:
        """The messages, including moves that are added during the iteration."""
        return (move.message for move in self._moves)

    def add(self, message: to_server.Move) -> asyncio.Future[tuple[Card, ...]]:
        """Add a move. Returns the future of the cards that it reveals."""
        done: asyncio.Future[tuple[Card, ...]] = asyncio.get_running_loop().create_future()
        self._moves.append(_InFlight(message, done))
        return done

    def confirm(self, race: OwnRace) -> None:
        """Answer all moves whose places the log has reached, with our move or with one from another tab."""
        for move in [move for move in self._moves if move.message.n < len(race.log)]:
            self._moves.remove(move)
            entry = race.log[move.message.n]
            if entry.text == move.message.text:
                resolve(move.done, entry.turned)
            else:
                reject(move.done, Refused("out-of-turn", at=len(race.log), n=move.message.n))

    def refuse(self, error: Exception, first: int = 0) -> None:
        """Refuse all moves from this place of the log on."""
        refused = [move for move in self._moves if move.message.n >= first]
        self._moves = [move for move in self._moves if move.message.n < first]
        for move in refused:
            reject(move.done, error)
