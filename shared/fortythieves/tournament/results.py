"""How a round went: who came where in the race, and who won a pair.

Whoever did not start, that is made no move, is behind all who did. A disqualified entrant is compared with nobody.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fortythieves.rules.ranking import is_ranked, places
from fortythieves.tournament.rounds import Entrant, Played, Round

Entrants = Mapping[int, Entrant]
Pair = tuple[int, int]

#: How often those who are exactly tied race again, before the better seed goes on.
MOST = 3


class Outcome(NamedTuple):
    """What came of a pair."""

    #: None: nobody won, or not yet.
    winner: int | None
    #: Whether it is still open after all races that were, and both may be asked to race on.
    tied: bool = False
    #: Whether both raced, and ended exactly equal.
    equal: bool = False


def is_out(entrants: Entrants, seat: int) -> bool:
    """Whether the seat is disqualified."""
    return seat in entrants and entrants[seat].state == "disqualified"


def is_in(entrants: Entrants, seat: int) -> bool:
    """Whether the seat takes part in what comes next."""
    return seat in entrants and entrants[seat].state == "in"


def racers(entrants: Entrants, race: Mapping[int, Played]) -> dict[int, Played]:
    """Who was there and is compared with others."""
    return {seat: played for seat, played in race.items() if _is_there(entrants, race, seat)}


def _is_there(entrants: Entrants, race: Mapping[int, Played], seat: int) -> bool:
    if seat not in race or is_out(entrants, seat):
        return False
    played = race[seat]
    return played.state != "did_not_start" and is_ranked(played.state, played.result.moves, played.rule)


def field(entrants: Entrants, done: Round) -> dict[int, int]:
    """The place of each who raced among all who did, from 1; equals share one, and the next counts on: 1, 1, 3."""
    if not done.counts:
        return {}
    return places({seat: played.result for seat, played in racers(entrants, done.races[0]).items()})


def beaten(entrants: Entrants, done: Round) -> dict[int, int]:
    """How many came behind each who raced."""
    ranked = sorted(field(entrants, done).items(), key=lambda item: -item[1])
    behind: dict[int, int] = {}
    for n, (seat, place) in enumerate(ranked):
        above = ranked[n - 1] if n else None
        behind[seat] = behind[above[0]] if above and above[1] == place else n
    return behind


def outcome(entrants: Entrants, done: Round, pair: Pair) -> Outcome:
    """What the races of a round came to for one of its pairs, a draw being a draw."""
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
    """The same where somebody has to go on. The better seed comes first in ``pair``.

    A tie is decided when it has been played on often enough, or cannot be because somebody has left.
    """
    found = outcome(entrants, done, pair)
    if not found.tied:
        return found
    here = [seat for seat in pair if is_in(entrants, seat)]
    if len(here) == 2 and len(done.races) <= MOST:
        return found
    return Outcome(here[0] if len(here) == 1 else pair[0])
