"""Swiss: all entrants race in every round, against a new opponent with about as many points."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, product

from fortythieves.tournament.matching import cheapest_pairs
from fortythieves.tournament.plan import Plan, Tiebreak, kept_apart
from fortythieves.tournament.results import Entrants, first_results, is_out, outcome
from fortythieves.tournament.rounds import Duel, Pair, Round, Score

WIN, DRAW, LOSS = 1.0, 0.5, 0.0

#: The opponent of an entrant with a bye. No seat has this number.
BYE = 0

#: Up to this many entrants, all pairings are compared.
SMALL = 64

#: With more entrants, among how many possible opponents below in the table one is looked for. This is doubled if
#: some stay unpaired, up to `FAR`.
NEAR, FAR = 8, 16

#: With so many, nobody has to meet an opponent twice or against a wish (see `MOST_APART`), and to compare all pairings
#: would take seconds.
MANY = 160


# The draw


def draw(
    order: Sequence[int], scores: Mapping[int, float], rounds: Sequence[Round], apart: Collection[Pair]
) -> tuple[list[Pair], list[int]]:
    """The pairs, from the top of the table, and the bye. ``order``: the seats, best first, with lots among equals.

    In this order of importance: no avoidable second bye, few pairs that are kept ``apart``, few rematches, the bye for
    the lowest in the standings, pairs close in points, pairs close in the standings.
    """
    met = times_met(rounds)
    pairs = _near(order, scores, met, apart) if len(order) > SMALL else None
    if pairs is None:
        odd = [BYE] if len(order) % 2 else []
        pairs = _whole([*order, *odd], scores, met, apart)
    return [pair for pair in pairs if BYE not in pair], [one for one, other in pairs if other == BYE]


def pairs_apart(groups: Sequence[Sequence[str]], numbers: Iterable[tuple[str, int]]) -> set[Pair]:
    """The pairs that a host does not want, the lower number first. ``numbers``: the numbers with their names."""
    of_name: dict[str, list[int]] = {}
    for name, number in numbers:
        of_name.setdefault(name.casefold(), []).append(number)
    pairs = ((name, other) for name, others in kept_apart(groups).items() for other in others)
    both = (product(of_name.get(name, ()), of_name.get(other, ())) for name, other in pairs)
    return {(one, other) for one, other in chain.from_iterable(both) if one < other}


def times_met(rounds: Sequence[Round]) -> Counter[Pair]:
    """How often two seats (the lower one first) have met. (`BYE`, seat): how many byes a seat has had."""
    drawn = [done for done in rounds if not done.skipped]
    pairs = Counter(_key(*pair) for done in drawn for pair in done.pairs)
    return pairs + Counter((BYE, seat) for done in drawn for seat in done.byes)


def _key(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _near(
    order: Sequence[int], scores: Mapping[int, float], met: Counter[Pair], apart: Collection[Pair]
) -> list[Pair] | None:
    """A pairing without rematches and without pairs that are kept apart. Each is compared with the next possible
    opponents in the table.

    None: fewer than `MANY` entrants, and perhaps there is no such pairing. Among more, only those who cannot be paired
    otherwise meet against a wish.
    """
    bye = [min(reversed(order), key=lambda seat: met[BYE, seat])] if len(order) % 2 else []
    seats = [seat for seat in order if seat not in bye]
    points = [round(scores[seat] * 2) for seat in seats]
    n = len(seats)

    def fits(above: int, below: int) -> bool:
        key = _key(seats[above], seats[below])
        return key not in met and key not in apart

    def possible(above: int) -> Iterator[int]:
        return (below for below in range(above + 1, n) if fits(above, below))

    near = NEAR
    while True:
        edges = [
            (above, below, (points[above] - points[below]) ** 2 * n * n + below - above)
            for above in range(n)
            for below in islice(possible(above), near)
        ]
        pairs = cheapest_pairs(n, edges)
        if 2 * len(pairs) < n and near < FAR:
            near *= 2
            continue
        left = sorted({*range(n)} - {*chain.from_iterable(pairs)})
        if left and n < MANY:
            return None
        pairs = _with_others(pairs, left, lambda one, other: fits(min(one, other), max(one, other)))
        return [*((seats[above], seats[below]) for above, below in pairs), *((seat, BYE) for seat in bye)]


def _with_others(pairs: Sequence[Pair], left: Sequence[int], fits: Callable[[int, int], bool]) -> list[Pair]:
    """The pairs, with the unpaired seats (``left``) added. Two of these that do not fit split a near pair, or meet.

    This takes linear time for each two. With `MANY` entrants or more there is such a pair (Dirac).
    """
    found, rest = [*pairs], [*left]
    while rest:
        one = rest.pop(0)
        other = rest.pop(next((n for n, seat in enumerate(rest) if fits(one, seat)), 0))
        near = sorted(range(len(found)), key=lambda n: abs(found[n][0] - one)) if not fits(one, other) else ()
        ways = ((n, way) for n in near for way in (found[n], found[n][::-1]))
        at, way = next(((n, way) for n, way in ways if fits(one, way[0]) and fits(other, way[1])), (None, None))
        if at is None or way is None:
            found.append(_key(one, other))
        else:
            found[at : at + 1] = [_key(one, way[0]), _key(other, way[1])]
    return sorted(found)


def _whole(
    order: Sequence[int], scores: Mapping[int, float], met: Counter[Pair], apart: Collection[Pair]
) -> list[Pair]:
    """The best of all pairings. A bye is last in the order. Each kind of cost exceeds the sum of all lesser ones."""
    n = len(order)
    points = [round(scores[seat] * 2) if seat != BYE else 0 for seat in order]
    distance = n * n
    bye = distance * n * (max(points, default=0) ** 2 + 1)
    again = bye * n
    unwanted = again * n * (max(met.values(), default=0) + 1)
    second_bye = unwanted * n

    def cost(above: int, below: int) -> int:
        key = _key(order[above], order[below])
        if order[below] == BYE:
            return met[key] * second_bye + (n - 1 - above) * bye
        far = (points[above] - points[below]) ** 2 * distance + (below - above)
        return (key in apart) * unwanted + met[key] * again + far

    edges = [(above, below, cost(above, below)) for above, below in combinations(range(n), 2)]
    return [(order[above], order[below]) for above, below in cheapest_pairs(n, edges)]


# The standings


#: By seat. The opponent is `BYE` after a bye, and if the opponent is disqualified.
Duels = Mapping[int, Duel]


def scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> dict[int, Score]:
    """The score of each seat in the table."""
    cells = [dict(meetings(entrants, done)) if done.counts else {} for done in rounds]
    met = [of for of, done in zip(cells, rounds, strict=True) if done.counts]
    totals = {seat: sum(of[seat].given for of in met if seat in of) for seat in seats}
    values = _values(entrants, rounds, met, seats)
    found: dict[int, tuple[float, ...]] = dict.fromkeys(seats, ())
    for name in plan.tiebreak_order:
        if name == "direct":
            equal = {seat: (totals[seat], *found[seat]) for seat in seats}
            given = direct(equal, met)
        else:
            given = {seat: values[seat][name] for seat in seats}
        found = {seat: (*found[seat], given[seat]) for seat in seats}
    return {
        seat: Score(totals[seat], found[seat], tuple(of[seat].given if seat in of else None for of in cells))
        for seat in seats
    }


def _values(
    entrants: Entrants, rounds: Sequence[Round], met: Sequence[Duels], seats: Sequence[int]
) -> dict[int, Mapping[Tiebreak, float]]:
    """All tie-breaks of each seat but the direct encounter."""
    worths_of = worths(met, entrants)
    raced = [first_results(entrants, done) for done in rounds]

    def values(seat: int) -> Mapping[Tiebreak, float]:
        worth = [value for _, value in worths_of[seat]]
        wins = [of[seat] for of in met if seat in of and of[seat].given == WIN]
        return {
            "buchholz": sum(worth),
            "buchholz_cut1": sum(worth) - min(worth, default=0.0),
            "sonneborn": sum(given * value for given, value in worths_of[seat]),
            "wins": sum(one.played for one in wins),
            "home": sum(results[seat].home for results in raced if seat in results),
            "par": sum(done.over_par(seat) for done, race in zip(rounds, raced, strict=True) if seat in race),
        }

    return {seat: values(seat) for seat in seats}


def worths(met: Sequence[Duels], seats: Iterable[int]) -> dict[int, list[tuple[float, float]]]:
    """For each seat and round, its points, and the worth of the opponent in a tie-break.

    This is how FIDE counted unplayed rounds from 2009 to 2023. A played opponent is worth the own score, but with half
    a point for each unplayed round. In an unplayed round the opponent is virtual: it had the same score
    before the round, got the rest of the point, and has tied each round since.
    """
    nothing = Duel(BYE, 0.0, False)
    own = {seat: [of.get(seat, nothing) for of in met] for seat in seats}
    worth = {seat: sum(one.given if one.played else DRAW for one in given) for seat, given in own.items()}

    def row(given: Sequence[Duel]) -> Iterator[tuple[float, float]]:
        before = 0.0
        for n, one in enumerate(given, start=1):
            virtual = before + (1 - one.given) + DRAW * (len(met) - n)
            yield one.given, worth[one.opponent] if one.played else virtual
            before += one.given

    return {seat: list(row(given)) for seat, given in own.items()}


def direct(equal: Mapping[int, tuple[float, ...]], met: Sequence[Duels]) -> dict[int, float]:
    """The points of each seat against equal seats. 0 if not all of these have played each other."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for seat, so_far in equal.items():
        groups.setdefault(so_far, []).append(seat)
    points = dict.fromkeys(equal, 0.0)
    for group in groups.values():
        # A seat cannot have played more others than there were rounds.
        if 1 < len(group) <= len(met) + 1:
            points |= _among(group, met)
    return points


def _among(group: Sequence[int], met: Sequence[Duels]) -> dict[int, float]:
    games = {seat: [of[seat] for of in met if seat in of and of[seat].played] for seat in group}
    inside = {seat: [one for one in played if one.opponent in group] for seat, played in games.items()}
    if any(len({one.opponent for one in played}) < len(group) - 1 for played in inside.values()):
        return {}
    return {seat: sum(one.given for one in played) for seat, played in inside.items()}


def meetings(entrants: Entrants, done: Round) -> Iterator[tuple[int, Duel]]:
    """The meetings of a round that counts, by seat, without disqualified entrants."""
    yield from ((seat, Duel(BYE, WIN, False)) for seat in done.byes if not is_out(entrants, seat))
    yield from ((seat, Duel(BYE, DRAW, False)) for seat in done.half_byes if not is_out(entrants, seat))
    for pair in done.pairs:
        found = outcome(entrants, done, pair)
        for seat, other in (pair, pair[::-1]):
            if not is_out(entrants, seat):
                given = WIN if seat == found.winner else DRAW if found.equal else LOSS
                yield seat, Duel(BYE if is_out(entrants, other) else other, given, found.played)
