"""Round robin: in each group all entrants meet, and then the best of each group may race in a knock-out.

The first round holds the groups: its pairs and byes are the first rounds of all groups, group by group. After
that the groups follow the draws. A round in which others meet than in the groups is the first of the knock-out.

An entrant who has left is no longer drawn. The opponent has a bye instead.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import NamedTuple

from fortythieves.tournament import knockout
from fortythieves.tournament.berger import count_of, round_of, rounds_in, snake, table
from fortythieves.tournament.matching import cheapest_pairs
from fortythieves.tournament.plan import Plan, Tiebreak
from fortythieves.tournament.results import Entrants, is_in, is_out
from fortythieves.tournament.rounds import Drawing, Duel, Number, Pair, Round, Score, by_lot

Group = tuple[int, ...]


class Course(NamedTuple):
    """The rounds so far."""

    #: Each group, by number in it.
    groups: tuple[Group, ...]
    #: The rounds of the groups that were drawn, by their number in the Berger tables.
    held: Mapping[int, Round]
    #: The rounds of the knock-out.
    cup: list[Round]

    @property
    def rounds(self) -> range:
        """The numbers of all rounds of the groups."""
        return range(1, max(map(rounds_in, map(len, self.groups)), default=0) + 1)

    def open(self, entrants: Entrants) -> list[int]:
        """The rounds of the groups that are still to be drawn: in each, some pair is complete."""
        if self.cup:
            return []
        return [
            number
            for number in self.rounds
            if number not in self.held
            and any(
                other is not None and is_in(entrants, one) and is_in(entrants, other)
                for group in self.groups
                for one, other in meetings(group, number)
            )
        ]

    def is_over(self, entrants: Entrants) -> bool:
        """Whether all rounds of the groups are over."""
        return not self.open(entrants) and all(done.counts for done in self.held.values())


def meetings(group: Group, number: int) -> list[tuple[int, int | None]]:
    """The pairs of a round of a group, by seat. None: a bye."""
    return [(group[one - 1], None if other is None else group[other - 1]) for one, other in table(len(group), number)]


def course(plan: Plan, rounds: Sequence[Round]) -> Course:
    """The rounds so far, from the first draw on. Skipped rounds are ignored."""
    drawn = [done for done in rounds if not done.skipped]
    groups = groups_of(plan, drawn[0])
    group_of_seat = {seat: group for group in groups for seat in group}
    number_in_group = {seat: n for group in groups for n, seat in enumerate(group, start=1)}
    held: dict[int, Round] = {}
    cup: list[Round] = []

    def number_of(pair: Pair) -> int | None:
        """In which round of their group these two meet."""
        one, other = pair
        group = group_of_seat.get(one)
        if group is None or group is not group_of_seat.get(other):
            return None
        return round_of(len(group), number_in_group[one], number_in_group[other])

    for done in drawn:
        numbers = {*map(number_of, done.pairs)}
        number = numbers.pop() if len(numbers) == 1 else None
        if number is None or number in held or cup:
            cup.append(done)
        else:
            held[number] = done
    return Course(groups, held, cup)


def groups_of(plan: Plan, first: Round) -> tuple[Group, ...]:
    """The groups, from the first round."""
    count = len(first.byes) + 2 * len(first.pairs)
    sizes = map(len, snake(range(count), count_of(count, plan.groups, plan.advancing)))
    pairs, byes = iter(first.pairs), iter(first.byes)
    return tuple(_group(size, pairs, byes) for size in sizes)


def _group(size: int, pairs: Iterator[Pair], byes: Iterator[int]) -> Group:
    """The next group. In a wrong file there may be too few pairs or byes; then it is smaller."""
    seats: dict[int, int] = {}
    for one, other in table(size, 1):
        if other is None:
            seats.update((one, seat) for seat in [next(byes, None)] if seat is not None)
        elif pair := next(pairs, None):
            seats.update(zip((one, other), pair, strict=True))
    return tuple(seats[number] for number in sorted(seats))


def misdrawn(plan: Plan, rounds: Sequence[Round]) -> int | None:
    """The first round with pairs that do not follow from the groups, or from the bracket; or None."""
    so_far = course(plan, rounds)
    for number, done in so_far.held.items():
        if not _follows(so_far.groups, number, done):
            return done.number
    if not so_far.cup:
        return None
    first, qualified = so_far.cup[0], {*so_far.cup[0].everybody}
    too_many = any(len(qualified & {*group}) > plan.advancing for group in so_far.groups)
    if too_many or not qualified <= {*chain(*so_far.groups)}:
        return first.number
    stranger = next((done.number for done in so_far.cup if not {*done.everybody} <= qualified), None)
    return knockout.misdrawn(plan, so_far.cup) if stranger is None else stranger


def _follows(groups: Sequence[Group], number: int, done: Round) -> bool:
    expected = [meeting for group in groups for meeting in meetings(group, number)]
    pairs = {frozenset(meeting) for meeting in expected}
    met = {frozenset(pair) for pair in done.pairs}
    idle = [{one, other} & {*done.byes} for one, other in expected if frozenset((one, other)) not in met]
    everybody = {seat for group in groups for seat in group}
    if number == 1 and {*done.everybody} != everybody:
        return False
    return met <= pairs and all(len(one) < 2 for one in idle) and sum(map(len, idle)) == len(done.byes)


# The draw


def draw(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int], chance: str) -> Drawing | None:
    """The next round of all groups, or of the knock-out. None: nothing is left. ``seats``: all entrants still here."""
    if all(done.skipped for done in rounds):
        seeded = knockout.seeds(plan, entrants, seats, chance)
        groups = snake(seeded, count_of(len(seeded), plan.groups, plan.advancing))
        return _drawn(entrants, [tuple(group) for group in groups], 1)
    so_far = course(plan, rounds)
    if following := so_far.open(entrants):
        return _drawn(entrants, so_far.groups, following[0])
    if not plan.advancing:
        return None
    return knockout.draw(
        plan, entrants, so_far.cup, lambda: crossed(_qualified(plan, entrants, so_far, by_lot(chance, seats)))
    )


def _drawn(entrants: Entrants, groups: Sequence[Group], number: int) -> Drawing:
    pairs: list[Pair] = []
    byes: list[int] = []
    for one, other in chain.from_iterable(meetings(group, number) for group in groups):
        here = [seat for seat in (one, other) if seat is not None and is_in(entrants, seat)]
        if len(here) == 2:
            pairs.append((here[0], here[1]))
        byes += here if len(here) == 1 else []
    return Drawing(tuple(chain.from_iterable(pairs)), tuple(pairs), tuple(byes))


def follows(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> bool:
    """Whether there is a next round, in less time than a draw takes."""
    if all(done.skipped for done in rounds):
        return True
    so_far = course(plan, rounds)
    if so_far.open(entrants):
        return True
    if so_far.cup or not plan.advancing:
        return bool(so_far.cup) and draw(plan, entrants, rounds, seats, "") is not None
    return sum(map(len, _qualified(plan, entrants, so_far, seats))) > 1


_Tiers = list[list[tuple[int, int]]]


def _qualified(plan: Plan, entrants: Entrants, so_far: Course, lots: Sequence[int]) -> _Tiers:
    """The winners of the groups, the second ones, and so on, each with the number of the group. ``lots``: all seats,
    in the order that decides between entrants that are equal in everything.
    """
    tiers: _Tiers = [[] for _ in range(plan.advancing)]
    held = _held(so_far)
    rank = {seat: n for n, seat in enumerate(lots)}
    for n, group in enumerate(so_far.groups):
        results = _Results(plan, entrants, so_far, held, group, is_over=True)
        rows = results.rows([seat for seat in group if not is_out(entrants, seat)])
        here = sorted((seat for seat in rows if is_in(entrants, seat) and results.started[seat]), key=rank.__getitem__)
        best = sorted(here, key=lambda seat: rows[seat], reverse=True)
        for tier, seat in zip(tiers, best, strict=False):
            tier.append((n, seat))
    return tiers


def crossed(tiers: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """The seats of the tiers in the order of the seeds. A later tier has worse seeds. Within a tier, two of the same
    group are as far from each other in the bracket as can be; and else it is in the order of the groups.
    """
    bracket = knockout.Bracket(range(sum(map(len, tiers))))
    placed: list[int] = []
    slots: dict[int, list[int]] = {}
    for tier in tiers:
        count = len(tier)
        # A meeting at one level is worse than any number of them at the next one, and that is worse than any order.
        worse, order = len(tiers) * count + 1, count**3 + 1
        edges = [
            (at, count + n, _closeness(bracket, len(placed) + n, slots.get(group, ()), worse) * order + (at - n) ** 2)
            for at, (group, _) in enumerate(tier)
            for n in range(count)
        ]
        for at, _ in sorted(cheapest_pairs(2 * count, edges), key=lambda pair: pair[1]):
            group, seat = tier[at]
            slots.setdefault(group, []).append(len(placed))
            placed.append(seat)
    return placed


def _closeness(bracket: knockout.Bracket, slot: int, others: Sequence[int], worse: int) -> int:
    """How near a slot is to others of the same group."""
    return sum(worse ** (bracket.levels - bracket.level(slot, other)) for other in others)


# The standings


def _held(so_far: Course) -> dict[int, Round]:
    """The rounds of the groups that count, by number."""
    return {number: done for number, done in so_far.held.items() if done.counts}


class _Results:
    """The results of the rounds of a group."""

    def __init__(
        self, plan: Plan, entrants: Entrants, so_far: Course, held: Mapping[int, Round], group: Group, *, is_over: bool
    ) -> None:
        """``is_over``: whether all rounds of the groups are. Then rounds without a complete pair count, too."""
        self._plan = plan
        self._entrants = entrants
        self._group = group
        self._course = so_far
        self._number_of = {done.number: number for number, done in held.items()}
        #: How many races of the group each has started, or had corrected.
        self.started = {seat: sum([seat in done.raced for done in held.values()]) for seat in group}
        self.annulled = {seat for seat in group if self._is_annulled(seat)}
        #: By number of the round, for each seat.
        self.duels: dict[int, dict[int, Duel]] = {seat: {} for seat in group}
        for number in range(1, rounds_in(len(group)) + 1):
            if number in held or (is_over and number not in so_far.held):
                self._add(number, held.get(number))

    def _is_annulled(self, seat: int) -> bool:
        """Whether no result of the entrant counts: disqualified, or left before half of the duels were raced."""
        if is_out(self._entrants, seat):
            return True
        if is_in(self._entrants, seat):
            return False
        last = self._course.held.get(rounds_in(len(self._group)))
        to_the_end = (last, self._course.cup[0] if self._course.cup else None)
        if any(done is not None and seat in done.everybody for done in to_the_end):
            return False
        return 2 * self.started[seat] < len(self._group) - 1

    def _add(self, number: int, done: Round | None) -> None:
        raced = done.duels if done is not None else {}
        missing = set()
        for seat in self._group:
            duel = raced.get(seat)
            if duel is None:
                missing.add(seat)
            elif not self.annulled or self.annulled.isdisjoint((seat, duel.opponent)):
                self.duels[seat][number] = duel
        # In an odd group, one entrant has a bye.
        if len(missing) > len(self._group) % 2:
            self._add_missed(number, done, missing)

    def _add_missed(self, number: int, done: Round | None, missing: Set[int]) -> None:
        """The duels in which one side, or both, had left. An entrant that never started a race gets nothing."""
        for one, other in meetings(self._group, number):
            if other is None or one not in missing or not self.annulled.isdisjoint((one, other)):
                continue
            pair = one, other
            here = [seat for seat in pair if (seat in done.byes if done is not None else is_in(self._entrants, seat))]
            for seat, opponent in (pair, pair[::-1]):
                given = 1.0 if here == [seat] and self.started[seat] else 0.0
                self.duels[seat][number] = Duel(opponent, given, False)

    def cells(self, seat: int, rounds: Sequence[Round]) -> tuple[float | None, ...]:
        """The points of each round of the group."""
        duels, number_of = self.duels[seat], self._number_of
        found = [duels.get(number_of.get(done.number, 0)) for done in rounds]
        return tuple([None if duel is None else duel.given for duel in found])

    def rows(self, seats: Sequence[int]) -> dict[int, tuple[float, ...]]:
        """The score and the tie-breaks of these members of the group, without annulled members."""
        counting = [seat for seat in seats if seat not in self.annulled]
        totals = {seat: sum([duel.given for duel in self.duels[seat].values()]) for seat in self._group}
        found: dict[int, tuple[float, ...]] = {seat: (totals[seat],) for seat in counting}
        for name in self._plan.tiebreak_order:
            equal: dict[tuple[float, ...], list[int]] = {}
            for seat, so_far in found.items():
                equal.setdefault(so_far, []).append(seat)
            found = {seat: (*so_far, self._value(name, seat, equal[so_far], totals)) for seat, so_far in found.items()}
        return found

    def _value(self, name: Tiebreak, seat: int, equal: Sequence[int], totals: Mapping[int, float]) -> float:
        duels = self.duels[seat]
        match name:
            case "direct":
                return sum(duel.given for duel in duels.values() if duel.opponent in equal) if self._met(equal) else 0.0
            case "sonneborn":
                return sum([duel.given * totals[duel.opponent] for duel in duels.values()])
            case "wins":
                return sum([duel.given == 1 and duel.played for duel in duels.values()])
        return sum([duel.home for duel in duels.values()])

    def _met(self, equal: Sequence[int]) -> bool:
        """Whether each of them has met each other one."""
        return all({*equal} - {seat} <= {duel.opponent for duel in self.duels[seat].values()} for seat in equal)


def scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> dict[int, Score]:
    """The score of each seat: the points in its group. The place is decided by the knock-out, then in the group.

    An entrant without a result that counts has no score. Entrants after the first draw are behind all others.
    """
    so_far = course(plan, rounds)
    cup = knockout.scores(plan, entrants, so_far.cup, seats) if so_far.cup else {}
    qualified = {*so_far.cup[0].everybody} if so_far.cup else set()
    none = Score.nothing(len(plan.tiebreak_order), len(rounds))
    grouped = {*chain(*so_far.groups)}
    found = {seat: none._replace(order=(-1.0,)) for seat in seats if seat not in grouped}
    is_over, held, listed = so_far.is_over(entrants), _held(so_far), {*seats}
    for group in so_far.groups:
        results = _Results(plan, entrants, so_far, held, group, is_over=is_over)
        rows = results.rows([seat for seat in group if seat in listed])
        for seat, row in rows.items():
            place = 1 + sum([other > row for other in rows.values()])
            in_cup = (1.0, cup[seat].total, *cup[seat].tiebreaks) if seat in qualified else (0.0, -float(place))
            of_cup = dict(zip([done.number for done in so_far.cup], cup[seat].rounds, strict=True)) if cup else {}
            cells: tuple[Number | None, ...] = results.cells(seat, rounds)
            if of_cup:
                cells = tuple(of_cup.get(done.number, cell) for done, cell in zip(rounds, cells, strict=True))
            found[seat] = Score(row[0], row[1:], cells, order=in_cup)
    return found


def is_vacant(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> bool:
    """Whether the knock-out has no winner and cannot have one any more."""
    cup = course(plan, rounds).cup if plan.advancing else []
    return bool(cup) and knockout.is_vacant(plan, entrants, cup)


def group_of(plan: Plan, rounds: Sequence[Round]) -> dict[int, str]:
    """The group of each seat, as a letter or two: A to Z, AA, AB ..."""
    groups = () if all(done.skipped for done in rounds) else course(plan, rounds).groups
    return {seat: letter(n) for n, group in enumerate(groups) for seat in group}


def letter(n: int) -> str:
    """The name of a group, counted from 0."""
    return chr(ord("A") + n) if n < 26 else f"A{chr(ord('A') + n - 26)}"
