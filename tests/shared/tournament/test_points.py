"""All entrants in one race: points by place."""

import pytest

from fortythieves.tournament.draw import draw
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.standings import standings
from tests.shared.tournament.play import chance_of, entrants_of, plan_of, race_of


def test_thirds_of_points_add_up_to_the_whole() -> None:
    plan = plan_of(points=(10, 0, 0))
    win = race_of({4: 9})
    three = [Round(n, (1, 2, 3), races=(race_of({1: 5, 2: 5, 3: 5}),)) for n in (1, 2, 3)]
    rows = standings(plan, entrants_of(4), [*three, Round(4, (4,), races=(win,))])
    assert [row.score for row in rows] == [10, 10, 10, 10], "three thirds are exactly one"


def test_everybody_who_is_in_races() -> None:
    entrants = {**entrants_of(4), 2: Entrant("N2", state="withdrawn"), 9: Entrant("Late", since=3)}
    drawing = draw(plan_of(), entrants, [Round(1, (1, 2, 3, 4), races=(race_of({1: 1}),))], chance_of(1))
    assert drawing is not None
    assert (drawing.seats, drawing.pairs, drawing.byes) == ((1, 3, 4), (), ())


@pytest.mark.parametrize("count", [0, 1])
def test_nobody_races_alone(count: int) -> None:
    assert draw(plan_of(), entrants_of(count), [], chance_of(1)) is None


def test_after_the_last_round_there_is_none() -> None:
    rounds = [Round(1, (1, 2), races=(race_of({1: 1}),)), Round(2, (1, 2), skipped=True)]
    assert draw(plan_of(rounds=2), entrants_of(2), rounds, chance_of(1)) is None
    assert draw(plan_of(rounds=3), entrants_of(2), rounds, chance_of(1)) is not None
