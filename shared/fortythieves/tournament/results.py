"""The results of a round: the order of the field, and who won each pair.

A no-show, who made no move, is behind all others. A disqualified entrant is compared with nobody.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fortythieves.rules.ranking import is_ranked, places
from fortythieves.tournament.rounds import Entrant, Played, Round

Entrants = Mapping[int, Entrant]
Pair = tuple[int, int]

#: The most races of an exactly tied pair. After them, the better seed advances.
MOST = 3


class Outcome(NamedTuple):
    """The outcome of a pair."""

    #: None: nobody, or not decided yet.
    winner: int | None
    #: Whether it is still undecided after all races so far, and both can be asked to race again.
    tied: bool = False
    #: Whether both raced and finished exactly equal.
    equal: bool = False


def is_out(entrants: Entrants, seat: int) -> bool:
    """Whether the entrant is disqualified."""
    return seat in entrants and entrants[seat].state == "disqualified"


def is_in(entrants: Entrants, seat: int) -> bool:
    """Whether the entrant takes part in the next round."""
    return seat in entrants and entrants[seat].state == "in"


def racers(entrants: Entrants, race: Mapping[int, Played]) -> dict[int, Played]:
    """The results of those who raced and are compared."""
    return {seat: played for seat, played in race.items() if _is_there(entrants, race, seat)}


def _is_there(entrants: Entrants, race: Mapping[int, Played], seat: int) -> bool:
    if seat not in race or is_out(entrants, seat):
        return False
    played = race[seat]
    return played.state != "did_not_start" and is_ranked(played.state, played.result.moves, played.rule)


def field(entrants: Entrants, done: Round) -> dict[int, int]:
    """The place of each racer in the whole field, from 1. Ties share a place, for example 1, 1, 3."""
    if not done.counts:
        return {}
    return places({seat: played.result for seat, played in racers(entrants, done.races[0]).items()})


def beaten(entrants: Entrants, done: Round) -> dict[int, int]:
    """For each racer, how many others placed behind."""
    ranked = sorted(field(entrants, done).items(), key=lambda item: -item[1])
    behind: dict[int, int] = {}
    for n, (seat, place) in enumerate(ranked):
        above = ranked[n - 1] if n else None
        behind[seat] = behind[above[0]] if above and above[1] == place else n
    return behind


def outcome(entrants: Entrants, done: Round, pair: Pair) -> Outcome:
    """The outcome of a pair from the races of a round. A tie stays a tie."""
    standing = [seat for seat in pair if not is_out(entrants, seat)]
    if len(standing) < 2:
        return Outcome(standing[0] if standing and done.counts else None)
    if not done.counts:
        return Outcome(None)
    return _raced(entrants, done.races, pair)


def _raced(entrants: Entrants, races: Sequence[Mapping[int, Played]], pair: Pair) -> Outcome:
    equal = False
    for race in races:
        there = [seat for seat in pair if _is_there(entrants, race, seat)]
        if len(there) == 1:
            return Outcome(there[0])
        ranked = places({seat: race[seat].result for seat in there})
        if len(set(ranked.values())) == 2:
            return Outcome(min(there, key=ranked.__getitem__))
        equal = equal or bool(there)
    return Outcome(None, tied=True, equal=equal)


def decided(entrants: Entrants, done: Round, pair: Pair) -> Outcome:
    """The outcome if somebody must advance. ``pair`` has the better seed first.

    A tie is broken by seed after `MOST` races, or when somebody has left.
    """
    found = outcome(entrants, done, pair)
    if not found.tied:
        return found
    here = [seat for seat in pair if is_in(entrants, seat)]
    if len(here) == 2 and len(done.races) <= MOST:
        return found
    return Outcome(here[0] if len(here) == 1 else pair[0])
