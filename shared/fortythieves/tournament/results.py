"""The results of a round: the order of the field, and the winner of each pair.

A no-show, who made no move, is behind all others. A disqualified entrant is compared with no other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from fortythieves.rules.ranking import Result, places
from fortythieves.tournament.rounds import Entrant, Met, Pair, Round

Entrants = Mapping[int, Entrant]

#: The most races of an exactly tied pair. After them, the better seed advances.
MOST = 3


def is_out(entrants: Entrants, seat: int) -> bool:
    """Whether the entrant is disqualified."""
    return seat in entrants and entrants[seat].state == "disqualified"


def is_in(entrants: Entrants, seat: int) -> bool:
    """Whether the entrant takes part in the next round."""
    return seat in entrants and entrants[seat].state == "in"


def racers(entrants: Entrants, race: Mapping[int, Result]) -> dict[int, Result]:
    """The results of the racers that are compared."""
    return {seat: played for seat, played in race.items() if played.started and not is_out(entrants, seat)}


def field(entrants: Entrants, done: Round) -> dict[int, int]:
    """The place of each racer in the whole field, from 1. Ties share a place, for example 1, 1, 3."""
    if not done.counts:
        return {}
    return places(racers(entrants, done.races[0]))


def first_results(entrants: Entrants, done: Round) -> dict[int, Result]:
    """For each racer, the result of the first race that counts: after a replayed match, the new race."""
    if not done.counts:
        return {}
    return {seat: played for seat, played in done.first.items() if not is_out(entrants, seat)}


def beaten(entrants: Entrants, done: Round) -> dict[int, int]:
    """For each racer, how many others placed behind. None after a replayed match: that was another deal."""
    ranked = field(entrants, done)
    equal = Counter(ranked.values())
    behind = {seat: len(ranked) + 1 - place - equal[place] for seat, place in ranked.items()}
    return {seat: 0 for seat in first_results(entrants, done) if seat in done.replayed} | behind


def outcome(entrants: Entrants, done: Round, pair: Pair) -> Met:
    """The outcome of a pair from the races of a round. A tie stays a tie."""
    standing = [seat for seat in pair if not is_out(entrants, seat)]
    if len(standing) < 2 or not done.counts:
        return Met(standing[0] if len(standing) == 1 and done.counts else None)
    return done.met(pair)


def is_replayed(entrants: Entrants, done: Round, pair: Pair) -> bool:
    """Whether the pair has to race once more, because a host annulled its races so far."""
    here = all(is_in(entrants, seat) and seat in done.replayed for seat in pair)
    return here and not any(seat in race for race in done.races for seat in pair)


def decided(entrants: Entrants, done: Round, pair: Pair) -> Met:
    """The outcome in a knock-out, where one of the two goes on. ``pair`` has the better seed first, which wins a tie
    after `MOST` races, or after one of them has left. If neither started, neither goes on.
    """
    found = outcome(entrants, done, pair)
    if not found.tied:
        return found
    if not found.equal:
        return Met(None)
    here = [seat for seat in pair if is_in(entrants, seat)]
    if len(here) == 2 and len(done.races) <= MOST:
        return found
    return Met(here[0] if len(here) == 1 else pair[0])


def undecided(entrants: Entrants, done: Round, pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs with one survivor that still have to race."""
    return [pair for pair in pairs if not done.counts or decided(entrants, done, pair).tied]
