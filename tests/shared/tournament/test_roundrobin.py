"""Round robin: groups, their rounds and places, and the knock-out of the best."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.tournament.draw import draw, follows, plays_on
from fortythieves.tournament.plan import MOST_ROUNDS, TIEBREAKS, Plan
from fortythieves.tournament.roundrobin import course, crossed, group_of, letter, misdrawn
from fortythieves.tournament.rounds import Correction, Entrant, Round, State
from fortythieves.tournament.standings import Row, comparison, standings
from tests.examples import examples
from tests.shared.tournament import naive
from tests.shared.tournament.play import ABSENT, Event, chance_of, corrected, entrants_of, event_of, plan_of, race_of

SEEDS = st.integers(0, 10**9)
SIZES = st.integers(2, 24)
PLANS = st.sampled_from([(1, None), (1, 2), (1, 4), (2, None), (2, 1), (3, 2), (4, 2), (4, 3), (8, 1)])
Plans = tuple[int, int | None]


def event(plan: Plans, count: int, seed: int, *, calm: bool = False) -> Event:
    order = tuple(chance_of(seed, name) for name in TIEBREAKS["roundrobin"])
    ties = tuple(name for _, name in sorted(zip(order, TIEBREAKS["roundrobin"], strict=True)))
    return event_of("roundrobin", count, seed, calm=calm, groups=plan[0], advance=plan[1], tiebreaks=ties)


class Groups:
    """A round robin in which the lower number always wins."""

    def __init__(self, count: int, groups: int = 1, advance: int | None = None) -> None:
        names = tuple(f"N{seat}" for seat in range(1, count + 1))
        self.plan = plan_of(format="roundrobin", groups=groups, advance=advance, entry="list", listed=names)
        self.entrants = entrants_of(count)
        self.rounds: list[Round] = []

    def next(self, *absent: int) -> Round | None:
        drawing = draw(self.plan, self.entrants, self.rounds, chance_of(len(self.rounds)))
        if drawing is None:
            return None
        race = {**race_of({seat: 100 - seat for seat in drawing.seats}), **dict.fromkeys(absent, ABSENT)}
        race = {seat: played for seat, played in race.items() if self.entrants[seat].state == "in"}
        self.rounds.append(Round(len(self.rounds) + 1, drawing.seats, drawing.pairs, drawing.byes, (race,)))
        return self.rounds[-1]

    def to_the_end(self) -> "Groups":
        while self.next():
            pass
        return self

    def set(self, seat: int, state: State) -> None:
        self.entrants[seat] = replace(self.entrants[seat], state=state)

    def table(self) -> list[tuple[int | None, int, float]]:
        return [(row.place, row.seat, row.score) for row in self.rows()]

    def rows(self) -> tuple[Row, ...]:
        return standings(self.plan, self.entrants, self.rounds)


# the second implementation


def check_with_the_second(event: Event) -> None:
    slow, places = naive.roundrobin(event), naive.last_places(event)
    rows = standings(event.plan, event.entrants, event.rounds)
    if not course(event.plan, event.rounds):
        return
    assert {row.seat: row.place for row in rows if row.place is not None} == places
    for row in rows:
        if row.seat in slow:
            assert (row.score, *row.tiebreaks) == slow[row.seat][1:]


@examples(60)
@given(PLANS, st.integers(2, 14), SEEDS)
def test_the_standings_are_those_of_a_slow_computation(plan: Plans, count: int, seed: int) -> None:
    made = event(plan, count, seed)
    middle = seed % 7
    for drawn in made.play():
        if len(made.rounds) == middle:
            check_with_the_second(made)
            half = Event(made.plan, 0, seed)
            half.entrants, half.rounds = made.entrants, [*made.rounds, drawn]
            check_with_the_second(half)
    check_with_the_second(made)


@examples(30)
@given(PLANS, st.integers(2, 14), SEEDS)
def test_so_are_corrected_standings(plan: Plans, count: int, seed: int) -> None:
    made = event(plan, count, seed).to_the_end()
    check_with_the_second(corrected(made, len(made.rounds)))


# the draws


@examples(50)
@given(PLANS, SIZES, SEEDS)
def test_whatever_happens_every_draw_follows_from_the_groups(plan: Plans, count: int, seed: int) -> None:
    made = event(plan, count, seed)
    for drawn in made.play():
        assert follows(made.plan, made.entrants, made.rounds)
        rounds = [*made.rounds, drawn]
        assert misdrawn(made.plan, rounds) is None
        assert len(rounds) <= MOST_ROUNDS
        assert {*drawn.everybody} <= made.in_now()
        assert sorted(seat for pair in drawn.pairs for seat in pair) == sorted(drawn.seats)
        assert not {*drawn.seats} & {*drawn.byes}
        so_far = course(made.plan, rounds)
        assert so_far is not None
        if so_far.cup[:1] == [drawn]:
            for group in so_far.groups:
                assert len({*group} & {*drawn.everybody}) <= made.plan.advancing
    assert not follows(made.plan, made.entrants, made.rounds)
    so_far = course(made.plan, made.rounds)
    if so_far is not None and len(made.rounds) < MOST_ROUNDS:
        assert not so_far.open(made.entrants), "whoever was always there has met everybody else who was"


@examples(30)
@given(PLANS, SIZES, SEEDS)
def test_a_calm_event_has_as_many_rounds_as_were_planned(plan: Plans, count: int, seed: int) -> None:
    made = event(plan, count, seed, calm=True).to_the_end()
    assert len(made.rounds) == made.plan.rounds_of(count)
    so_far = course(made.plan, made.rounds)
    assert so_far is not None
    met = [frozenset(pair) for done in so_far.held.values() for pair in done.pairs]
    assert sorted(map(sorted, met)) == sorted(
        sorted(pair) for group in so_far.groups for pair in combinations(group, 2)
    )
    rows = standings(made.plan, made.entrants, made.rounds)
    assert sum(row.score for row in rows) == len(met)
    qualified = {*so_far.cup[0].everybody} if so_far.cup else set()
    assert {row.seat for row in rows[: len(qualified)]} == qualified
    for group in so_far.groups:
        own = [row for row in rows if row.seat in group]
        keys = {row.seat: (row.score, *row.tiebreaks) for row in own}
        goes_on = [keys[seat] for seat in group if seat in qualified]
        stays = [keys[seat] for seat in group if seat not in qualified]
        assert not goes_on or not stays or min(goes_on) >= max(stays)
        assert len(goes_on) == min(made.plan.advancing, len(group))


@pytest.mark.parametrize("groups", range(2, 33))
def test_no_two_of_one_group_meet_in_the_first_round_and_the_best_two_only_in_the_final(groups: int) -> None:
    for advancing in (1, 2, 3, 4, 8):
        order = crossed([[(group, 100 * group + place) for group in range(groups)] for place in range(advancing)])
        size = 1 << (len(order) - 1).bit_length()
        pairs = [(order[n], order[size - 1 - n]) for n in range(size // 2) if size - 1 - n < len(order)]
        assert all(one // 100 != other // 100 for one, other in pairs)
        assert [seat % 100 for seat in order] == sorted(seat % 100 for seat in order), "the winners have the best seeds"
    if groups in {2, 4, 8, 16, 32}:
        order = crossed([[(group, 100 * group + place) for group in range(groups)] for place in range(2)])
        pairs = [(order[n], order[-1 - n]) for n in range(groups)]
        assert all((one % 100, other % 100) == (0, 1) for one, other in pairs), "each winner meets a second one"


@pytest.mark.parametrize(
    ("number", "pairs", "byes"),
    [
        (1, ((4, 5), (2, 6)), (1, 3)),
        (1, ((4, 5), (3, 6)), (1,)),
        (2, ((1, 4), (2, 6)), (5, 3)),
        (2, ((1, 4), (2, 3)), (5, 6, 2)),
        (3, ((1, 4), (2, 6)), (3, 5)),
        (4, ((1, 3), (2, 5)), ()),
        (4, ((1, 2), (4, 5)), ()),
        (5, ((1, 3), (2, 4)), ()),
        (5, ((1, 2), (5, 6)), ()),
    ],
    ids=str,
)
def test_whoever_meets_another_one_than_the_groups_say_is_found(
    number: int, pairs: tuple[tuple[int, int], ...], byes: tuple[int, ...]
) -> None:
    made = Groups(6, 2).to_the_end()
    assert [done.pairs for done in made.rounds][1:] == [
        ((1, 4), (2, 3)),
        ((1, 5), (2, 6)),
        ((1, 3), (2, 4)),
        ((1, 2), (4, 3)),
    ]
    assert misdrawn(made.plan, made.rounds) is None
    seats = tuple(seat for pair in pairs for seat in pair)
    made.rounds[number - 1] = replace(made.rounds[number - 1], seats=seats, pairs=pairs, byes=byes)
    assert misdrawn(made.plan, made.rounds) is not None


def test_the_list_of_the_host_is_dealt_by_snake_and_lots_decide_without_one() -> None:
    made = Groups(7, 3, 1)
    made.next()
    assert course(made.plan, made.rounds) is not None
    assert group_of(made.plan, made.rounds) == {1: "A", 2: "B", 3: "C", 4: "C", 5: "B", 6: "A", 7: "A"}
    assert (letter(25), letter(26), letter(31)) == ("Z", "AA", "AF")
    drawings = [draw(plan_of(format="roundrobin"), entrants_of(6), [], chance_of(n)) for n in range(20)]
    assert len({drawing.pairs for drawing in drawings if drawing}) > 10


# results that count


def test_who_withdraws_before_half_of_the_duels_leaves_no_result_in_the_standings() -> None:
    made = Groups(5)
    made.next(), made.next()
    made.set(1, "withdrawn")
    assert [done.pairs for done in made.rounds] == [((2, 5), (3, 4)), ((3, 5), (1, 2))]
    assert made.table() == [(1, 3, 2), (2, 2, 1), (3, 5, 0), (4, 4, 0), (None, 1, 0)]
    assert next(row for row in made.rows() if row.seat == 2).rounds == (1, None)
    made.to_the_end()
    assert made.table() == [(1, 2, 3), (2, 3, 2), (3, 4, 1), (4, 5, 0), (None, 1, 0)]
    made.set(1, "in")
    assert [seat for _, seat, _ in made.table()][:3] == [2, 3, 4], "who comes back has lost what was missed"
    assert next(row.score for row in made.rows() if row.seat == 1) == 1


def test_who_withdraws_later_loses_the_other_duels() -> None:
    made = Groups(5)
    for _ in range(3):
        made.next()
    assert [done.pairs for done in made.rounds[1:]] == [((3, 5), (1, 2)), ((1, 3), (4, 5))]
    made.set(1, "withdrawn")
    made.to_the_end()
    assert [(done.pairs, done.byes) for done in made.rounds[3:]] == [(((2, 3),), (5, 4)), (((2, 4),), (3, 5))]
    assert made.table() == [(1, 2, 3), (2, 1, 2), (3, 3, 2), (4, 4, 2), (5, 5, 1)]
    assert {row.seat: row.rounds[3:] for row in made.rows()} == {
        1: (0, 0),
        2: (1, 1),
        3: (0, None),
        4: (1, 0),
        5: (None, 1),
    }


def test_whoever_is_drawn_for_the_last_round_of_the_group_has_not_withdrawn_from_it() -> None:
    made = Groups(3)
    made.next(), made.next(3, 1), made.next(2)
    assert all(row.place is not None for row in made.rows())
    for seat in (1, 2, 3):
        made.set(seat, "withdrawn")
    assert all(row.place is not None for row in made.rows())


def test_disqualified_entrants_have_no_results_and_no_opponents() -> None:
    made = Groups(4).to_the_end()
    assert made.table() == [(1, 1, 3), (2, 2, 2), (3, 3, 1), (4, 4, 0)]
    made.set(1, "disqualified")
    assert made.table() == [(1, 2, 2), (2, 3, 1), (3, 4, 0), (None, 1, 0)]


def test_two_who_do_not_start_get_nothing_and_neither_does_who_never_started() -> None:
    made = Groups(4)
    made.next(1, 4), made.next(4), made.next(4)
    assert next(row for row in made.rows() if row.seat == 1).rounds[0] == 0
    assert made.table()[-1] == (4, 4, 0)
    idle = Groups(4)
    idle.next(4)
    for seat in (2, 3):
        idle.next(4)
        idle.set(seat, "withdrawn")
    idle.to_the_end()
    assert next(row.score for row in idle.rows() if row.seat == 4) == 0


def test_a_round_that_nobody_could_race_counts_when_all_others_are_over() -> None:
    made = Groups(4)
    made.next()
    assert made.rounds[0].pairs == ((1, 4), (2, 3))
    made.next()
    made.set(3, "withdrawn")
    made.set(4, "withdrawn")
    assert made.rounds[1].pairs == ((3, 4), (1, 2))
    assert made.next() is None, "in the third round, 2-4 and 1-3 would meet"
    assert made.table() == [(1, 1, 3), (2, 2, 2), (3, 3, 1), (4, 4, 0)]


def test_a_tie_is_a_tie_in_a_group_and_raced_again_in_the_knock_out() -> None:
    made = Groups(4, 1, 2)
    tied = Round(1, (1, 4, 2, 3), ((1, 4), (2, 3)), (), (race_of({1: 5, 4: 5, 2: 6, 3: 1}),))
    assert plays_on(made.plan, made.entrants, [tied]) == ()
    for _ in range(3):
        made.next()
    assert comparison(made.plan, made.rounds) == "pairs"
    final = Round(4, (1, 2), ((1, 2),), (), (race_of({1: 5, 2: 5}),))
    assert comparison(made.plan, [*made.rounds, final]) == "bracket"
    assert plays_on(made.plan, made.entrants, [*made.rounds, final]) == (1, 2)
    assert follows(made.plan, made.entrants, made.rounds)


def test_who_has_qualified_and_leaves_makes_room_for_the_next_one() -> None:
    made = Groups(8, 2)
    for _ in range(3):
        made.next()
    made.set(1, "withdrawn")
    drawn = made.next()
    assert drawn is not None
    groups = group_of(made.plan, made.rounds)
    assert [{groups[seat] for seat in pair} for pair in drawn.pairs] == [{"A", "B"}, {"A", "B"}]
    assert sorted(drawn.seats) == [2, 3, 4, 5]
    made.set(1, "in")
    made.to_the_end()
    assert [seat for _, seat, _ in made.table()[:4]] == [2, 3, 4, 5]
    assert made.table()[4] == (5, 1, 3), "first in the group, but not in the knock-out"


def test_in_a_final_that_nobody_starts_nobody_wins() -> None:
    made = Groups(4, 2, 1)
    made.next()
    made.next(*made.entrants)
    assert [place for place, *_ in made.table()] == [2, 2, 4, 4]


def test_an_entrant_who_was_not_in_the_first_draw_is_behind_all_others() -> None:
    made = Groups(4).to_the_end()
    made.entrants[9] = Entrant("Late")
    assert made.table()[-1] == (5, 9, 0)


def test_a_correction_counts_as_a_duel() -> None:
    made = Groups(3)
    made.next(3, 2)
    assert made.rounds[0].pairs == ((2, 3),)
    assert [row.place for row in made.rows()] == [1, 1, 1]
    made.rounds[0] = replace(made.rounds[0], corrections=(Correction(2, 0), Correction(3, 1)))
    assert made.table()[0] == (1, 3, 1)


# bounds


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"groups": 4, "advance": 0}, "groups-advance"),
        ({"groups": 1, "advance": 1}, "groups-one"),
        ({"groups": 0}, "out-of-range"),
        ({"groups": 33}, "out-of-range"),
        ({"advance": 9}, "out-of-range"),
        ({"groups": 2, "listed": [f"N{n}" for n in range(61)], "entry": "list"}, "groups-full"),
        ({"tiebreaks": ["buchholz"]}, "tiebreak-of-format"),
    ],
    ids=str,
)
def test_plans_that_cannot_be_are_refused_with_what_is_wrong(changes: dict[str, object], detail: str) -> None:
    with pytest.raises(Refused) as refused:
        Plan().changed({"format": "roundrobin", **changes})
    assert refused.value.details["detail"] == detail


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 7, 8, 16, 31, 32])
def test_a_full_tournament_has_no_more_rounds_than_there_may_be(groups: int) -> None:
    for advance in range(0 if groups == 1 else 1, 9):
        plan = plan_of(format="roundrobin", groups=groups, advance=advance)
        most = plan.most_entrants
        assert most is not None
        assert max(plan.rounds_of(count) for count in [*range(2, most, 29), most]) <= MOST_ROUNDS
        assert plan.rounds_of(most + groups) > MOST_ROUNDS


def test_in_other_formats_the_groups_say_nothing() -> None:
    plan = Plan().changed({"groups": 4, "advance": 0})
    assert plan.most_entrants is None
    assert not plan.has_schedule
