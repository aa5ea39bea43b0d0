"""The table of the formats and their rules."""

from typing import get_args

import pytest

from fortythieves.tournament.draw import draw, follows, plays_on
from fortythieves.tournament.plan import DEFAULT_TIEBREAKS, TIEBREAKS, Format
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import FORMATS, comparison
from tests.shared.tournament.play import chance_of, entrants_of, event_of, plan_of, race_of


def test_every_format_has_its_rules_and_its_tie_breaks() -> None:
    assert {*FORMATS} == {*TIEBREAKS} == {*DEFAULT_TIEBREAKS} == {*get_args(Format)}


#: The races of an arena are matched, not drawn.
DRAWN = [kind for kind in get_args(Format) if kind != "arena"]


@pytest.mark.parametrize("kind", DRAWN)
def test_every_format_has_a_draw_and_says_with_whom_entrants_are_compared(kind: Format) -> None:
    event = event_of(kind, 5, "compared", calm=True)
    drawn = next(event.play())
    assert draw(event.plan, event.entrants, [], chance_of(1)) is not None
    assert bool(drawn.pairs) == (comparison(event.plan, [drawn]) != "field")


@pytest.mark.parametrize("kind", get_args(Format))
def test_nothing_is_misdrawn_before_the_first_draw_and_nobody_has_a_score(kind: Format) -> None:
    plan = plan_of(format=kind)
    assert FORMATS[kind].misdrawn(plan, []) is None
    assert not FORMATS[kind].is_vacant(plan, entrants_of(2), [])
    scores = FORMATS[kind].scores(plan, entrants_of(2), [], [1, 2])
    assert {score.in_order for score in scores.values()} == {(0,) * (1 + len(plan.tiebreak_order))}


def test_the_races_of_an_arena_are_not_drawn() -> None:
    plan = plan_of(format="arena")
    assert draw(plan, entrants_of(9), [], chance_of(1)) is None
    assert not follows(plan, entrants_of(9), [])
    assert comparison(plan, []) == "field"


@pytest.mark.parametrize("kind", ["knockout", "double"])
def test_a_bracket_ends_when_round_after_round_is_skipped(kind: Format) -> None:
    skipped = [Round(n, (1, 2), ((1, 2),), skipped=True) for n in range(1, 31)]
    assert draw(plan_of(format=kind), entrants_of(2), skipped[:29], chance_of(1)) is not None
    assert draw(plan_of(format=kind), entrants_of(2), skipped, chance_of(1)) is None


@pytest.mark.parametrize(("kind", "again"), [("points", ()), ("swiss", ()), ("knockout", (1, 2)), ("double", (1, 2))])
def test_only_in_a_bracket_tied_racers_race_again(kind: Format, again: tuple[int, ...]) -> None:
    done = Round(1, (1, 2), ((1, 2),), (), (race_of({1: 5, 2: 5}),))
    assert plays_on(plan_of(format=kind), entrants_of(2), [done]) == again
