"""Knock-out: the bracket, its byes and its seeds, and entrants who leave."""

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.tournament.draw import draw
from fortythieves.tournament.knockout import course, misdrawn, spots
from fortythieves.tournament.plan import MOST_ROUNDS
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.standings import standings
from tests.examples import examples
from tests.shared.tournament import naive
from tests.shared.tournament.play import (
    Absent,
    Even,
    Event,
    Ranked,
    chance_of,
    corrected,
    entrants_of,
    event_of,
    halfway,
    plan_of,
)

PLAN = plan_of(format="knockout")
SIZES = st.integers(2, 20) | st.integers(2, 200)
SEEDS = st.integers(0, 10**9)


# the shape


@given(st.integers(1, 10))
def test_the_best_meet_as_late_as_they_can(levels: int) -> None:
    order = spots(1 << levels)
    assert sorted(order) == list(range(1, (1 << levels) + 1))
    for level in range(1, levels + 1):
        groups = [order[n : n + (1 << level)] for n in range(0, len(order), 1 << level)]
        best = len(groups)
        assert sorted(min(group) for group in groups) == list(range(1, best + 1))


@examples(32)
@given(SIZES, SEEDS)
def test_whatever_happens_the_draw_follows_from_the_bracket(count: int, seed: int) -> None:
    event = event_of("knockout", count, seed)
    for drawn in event.play():
        assert misdrawn(event.plan, [*event.rounds, drawn]) is None
        so_far = course(event.entrants, [*event.rounds, drawn])
        assert so_far is not None
        assert list(drawn.seats) == sorted(drawn.seats, key=so_far.bracket.seed.__getitem__)
        assert all(so_far.bracket.seed[one] < so_far.bracket.seed[other] for one, other in drawn.pairs)
        assert {*drawn.everybody} <= event.in_now()
    assert misdrawn(event.plan, event.rounds) is None


@pytest.mark.parametrize(
    ("number", "pairs", "byes"),
    [
        (1, ((3, 5),), (1, 2, 4)),
        (2, ((1, 2), (3, 4)), ()),
        (2, ((1, 5), (2, 3)), ()),
        (2, ((4, 1), (2, 3)), ()),
        (2, ((1, 4),), (2, 3)),
        (2, ((4, 5),), (1, 2, 3)),
        (3, ((1, 4), (2, 3)), ()),
        (3, ((1, 2), (3, 5)), ()),
    ],
    ids=str,
)
def test_whoever_meets_another_one_than_the_bracket_says_is_found(
    number: int, pairs: tuple[tuple[int, int], ...], byes: tuple[int, ...]
) -> None:
    cup = Ranked("knockout", 5).to_the_end()
    assert misdrawn(cup.plan, cup.rounds) is None
    seats = tuple(sorted(seat for pair in pairs for seat in pair))
    cup.rounds[number - 1] = replace(cup.rounds[number - 1], seats=seats, pairs=pairs, byes=byes)
    assert misdrawn(cup.plan, cup.rounds) is not None


# the second implementation

KINDS = st.sampled_from(["trouble", "calm", "even", "absent", "corrected"])


def any_cup(kind: str, count: int, seed: int, *, third: bool) -> Event:
    plan = plan_of(format="knockout", third_place=third)
    match kind:
        case "even":
            return Even(plan, count, seed)
        case "absent":
            return Absent(plan, count, seed)
    return Event(plan, count, seed, calm=kind == "calm")


def check_with_the_second(event: Event, rounds: Sequence[Round]) -> None:
    now = Event(event.plan, 0, 0)
    now.entrants, now.rounds = event.entrants, [*rounds]
    slow = naive.knockout(now)
    if slow:
        rows = standings(now.plan, now.entrants, now.rounds)
        fast = {row.seat: (row.place, row.score, row.tiebreaks[0]) for row in rows if row.place is not None}
        assert {seat: row for seat, row in fast.items() if seat in slow} == slow


@examples(24)
@given(KINDS, st.integers(2, 17), SEEDS, st.booleans())
def test_the_draws_and_the_standings_are_those_of_a_slow_computation(
    kind: str, count: int, seed: int, third: bool
) -> None:
    event = any_cup(kind, count, seed, third=third)
    for drawn in event.play():
        if not all(done.skipped for done in event.rounds):
            expected = naive.Cup(event, event.rounds).following()
            assert expected == ({frozenset(pair) for pair in drawn.pairs}, {*drawn.byes})
        check_with_the_second(event, event.rounds)
        check_with_the_second(event, [*event.rounds, drawn])
    if not all(done.skipped for done in event.rounds) and len(event.rounds) < MOST_ROUNDS:
        assert naive.Cup(event, event.rounds).following() is None
    check_with_the_second(event, event.rounds)
    if kind == "corrected":
        check_with_the_second(corrected(event, 1), event.rounds)


@examples(16)
@given(st.integers(2, 17), SEEDS)
def test_so_are_they_when_a_match_is_raced_on_and_when_somebody_is_disqualified_at_the_end(
    count: int, seed: int
) -> None:
    event = halfway(any_cup("even", count, seed, third=True).to_the_end())
    check_with_the_second(event, event.rounds)
    event = any_cup("trouble", count, seed, third=True).to_the_end()
    for seat in event.entrants:
        entrant = event.entrants[seat]
        event.set_state(seat, "disqualified")
        check_with_the_second(event, event.rounds)
        event.entrants[seat] = entrant


# seeds


def test_the_list_of_the_host_is_the_seeding_and_lots_decide_about_the_others() -> None:
    plan = plan_of(format="knockout", entry="list", listed=("Zoe", "ann", "Bob"))
    entrants = {1: Entrant("Guest"), 2: Entrant("Bob"), 3: Entrant("ANN"), 4: Entrant("Zoe"), 5: Entrant("Other")}
    orders = set()
    for n in range(20):
        drawing = draw(plan, entrants, [], chance_of(n))
        assert drawing is not None
        assert drawing.byes == (4, 3, 2)
        orders.add(drawing.seats)
    assert orders == {(1, 5), (5, 1)}


def test_without_a_list_the_seeds_are_drawn_by_lot() -> None:
    drawings = [draw(PLAN, entrants_of(5), [], chance_of(n)) for n in range(30)]
    assert len({drawing.byes for drawing in drawings if drawing}) > 15


# no-shows


@pytest.mark.parametrize(
    ("count", "absent", "expected"),
    [
        # 2 beat 3, and has nobody to meet in the final
        (4, {1: (1, 4)}, [(1, 2, 2, 1), (2, 3, 0, 0), (3, 1, 0, -1), (3, 4, 0, -1)]),
        # a final in which neither started is lost by both, and the first place is empty
        (4, {2: (1, 2)}, [(2, 1, 1, -1), (2, 2, 1, -1), (4, 3, 0.5, 1), (5, 4, 0, 0)]),
        # 1 had only byes and never started
        (5, {2: (1,), 3: (1,)}, [(1, 2, 3, 2), (2, 4, 2, 0), (3, 3, 1.5, 1), (4, 5, 0, 0), (5, 1, 0, -1)]),
    ],
)
def test_no_shows_are_behind_all_racers(
    count: int, absent: Mapping[int, Collection[int]], expected: Sequence[tuple[int, int, float, float]]
) -> None:
    cup = Ranked("knockout", count).to_the_end(absent)
    assert misdrawn(cup.plan, cup.rounds) is None
    assert [(row.place, row.seat, row.score, row.tiebreaks[0]) for row in cup.rows()] == expected
