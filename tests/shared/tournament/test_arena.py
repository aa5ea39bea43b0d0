"""The points of an arena: by place, doubled in a streak of wins."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from fortythieves.tournament.arena import Sheet, after, cells, sheets
from fortythieves.tournament.rounds import Correction, Round
from fortythieves.tournament.standings import Row, standings
from tests.shared.tournament.play import entrants_of, event_of, plan_of, race_of


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


def test_race_by_race_is_the_same_as_all_at_once_and_the_cells_add_up() -> None:
    event = event_of("arena", 8, 1, streak=1).to_the_end()
    known: dict[int, Sheet] = {}
    for done in event.rounds:
        known |= after(event.plan, event.entrants, known, done)
    assert known == sheets(event.plan, event.entrants, event.rounds)
    given = cells(event.plan, event.entrants, event.rounds).values()
    for seat, sheet in known.items():
        assert sheet.total == sum((Fraction(str(of[seat])) for of in given if seat in of), Fraction(0))
