"""Teams: the sum of the best, and matches on boards. naive.py is a second implementation of their tables."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament.draw import draw, follows
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.standings import standings
from fortythieves.tournament.teams import TeamRow, board_points, lineups, members, sides, table, wrong_with
from tests.examples import examples
from tests.shared.tournament import naive
from tests.shared.tournament.play import Event, chance_of, corrected, event_of, plan_of

SEEDS = st.integers(0, 10**9)
KINDS = st.sampled_from(("points", "swiss"))
SIZES = st.integers(2, 5)


def table_of(event: Event) -> tuple[TeamRow, ...]:
    return table(event.plan, event.entrants, event.rounds)


@examples(80)
@given(KINDS, st.integers(2, 18), SIZES, SEEDS)
def test_the_table_is_that_of_a_slow_computation_and_adds_up(kind: Any, count: int, size: int, seed: int) -> None:
    event = event_of(kind, count, seed, 4, team_size=size).to_the_end()
    if seed % 2:
        corrected(event, 4)
    rows = table_of(event)
    assert {row.team: (row.place, row.score, *row.tiebreaks) for row in rows if row.place} == naive.teams(event)
    cells = {row.seat: row.rounds for row in standings(event.plan, event.entrants, event.rounds)}
    for row in rows:
        assert row.score == pytest.approx(sum(cell or 0 for cell in row.rounds))
        assert len(row.rounds) == len(row.counted) == len(event.rounds)
        for done, cell, seats in zip(event.rounds, row.rounds, row.counted, strict=True):
            assert (cell is None) == (not seats or not done.counts)
            assert len(seats) <= size
            assert all(event.entrants[seat].team == row.team for seat in seats)
            given = sum(cells[seat][done.number - 1] or 0 for seat in seats)
            if kind == "points":
                assert (cell or 0) == pytest.approx(given)
            elif seats and done.counts:
                is_bye = sides(event.entrants, done)[row.team].opponent is None
                assert board_points(event.entrants, done)[row.team] == (given / 2 if is_bye else given)


def here(event: Event) -> dict[str, list[int]]:
    return {
        team: [seat for seat in seats if event.entrants[seat].state == "in"]
        for team, seats in members(event.entrants).items()
        if any(event.entrants[seat].state == "in" for seat in seats)
    }


def matches_of(event: Event, done: Round) -> set[frozenset[str]]:
    """The pairs of teams that meet; a team with a bye is alone."""
    return {frozenset({team, side.opponent or team}) for team, side in sides(event.entrants, done).items()}


@examples(24)
@given(st.integers(4, 24), SIZES, SEEDS)
def test_everybody_within_the_boards_has_one_board_or_a_bye_and_no_team_meets_itself(
    count: int, size: int, seed: int
) -> None:
    event = event_of("swiss", count, seed, 6, team_size=size)
    for drawn in event.play():
        assert wrong_with(event.plan, event.entrants, drawn) is None
        there = here(event)
        expected = [seat for seats in there.values() for seat in seats[:size]]
        assert sorted([*drawn.seats, *drawn.byes]) == sorted(expected)
        assert drawn.half_byes == ()
        found = sides(event.entrants, drawn)
        for one, other in drawn.pairs:
            teams = event.entrants[one].team, event.entrants[other].team
            assert teams[0] != teams[1]
            assert there[teams[0]].index(one) == there[teams[1]].index(other), "board against the same board"
        byes = [team for team, side in found.items() if side.opponent is None]
        assert len(byes) == len(there) % 2
        assert all(side.seats == tuple(there[team][:size]) for team, side in found.items())


def test_teams_that_are_kept_apart_do_not_meet() -> None:
    event = event_of("swiss", 24, 1, 4, "calm", team_size=2)
    names = sorted(members(event.entrants))
    event.plan = event.plan.changed({"apart": [[names[0].upper(), names[1], names[2]]]})
    for drawn in event.play():
        assert not any(match < {*names[:3]} and len(match) == 2 for match in matches_of(event, drawn))


def test_the_order_of_a_team_is_that_of_its_boards_and_not_of_its_seats() -> None:
    plan = plan_of(format="swiss", team_size=2)
    entrants = {3: Entrant("C", team="Red", board=1), 1: Entrant("A", team="Red", board=2)}
    assert lineups(plan, entrants, {1, 3}) == {"Red": [3, 1]}


def test_who_has_no_team_is_not_drawn() -> None:
    for kind in ("points", "swiss"):
        plan = plan_of(format=kind, team_size=2)
        entrants = {seat: Entrant(f"N{seat}", team=team, board=1) for seat, team in enumerate(("A", "B", ""), start=1)}
        drawing = draw(plan, entrants, [], chance_of(1))
        assert drawing is not None
        assert sorted(drawing.seats) == [1, 2]


def test_one_team_alone_has_nobody_to_meet() -> None:
    entrants = {seat: Entrant(f"N{seat}", team="Red", board=seat) for seat in (1, 2, 3)}
    assert not follows(plan_of(format="swiss", team_size=2), entrants, [])
    assert draw(plan_of(format="swiss", team_size=2), entrants, [], chance_of(1)) is None
    assert follows(plan_of(format="points", team_size=2), entrants, []), "the sum of its best is a sum"


WRONG = {
    "in no team": Round(1, (1, 7), ((1, 7),)),
    "meets itself": Round(1, (1, 2), ((1, 2),)),
    "meets two others": Round(1, (1, 3, 2, 5), ((1, 3), (2, 5))),
    "more boards": Round(1, (1, 3), ((1, 3),), (2, 8)),
    "instead of each other": Round(1, (1, 3), ((1, 3),), (2, 4)),
}


@pytest.mark.parametrize(("reason", "drawn"), WRONG.items(), ids=WRONG)
def test_boards_that_cannot_be_are_named(reason: str, drawn: Round) -> None:
    teams = ("A", "A", "B", "B", "C", "C", "", "A")
    entrants = {seat: Entrant(f"N{seat}", team=team, board=seat) for seat, team in enumerate(teams, start=1)}
    assert reason in (wrong_with(plan_of(format="swiss", team_size=2), entrants, drawn) or "")
    assert wrong_with(plan_of(format="swiss"), entrants, drawn) is None
