"""Swiss: everybody races in every round, against a new opponent with about as many points."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import rustworkx

from fortythieves.tournament.lots import by_lot
from fortythieves.tournament.results import Entrants, Pair, is_out, outcome, racers
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.score import Score

TIEBREAKS = ("buchholz", "sonneborn", "wins", "home")

WIN, DRAW, LOSS = 1.0, 0.5, 0.0

#: The opponent of an entrant with a bye. No seat has this number.
BYE = 0

#: Up to this many entrants, all pairings are compared. In 30 rounds nobody meets more than 30 others. With more
#: entrants than this, each can still meet more than half of the others, so a pairing without rematches exists (Dirac).
SMALL = 64

#: With more entrants, how far down the table an opponent is looked for. This is doubled if some stay unpaired.
NEAR = 8


# The draw


def draw(
    entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int], chance: str
) -> tuple[list[Pair], list[int]]:
    """The pairs, from the top of the table, and who has the bye.

    In this order of importance: no avoidable second bye, few rematches, a bye far down the table, pairs close in
    points. Lots decide the rest.
    """
    totals = _totals(entrants, _meetings(entrants, rounds))
    order = sorted(by_lot(chance, seats), key=lambda seat: -totals[seat])
    met = times_met(rounds)
    if len(order) <= SMALL:
        odd = [BYE] if len(order) % 2 else []
        pairs = _matched([*order, *odd], _costs([*order, *odd], totals, met, len(order)))
    else:
        byes = _lowest(order, met) if len(order) % 2 else []
        pairs = [*_near([seat for seat in order if seat not in byes], totals, met), *((seat, BYE) for seat in byes)]
    return [pair for pair in pairs if BYE not in pair], [one for one, other in pairs if other == BYE]


def times_met(rounds: Sequence[Round]) -> Counter[Pair]:
    """How often two seats (the lower one first) have met. (`BYE`, seat): how many byes a seat has had."""
    drawn = [done for done in rounds if not done.skipped]
    pairs = Counter(_key(*pair) for done in drawn for pair in done.pairs)
    return pairs + Counter((BYE, seat) for done in drawn for seat in done.byes)


def _key(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _lowest(order: Sequence[int], met: Counter[Pair]) -> list[int]:
    """Of those with the fewest byes, the one lowest in the table."""
    return [min(reversed(order), key=lambda seat: met[BYE, seat])]


def _near(order: Sequence[int], totals: Mapping[int, float], met: Counter[Pair]) -> list[Pair]:
    near = NEAR
    while True:
        costs = _costs(order, totals, met, near)
        whole = near >= len(order)
        pairs = _matched(order, [edge for edge in costs if whole or not met[_key(order[edge[0]], order[edge[1]])]])
        if whole or 2 * len(pairs) == len(order):
            return pairs
        near *= 2


_Edge = tuple[int, int, int]


def _costs(order: Sequence[int], totals: Mapping[int, float], met: Counter[Pair], near: int) -> list[_Edge]:
    """The cost of each pair of places in the table that are near enough.

    The unit of each kind of cost exceeds the sum of all lesser costs.
    """
    n = len(order)
    half_points = [round(totals[seat] * 2) if seat != BYE else 0 for seat in order]
    apart = n * n
    bye = apart * n * (max(half_points, default=0) ** 2 + 1)
    again = bye * n
    second_bye = again * n * (max(met.values(), default=0) + 1)

    def cost(above: int, below: int) -> int:
        times = met[_key(order[above], order[below])]
        if order[below] == BYE:
            return times * second_bye + (n - 1 - above) * bye
        return times * again + (half_points[above] - half_points[below]) ** 2 * apart + (below - above)

    return [(a, b, cost(a, b)) for a in range(n) for b in range(a + 1, min(n, a + near + 1))]


def _matched(order: Sequence[int], edges: Sequence[_Edge]) -> list[Pair]:
    """As many pairs as possible, at the lowest cost, from the top of the table, the higher entrant first."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(order)))
    graph.add_edges_from(edges)
    highest = max((cost for _, _, cost in edges), default=0)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: highest - cost)
    return [(order[one], order[other]) for one, other in sorted(_key(*pair) for pair in found)]


# The standings


class _Meeting(NamedTuple):
    """A round from the view of one seat."""

    given: float
    #: None: a bye. An opponent who is disqualified by now counts as one.
    opponent: int | None


def scores(entrants: Entrants, rounds: Sequence[Round]) -> dict[int, Score]:
    """The score of each entrant by seat."""
    met = _meetings(entrants, rounds)
    totals = _totals(entrants, met)
    raced = [racers(entrants, done.races[0]) if done.counts else {} for done in rounds]

    def score(seat: int) -> Score:
        own = [of[seat] for of in met if seat in of]
        # A bye counts like an opponent with the same points.
        worth = [totals[seat if one.opponent is None else one.opponent] for one in own]
        buchholz = sum(worth)
        sonneborn = sum(one.given * value for one, value in zip(own, worth, strict=True))
        wins = sum(one.given == WIN and one.opponent is not None for one in own)
        home = sum(race[seat].result.home for race in raced if seat in race)
        cells = tuple(of[seat].given if seat in of else None for of in met)
        return Score(totals[seat], (buchholz, sonneborn, wins, home), cells)

    return {seat: score(seat) for seat in entrants}


def _totals(entrants: Entrants, met: Sequence[Mapping[int, _Meeting]]) -> dict[int, float]:
    return {seat: sum(of[seat].given for of in met if seat in of) for seat in entrants}


def _meetings(entrants: Entrants, rounds: Sequence[Round]) -> list[dict[int, _Meeting]]:
    """The meetings of each round by seat. None in a round that does not count (yet)."""
    return [dict(_met(entrants, done)) if done.counts else {} for done in rounds]


def _met(entrants: Entrants, done: Round) -> Iterator[tuple[int, _Meeting]]:
    yield from ((seat, _Meeting(WIN, None)) for seat in done.byes if not is_out(entrants, seat))
    for pair in done.pairs:
        found = outcome(entrants, done, pair)
        for seat, other in (pair, pair[::-1]):
            if not is_out(entrants, seat):
                given = WIN if seat == found.winner else DRAW if found.equal else LOSS
                yield seat, _Meeting(given, None if is_out(entrants, other) else other)
