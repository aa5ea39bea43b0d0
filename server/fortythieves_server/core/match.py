"""The match of a room: friends race until one of them has won most of 3, 5 or 7 races. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec


class Won(NamedTuple):
    """How many races a guest has won, and the seat and the name in the last one."""

    seat: int
    name: str
    races: int


class Match(msgspec.Struct, frozen=True):
    best_of: int = 1  # 1: there is no match
    wins: Mapping[str, Won] = {}  # by guest, so that a player who leaves and returns to another seat keeps them
    winner: str = ""  # the guest who has won the match

    @property
    def first_to(self) -> int:
        """How many races win it. With three or more racers, that can take more races than `best_of`."""
        return self.best_of // 2 + 1

    def for_next_race(self, best_of: int) -> "Match":
        return self if best_of == self.best_of and not self.winner else Match(best_of)

    def raced(self, racers: Mapping[int, tuple[str, str]], first: Sequence[int]) -> "Match":
        """The match after a race. ``racers``: guest and name by seat; ``first``: the seats in the first place.

        A race without a rival counts for nobody, and so does a tie: otherwise two could win the match.
        """
        if self.best_of == 1 or len(racers) < 2 or len(first) != 1:
            return self
        seat = first[0]
        guest, name = racers[seat]
        races = self.wins[guest].races + 1 if guest in self.wins else 1
        winner = guest if races == self.first_to else ""
        return Match(self.best_of, {**self.wins, guest: Won(seat, name, races)}, winner)
