"""The points of an arena: by place, doubled in a streak of wins."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.tournament.arena import Sheet, after, cells, sheets
from fortythieves.tournament.rounds import Correction, Round
from fortythieves.tournament.standings import Row, standings
from tests.examples import examples
from tests.shared.tournament import naive
from tests.shared.tournament.play import arena_of, corrected, entrants_of, plan_of, race_of, shuffled

PLAN = plan_of(format="arena", points=(2, 1))


def duels(*winners: int) -> list[Round]:
    """Races of 1 against 2; 0: they tie."""
    homes = {0: {1: 20, 2: 20}, 1: {1: 30, 2: 20}, 2: {1: 20, 2: 30}}
    return [Round(n, (1, 2), races=(race_of(homes[winner]),)) for n, winner in enumerate(winners, start=1)]


def rows_of(rounds: list[Round], **changes: Any) -> dict[int, Row]:
    plan = plan_of(**{"format": "arena", "points": (2, 1), **changes})
    return {row.seat: row for row in standings(plan, entrants_of(2), rounds)}


def points_of(rounds: list[Round], seat: int, **changes: Any) -> list[float | None]:
    return [*rows_of(rounds, **changes)[seat].rounds]


def test_after_two_wins_in_a_row_the_points_are_doubled_until_a_race_is_not_won() -> None:
    races = duels(1, 1, 1, 2, 1, 1)
    assert points_of(races, 1) == [2, 2, 4, 2, 2, 2]
    assert points_of(races, 2) == [1, 1, 1, 2, 1, 1]
    assert rows_of(races)[1].score == 14
    assert rows_of(races)[1].tiebreaks[0] == 5


@pytest.mark.parametrize(("streak", "points"), [(0, [2, 2, 2]), (1, [2, 4, 4]), (2, [2, 2, 4]), (3, [2, 2, 2])])
def test_a_host_says_how_many_wins_start_a_streak(streak: int, points: list[float]) -> None:
    assert points_of(duels(1, 1, 1), 1, streak=streak) == points


def test_only_raced_points_are_doubled_and_only_races_that_count_end_a_streak() -> None:
    races = duels(1, 1, 2, 1, 1)
    races[2] = replace(races[2], skipped=True)
    races[4] = replace(races[4], corrections=(Correction(1, 5, "A broken phone."),))
    assert points_of([*races, Round(6, (1, 2))], 1) == [2, 2, 4, 5]


@examples(24)
@given(st.integers(2, 12), st.integers(0, 999), st.integers(0, 3), st.integers(2, 5))
def test_the_standings_are_those_of_the_words(count: int, seed: int, streak: int, size: int) -> None:
    event = corrected(arena_of(count, seed, streak=streak, race_size=size, points=(3, 2, 0.5)).to_the_end())
    slow = naive.arena(event)
    for row in standings(event.plan, event.entrants, event.rounds):
        if row.place is not None:
            assert (row.score, row.rounds, *row.tiebreaks) == tuple(
                tuple(map(float, one)) if isinstance(one, tuple) else float(one) for one in slow[row.seat]
            )
    placed = [slow[row.seat] for row in standings(event.plan, event.entrants, event.rounds) if row.place]
    assert placed == sorted(placed, key=lambda row: (row[0], row[2:]), reverse=True)


@examples(12)
@given(st.integers(2, 8), st.integers(0, 999))
def test_race_by_race_is_the_same_as_all_at_once_in_any_order_of_maps(count: int, seed: int) -> None:
    event = arena_of(count, seed, streak=1).to_the_end()
    known: dict[int, Sheet] = {}
    for done in event.rounds:
        known |= after(event.plan, event.entrants, known, done)
    assert known == sheets(event.plan, event.entrants, event.rounds)
    other = shuffled(event, seed)
    assert standings(event.plan, event.entrants, event.rounds) == standings(other.plan, other.entrants, other.rounds)
    given_by = cells(event.plan, event.entrants, event.rounds)
    assert all(
        sheet.total == sum((Fraction(str(of[seat])) for of in given_by.values() if seat in of), Fraction(0))
        for seat, sheet in known.items()
    )
