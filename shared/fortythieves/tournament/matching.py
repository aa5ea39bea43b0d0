"""The next races of an arena: free entrants with similar scores, without a rematch of the last opponents."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import rustworkx

from fortythieves.times import Ms
from fortythieves.tournament.rounds import ANY_CHANCE, Number, by_lot

#: An entrant waits at least this long before a match, so that similar scores can meet.
GATHER = Ms(2_000)
#: After this wait an entrant races even in a race that is not full, and against the same entrants as before.
PATIENCE = Ms(10_000)
#: The fewest in a race.
FEWEST = 2


class Free(NamedTuple):
    """A waiting entrant."""

    seat: int
    score: Number
    #: When they began to wait.
    since: Ms
    #: The others in their last race.
    last: frozenset[int] = frozenset()
    #: The hash of their address. "": unknown.
    address: str = ""


def next_look(free: Sequence[Free], size: int, at: Ms) -> Ms | None:
    """When `match` has something to do, from ``at`` on, if no entrant arrives or leaves. None: never."""
    if len(free) < FEWEST:
        return None
    first = min(one.since for one in free)
    gathered = max(at, first + GATHER)
    return gathered if match(free, size, gathered, ANY_CHANCE) else max(at, first + PATIENCE)


def match(free: Sequence[Free], size: int, now: Ms, chance: str) -> list[tuple[int, ...]]:
    """The races to begin now, each with its seats. ``chance``: 64 hexadecimal digits, which break ties of scores."""
    if len(free) < FEWEST or min(one.since for one in free) + GATHER > now:
        return []
    lots = {seat: n for n, seat in enumerate(by_lot(chance, (one.seat for one in free)))}
    waiting = sorted(free, key=lambda one: (one.since, lots[one.seat]))
    # The latest arrivals wait for further entrants.
    full = len(waiting) - len(waiting) % size
    groups, over = _grouped(_by_score(waiting[:full], lots), size)
    if over:  # the latest arrivals can race with them
        more, over = _grouped(_by_score([*over, *waiting[full:]], lots), size)
        groups += more
    else:
        over = waiting[full:]
    left = sorted(over, key=lambda one: (one.since, lots[one.seat]))
    return [tuple(one.seat for one in group) for group in [*groups, *_patient(left, size, now, lots)]]


def _by_score(free: Iterable[Free], lots: dict[int, int]) -> list[Free]:
    return sorted(free, key=lambda one: (-one.score, lots[one.seat]))


def _fits(one: Free, group: Iterable[Free]) -> bool:
    """Whether a race with these would be no rematch for anybody."""
    return not any(other.seat in one.last or one.seat in other.last for other in group)


def _grouped(order: Sequence[Free], size: int) -> tuple[list[list[Free]], list[Free]]:
    """Full races without a rematch, from the best score down, and the leftover entrants.

    Entrants of one address meet only if no other can join their race: a person at several seats could let one win.
    """
    rank = {one.seat: n for n, one in enumerate(order)}
    rest = [*reversed(order)]
    addresses = Counter(one.address for one in rest if one.address)
    groups: list[list[Free]] = []
    over: list[Free] = []
    while rest:
        group = [rest.pop()]
        _take(group, rest, size, addresses)
        addresses.subtract(one.address for one in group if one.address)
        if len(group) == size:
            groups.append(group)
        else:
            # Only the first one is given up: the others may fit each other.
            over.append(group[0])
            addresses.update(one.address for one in group[1:] if one.address)
            rest = sorted([*rest, *group[1:]], key=lambda one: -rank[one.seat])
    return _settled(groups, over, size)


def _take(group: list[Free], rest: list[Free], size: int, addresses: Mapping[str, int]) -> None:
    """Move the best that fit, which are last in ``rest``, to a group: first those of other addresses.

    ``addresses``: how many there are of each, in both lists.
    """
    there = {group[0].address}
    others = len(rest) + 1 - addresses.get(group[0].address, 1)
    for apart in (True, False):
        passed: list[Free] = []
        while rest and len(group) < size and (others > 0 or not apart):
            one = rest.pop()
            is_other = not one.address or one.address not in there
            others -= is_other
            if (is_other or not apart) and _fits(one, group):
                group.append(one)
                others -= addresses.get(one.address, 1) - 1 if is_other else 0
                there.add(one.address)
            else:
                passed.append(one)
        rest += reversed(passed)


def _settled(groups: list[list[Free]], over: list[Free], size: int) -> tuple[list[list[Free]], list[Free]]:
    """The same with the leftovers in races, if exchanging one of them with a racer allows it."""
    while len(over) >= size and (group := _exchanged(groups, over[-size:])):
        groups.append(group)
        del over[-size:]
    return groups, over


def _exchanged(groups: list[list[Free]], over: list[Free]) -> list[Free] | None:
    """A race of these, after one changed places with a racer of another race with scores as near as possible."""
    for group in reversed(groups):
        for at, one in enumerate(group):
            for n, other in enumerate(over):
                rest = [*over[:n], *over[n + 1 :]]
                race = [one, *rest]
                is_race = all(_fits(each, race[:place]) for place, each in enumerate(race))
                if is_race and _fits(other, [*group[:at], *group[at + 1 :]]):
                    group[at] = other
                    return race
    return None


def _patient(left: list[Free], size: int, now: Ms, lots: dict[int, int]) -> list[list[Free]]:
    """Races that are small or repeat the last opponents, for entrants that have waited long enough."""
    races = []
    while len(left) >= FEWEST and left[0].since + PATIENCE <= now:
        races.append(_by_score(left[:size], lots))
        left = left[size:]
    return races


def cheapest_pairs(count: int, edges: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """As many pairs of numbers below ``count`` as possible, in order, at the lowest sum of costs.

    ``edges``: the possible pairs, the lower number first, each with its cost.
    """
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    highest = max((cost for _, _, cost in edges), default=0)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: highest - cost)
    return sorted((min(pair), max(pair)) for pair in found)
