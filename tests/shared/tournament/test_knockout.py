"""Knock-out: the bracket, its byes and its seeds, and entrants who leave. test_standings.py plays whole ones."""

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament.draw import draw
from fortythieves.tournament.knockout import spots
from fortythieves.tournament.rounds import Entrant
from tests.shared.tournament.play import chance_of, entrants_of, plan_of


@given(st.integers(1, 10))
def test_the_best_meet_as_late_as_they_can(levels: int) -> None:
    order = spots(1 << levels)
    assert sorted(order) == list(range(1, (1 << levels) + 1))
    for level in range(1, levels + 1):
        groups = [order[n : n + (1 << level)] for n in range(0, len(order), 1 << level)]
        best = len(groups)
        assert sorted(min(group) for group in groups) == list(range(1, best + 1))


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
    drawings = [draw(plan_of(format="knockout"), entrants_of(5), [], chance_of(n)) for n in range(30)]
    assert len({drawing.byes for drawing in drawings if drawing}) > 15
