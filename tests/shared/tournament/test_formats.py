"""The table of the formats and their rules."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from fortythieves.tournament.draw import draw, follows, plays_on
from fortythieves.tournament.plan import DEFAULT_TIEBREAKS, TIEBREAKS, Format
from fortythieves.tournament.rounds import Pair, Round
from fortythieves.tournament.standings import FORMATS, comparison, misdrawn
from tests.shared.tournament.play import Ranked, chance_of, entrants_of, plan_of, race_of


def test_every_format_has_its_rules_and_its_tie_breaks() -> None:
    assert {*FORMATS} == {*TIEBREAKS} == {*DEFAULT_TIEBREAKS} == {*get_args(Format)}


#: The races of an arena are matched, not drawn.
DRAWN = [kind for kind in get_args(Format) if kind != "arena"]


@pytest.mark.parametrize("kind", DRAWN)
def test_there_is_no_round_for_one_entrant_or_after_the_last_one(kind: Format) -> None:
    for count in (0, 1):
        assert draw(plan_of(format=kind), entrants_of(count), [], chance_of(1)) is None
    made = Ranked(kind, 4, rounds=2).to_the_end()
    assert len(made.rounds) == made.plan.rounds_of(4) - (kind == "double"), "no second final is needed"
    assert not follows(made.plan, made.entrants, made.rounds)


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


def drawn(pairs: tuple[Pair, ...], byes: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"seats": tuple(sorted(seat for pair in pairs for seat in pair)), "pairs": pairs, "byes": byes}


#: By the format and the number of entrants: numbers of rounds with changes that do not follow from the first draw.
WRONG: dict[tuple[Format, int], list[tuple[int, dict[str, Any]]]] = {
    ("knockout", 5): [
        *((1, drawn(((3, 5),), (1, 2, 4))), (2, drawn(((1, 2), (3, 4)))), (2, drawn(((1, 5), (2, 3))))),
        *((2, drawn(((4, 1), (2, 3)))), (2, drawn(((1, 4),), (2, 3))), (2, drawn(((4, 5),), (1, 2, 3)))),
        *((3, drawn(((1, 4), (2, 3)))), (3, drawn(((1, 2), (3, 5))))),
    ],
    ("double", 8): [
        *((1, {"pairs": ((1, 7), (2, 8), (3, 6), (4, 5))}), (1, {"lost": (8,)})),
        *((2, {"lost": lost}) for lost in ((5, 6, 7), (4, 5, 6, 7), (5, 6, 7, 8, 9))),
        *((2, {"pairs": ((1, 5), (2, 3), (4, 8), (6, 7))}), (3, {"byes": (1,)}), (4, {"lost": (4,)})),
        (3, {"pairs": ((3, 6), (4, 5)), "lost": (3, 4, 5, 6)}),
        *((4, drawn(((1, 2),), (3, 4))), (6, {"lost": ()}), (6, drawn(()))),
    ],
    ("roundrobin", 6): [
        *((1, drawn(((4, 5), (2, 6)), (1, 3))), (1, drawn(((4, 5), (3, 6)), (1,)))),
        *((2, drawn(((1, 4), (2, 6)), (5, 3))), (2, drawn(((1, 4), (2, 3)), (5, 6, 2)))),
        *((3, drawn(((1, 4), (2, 6)), (3, 5))), (4, drawn(((1, 3), (2, 5)))), (4, drawn(((1, 2), (4, 5))))),
        *((5, drawn(((1, 3), (2, 4)))), (5, drawn(((1, 2), (5, 6))))),
    ],
}


@pytest.mark.parametrize(
    ("kind", "count", "number", "changes"), [(*event, *wrong) for event, wrongs in WRONG.items() for wrong in wrongs]
)
def test_a_round_that_does_not_follow_from_the_first_draw_is_found(
    kind: Format, count: int, number: int, changes: dict[str, Any]
) -> None:
    made = Ranked(kind, count, groups=2).to_the_end()
    assert misdrawn(made.plan, made.rounds) is None
    made.rounds[number - 1] = replace(made.rounds[number - 1], **changes)
    assert misdrawn(made.plan, made.rounds) is not None
