"""Knock-out: the bracket, its byes and its seeds, and entrants who leave."""

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.tournament.draw import draw, plays_on
from fortythieves.tournament.knockout import course, misdrawn, spots
from fortythieves.tournament.plan import MOST_ROUNDS, Plan
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.standings import standings
from tests.examples import examples
from tests.shared.tournament import naive
from tests.shared.tournament.naive import raced
from tests.shared.tournament.play import (
    ABSENT,
    Absent,
    Even,
    Event,
    chance_of,
    corrected,
    entrants_of,
    event_of,
    halfway,
    plan_of,
    race_of,
)

PLAN = plan_of(format="knockout")
SIZES = st.integers(2, 20) | st.integers(2, 200)
SEEDS = st.integers(0, 10**9)


class Cup:
    """A knock-out in which the lower seat number wins: 1 wins against all."""

    def __init__(self, count: int) -> None:
        names = tuple(f"N{seat}" for seat in range(1, count + 1))
        self.plan = plan_of(format="knockout", entry="list", listed=names)
        self.entrants = entrants_of(count)
        self.rounds: list[Round] = []

    def next(self) -> Round:
        drawing = draw(self.plan, self.entrants, self.rounds, chance_of(len(self.rounds)))
        assert drawing is not None
        race = race_of({seat: 100 - seat for seat in drawing.seats})
        self.rounds.append(Round(len(self.rounds) + 1, drawing.seats, drawing.pairs, drawing.byes, (race,)))
        return self.rounds[-1]

    @property
    def over(self) -> bool:
        return draw(self.plan, self.entrants, self.rounds, chance_of(0)) is None


# the shape


@given(st.integers(1, 10))
def test_the_best_meet_as_late_as_they_can(levels: int) -> None:
    order = spots(1 << levels)
    assert sorted(order) == list(range(1, (1 << levels) + 1))
    for level in range(1, levels + 1):
        groups = [order[n : n + (1 << level)] for n in range(0, len(order), 1 << level)]
        best = len(groups)
        assert sorted(min(group) for group in groups) == list(range(1, best + 1))


@examples(50)
@given(SIZES, SEEDS)
def test_a_calm_knock_out_is_a_full_bracket(count: int, seed: int) -> None:
    event = event_of("knockout", count, seed, calm=True).to_the_end()
    levels = (count - 1).bit_length()
    first = event.rounds[0]
    seeded = [*first.byes, *first.seats]
    assert len(event.rounds) == levels == PLAN.rounds_of(count)
    assert len(first.byes) == 2**levels - count
    assert {frozenset(pair) for pair in first.pairs} == {
        frozenset((seeded[a - 1], seeded[2**levels - a])) for a in range(len(first.byes) + 1, 2 ** (levels - 1) + 1)
    }
    assert all(not done.byes for done in event.rounds[1:])
    assert len(event.rounds[-1].pairs) == (2 if count > 3 else 1)
    rows = standings(PLAN, event.entrants, event.rounds)
    out = [row.score for row in rows]
    assert out[:2] == [levels, levels - 1]
    expected = [levels - 1.5, levels - 2] if count > 3 else []
    assert out[2 : 2 + len(expected)] == expected
    last_round = {seat: done.number for done in event.rounds for seat in (*done.seats, *done.byes)}
    for row in rows[4:]:
        assert row.score == last_round[row.seat] - 1


@examples(80)
@given(SIZES, SEEDS)
def test_whatever_happens_nobody_who_has_lost_comes_back_and_everybody_else_is_drawn(count: int, seed: int) -> None:
    event = event_of("knockout", count, seed)
    for drawn in event.play():
        check(event, drawn)
        assert misdrawn(event.plan, [*event.rounds, drawn]) is None
    final(event)
    assert misdrawn(event.plan, event.rounds) is None


def check(event: Event, drawn: Round) -> None:
    """Everything that a draw guarantees."""
    so_far = course(event.entrants, [*event.rounds, drawn])
    assert so_far is not None
    stage, before = so_far.stages[-1], so_far.stages[:-1]
    racing = [seat for pair in drawn.pairs for seat in pair]
    assert sorted(racing) == sorted(drawn.seats)
    assert len({*racing, *drawn.byes}) == len(racing) + len(drawn.byes), "nobody is drawn twice"
    assert {*racing, *drawn.byes} <= event.in_now()
    assert list(drawn.seats) == sorted(drawn.seats, key=so_far.bracket.seed.__getitem__)
    assert all(so_far.bracket.seed[one] < so_far.bracket.seed[other] for one, other in drawn.pairs)
    if not before:
        assert {*racing, *drawn.byes} == event.in_now()
        return
    last = before[-1]
    for pair in last.main:
        went_on = [seat for seat in pair if seat in stage.alive]
        assert len(went_on) <= 1, "of two who met, one is out"
        if not went_on:
            winner = so_far.winner(len(before) - 1, pair)
            assert winner is None or winner not in event.in_now(), "who has won and is here goes on"
    assert stage.alive <= last.alive
    assert {seat for seat in last.done.byes if seat in event.in_now()} <= stage.alive
    for one, other in stage.main:
        level = so_far.bracket.level(one, other)
        assert level == stage.level
        near = [seat for seat in stage.alive if so_far.bracket.level(one, seat) <= level]
        assert sorted(near) == sorted((one, other)), "all others of their part of the bracket are out"
    if stage.third:
        losers = {seat for pair in last.main for seat in pair} - stage.alive
        assert {*stage.third} <= losers


def final(event: Event) -> None:
    """The winner of a pair is placed before the loser, unless the winner never raced."""
    so_far = course(event.entrants, event.rounds)
    if so_far is None:
        return
    places = {row.seat: row.place for row in standings(event.plan, event.entrants, event.rounds)}
    for n, stage in enumerate(so_far.stages):
        for pair in stage.main:
            winner = so_far.winner(n, pair)
            ahead = [places[seat] for seat in (pair if winner == pair[0] else pair[::-1])]
            counting = [done for done in event.rounds if not done.skipped]
            never = not any(winner in raced(event, race) for done in counting for race in done.races)
            if winner is not None and ahead[0] is not None and ahead[1] is not None and not never:
                assert ahead[0] < ahead[1]


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
    cup = Cup(5)
    while not cup.over:
        cup.next()
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


@examples(60)
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


@examples(40)
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


def cup_of(count: int, absent: Mapping[int, Collection[int]]) -> Cup:
    """A whole knock-out. ``absent``: the no-shows by round."""
    cup = Cup(count)
    while drawing := draw(cup.plan, cup.entrants, cup.rounds, chance_of(0)):
        missing = absent.get(len(cup.rounds) + 1, ())
        race = {**race_of({seat: 100 - seat for seat in drawing.seats}), **dict.fromkeys(missing, ABSENT)}
        done = Round(len(cup.rounds) + 1, drawing.seats, drawing.pairs, drawing.byes, (race,))
        assert plays_on(cup.plan, cup.entrants, [*cup.rounds, done]) == ()
        cup.rounds.append(done)
    return cup


def table(cup: Cup) -> list[tuple[int | None, int, float, float]]:
    """Place, seat, score and ``beaten``."""
    rows = standings(cup.plan, cup.entrants, cup.rounds)
    return [(row.place, row.seat, row.score, row.tiebreaks[0]) for row in rows]


def test_of_a_semi_final_in_which_nobody_started_nobody_goes_on_and_both_are_behind_the_other_loser() -> None:
    cup = cup_of(4, {1: (1, 4)})
    assert len(cup.rounds) == 1, "2 beat 3, and has nobody to meet in the final"
    assert table(cup) == [(1, 2, 2, 1), (2, 3, 0, 0), (3, 1, 0, -1), (3, 4, 0, -1)]
    cup = cup_of(8, {2: (1, 4)})
    assert [done.pairs for done in cup.rounds[1:]] == [((1, 4), (2, 3))]
    assert table(cup)[:4] == [(1, 2, 3, 1), (2, 3, 1, 0), (3, 1, 1, -1), (3, 4, 1, -1)]


def test_the_opponent_of_nobody_goes_on_without_a_race() -> None:
    cup = cup_of(8, {1: (1, 8)})
    assert [(done.pairs, done.byes) for done in cup.rounds[1:]] == [(((2, 3),), (4,)), (((2, 4),), ())]
    assert misdrawn(cup.plan, cup.rounds) is None
    assert [seat for _, seat, *_ in table(cup)[:2]] == [2, 4]
    assert table(cup)[-2:] == [(7, 1, 0, -1), (7, 8, 0, -1)]


def test_a_final_in_which_nobody_started_is_lost_by_both_and_the_first_place_is_empty() -> None:
    cup = cup_of(4, {2: (1, 2)})
    assert table(cup) == [(2, 1, 1, -1), (2, 2, 1, -1), (4, 3, 0.5, 1), (5, 4, 0, 0)]


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_when_nobody_starts_at_all_nobody_wins_but_by_a_bye_to_the_end(count: int) -> None:
    cup = cup_of(count, {n: range(1, count + 1) for n in range(1, 4)})
    rows = table(cup)
    if count in {3, 7}:
        assert [*rows.pop(0)] == [1, 1, (count - 1).bit_length(), 0], "the only one who was never asked to race"
    assert {(place, score, beaten) for place, _, score, beaten in rows} == {(2, 0, -1)}


def test_who_had_only_byes_and_never_started_is_behind_all_who_raced() -> None:
    cup = cup_of(5, {2: (1,), 3: (1,)})
    assert cup.rounds[0].byes == (1, 2, 3)
    assert [seat for _, seat, *_ in table(cup)] == [2, 4, 3, 5, 1]
    assert table(cup)[-1] == (5, 1, 0, -1)
    provisional = replace(cup.rounds[1], races=())
    rows = standings(cup.plan, cup.entrants, [cup.rounds[0], provisional])
    assert {row.seat for row in rows[:3]} <= {1, 2, 3, 4}, "who can still win is not behind for that"


# ties


@pytest.mark.parametrize("kind", ["points", "swiss"])
def test_in_the_other_formats_a_tie_is_a_tie(kind: str) -> None:
    done = Round(1, (1, 2), ((1, 2),), (), (race_of({1: 5, 2: 5}),))
    assert plays_on(Plan().changed({"format": kind}), entrants_of(2), [done]) == ()


def test_it_ends_when_round_after_round_is_skipped() -> None:
    skipped = [Round(n, (1, 2), ((1, 2),), skipped=True) for n in range(1, 31)]
    assert draw(PLAN, entrants_of(2), skipped[:29], chance_of(1)) is not None
    assert draw(PLAN, entrants_of(2), skipped, chance_of(1)) is None
