"""The standings, compared with a slow computation from the text of TOURNAMENTS.md."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.tournament.plan import TIEBREAKS, Format
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.standings import Row, places_in, standings
from tests.examples import examples
from tests.shared.tournament import naive
from tests.shared.tournament.play import Event, entrants_of, event_of, plan_of, race_of, shuffled

FORMATS: list[Format] = ["points", "knockout", "double", "swiss", "roundrobin"]
#: In a round robin, the knock-out decides before the score.
BY_SCORE = FORMATS[:4]
CUPS = {"knockout", "double"}
SIZES = st.integers(2, 24) | st.integers(2, 200)
SEEDS = st.integers(0, 10**9)


#: A round robin lasts until all have met, or for 30 rounds. With 200 entrants it takes as long as 100 other examples.
MOST_IN_A_ROUND_ROBIN = 40


def any_event(kind: Format, count: int, seed: int) -> Event:
    """A finished tournament."""
    most = MOST_IN_A_ROUND_ROBIN if kind == "roundrobin" else count
    return event_of(kind, min(count, most), seed, rounds=3).to_the_end()


def rows_of(event: Event) -> tuple[Row, ...]:
    return standings(event.plan, event.entrants, event.rounds)


@examples(16)
@given(SIZES, SEEDS)
def test_points_are_those_of_a_slow_computation(count: int, seed: int) -> None:
    order = random.Random(seed).sample(TIEBREAKS["points"], 5)
    event = event_of("points", min(count, 30), seed, rounds=4, tiebreaks=tuple(order)).to_the_end()
    slow = naive.points(event)
    for row in rows_of(event):
        if row.place is not None:
            total, *ties = slow[row.seat]
            assert (row.score, *row.tiebreaks) == (float(total), *ties)
            assert row.place == 1 + sum(other > slow[row.seat] for seat, other in slow.items())


@examples(16)
@given(SIZES, SEEDS)
def test_a_swiss_table_is_that_of_a_slow_computation(count: int, seed: int) -> None:
    order = random.Random(seed).sample(TIEBREAKS["swiss"], 6)
    event = event_of("swiss", min(count, 40), seed, tiebreaks=tuple(order), half_byes=2).to_the_end()
    slow = naive.swiss(event)
    for row in rows_of(event):
        if row.place is not None:
            assert (row.score, *row.tiebreaks) == slow[row.seat]
            assert row.place == 1 + sum(other > slow[row.seat] for other in slow.values())


@examples(24)
@given(st.sampled_from(BY_SCORE), SIZES, SEEDS)
def test_the_table_is_in_order_whatever_happened(kind: Format, count: int, seed: int) -> None:
    event = event_of(kind, count, seed, rounds=4).to_the_end()
    rows = rows_of(event)
    assert len({row.seat for row in rows}) == len(rows)
    placed = [row for row in rows if row.place is not None]
    assert {row.seat for row in rows[len(placed) :]} == {
        seat for seat, entrant in event.entrants.items() if entrant.state == "disqualified"
    }
    assert placed == sorted(placed, key=lambda row: (row.score, *row.tiebreaks), reverse=True)
    for row in rows:
        assert len(row.tiebreaks) == len(event.plan.tiebreak_order)
        assert all(cell is None for cell, done in zip(row.rounds, event.rounds, strict=True) if done.skipped)
        if row.place is not None and kind not in CUPS:
            assert row.score == pytest.approx(sum(cell or 0 for cell in row.rounds))
    mentioned = {seat for done in event.rounds for seat in done.everybody} | event.in_now()
    assert mentioned <= {row.seat for row in rows}


@examples(16)
@given(st.sampled_from(FORMATS), SIZES, SEEDS)
def test_the_order_of_no_map_matters(kind: Format, count: int, seed: int) -> None:
    event = any_event(kind, count, seed)
    other = shuffled(event, seed)
    assert rows_of(other) == rows_of(event)
    event.rounds.pop() if event.rounds else None
    other.rounds = other.rounds[: len(event.rounds)]
    other.plan = event.plan = replace(event.plan, rounds=30)
    other.random, event.random = (type(event.random)(seed) for _ in range(2))
    assert other.draw() == event.draw()


@examples(12)
@given(st.sampled_from(FORMATS), SIZES, SEEDS)
def test_a_disqualification_that_is_taken_back_leaves_no_trace(kind: Format, count: int, seed: int) -> None:
    event = any_event(kind, count, seed)
    before = rows_of(event)
    seat = min(event.entrants)
    entrant = event.entrants[seat]
    event.entrants[seat] = replace(entrant, state="disqualified", reason="two browsers")
    after = rows_of(event)
    assert next(row for row in after if row.seat == seat).place is None
    event.entrants[seat] = entrant
    assert rows_of(event) == before


@pytest.mark.parametrize("kind", FORMATS)
def test_before_anything_is_raced_all_are_equal(kind: Format) -> None:
    assert standings(plan_of(format=kind), {}, []) == ()
    rows = standings(plan_of(format=kind), entrants_of(3), [])
    assert [(row.place, row.seat, row.score) for row in rows] == [(1, 1, 0), (1, 2, 0), (1, 3, 0)]


def test_who_left_before_the_first_draw_is_not_in_the_table() -> None:
    entrants = {1: Entrant("A"), 2: Entrant("B", state="withdrawn"), 3: Entrant("C")}
    drawn = Round(1, (1, 3), races=(race_of({1: 5, 3: 7}),))
    assert [row.seat for row in standings(plan_of(), entrants, [drawn])] == [3, 1]


def test_the_places_of_a_round_are_those_in_the_field_or_in_the_pair() -> None:
    entrants = entrants_of(5)
    done = Round(1, (1, 2, 3, 4), ((1, 2), (3, 4)), (5,), (race_of({1: 9, 2: 8, 3: 7, 4: 7}),))
    assert places_in(plan_of(), entrants, done) == {1: 1, 2: 2, 3: 3, 4: 3}
    assert places_in(plan_of(format="swiss"), entrants, done) == {1: 1, 2: 2, 3: 1, 4: 1}
    entrants[1] = Entrant("N1", state="disqualified")
    assert places_in(plan_of(), entrants, done) == {2: 1, 3: 2, 4: 2}
    assert places_in(plan_of(format="swiss"), entrants, done) == {2: 1, 3: 1, 4: 1}
