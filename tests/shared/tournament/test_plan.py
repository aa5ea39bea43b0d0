"""The plan of a tournament: the allowed values, the errors for others, and the settings of a round."""

from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import DEFAULT_TIEBREAKS, MOST_APART, MOST_ROUNDS, PRESETS, TIEBREAKS, Format, Plan


def refusal(**changes: object) -> str:
    with pytest.raises(Refused) as refused:
        Plan().changed(changes)
    assert refused.value.code == "bad-plan"
    return str(refused.value)


def test_the_plan_that_nobody_touched_works() -> None:
    Plan().check()
    assert Plan().changed({}) == Plan()


def test_a_change_leaves_the_rest_as_it_was() -> None:
    plan = Plan().changed({"format": "swiss", "rounds": 7, "points": [3, 2.25, 0.1, 0.1, 0]})
    assert plan.changed({"blind": True}) == Plan(format="swiss", rounds=7, points=(3, 2.25, 0.1, 0.1, 0), blind=True)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_a_plan(preset: str) -> None:
    plan = Plan().changed(PRESETS[preset])
    assert {plan.settings_of(Settings(), number).late for number in range(1, MOST_ROUNDS + 1)} == {"watch"}


@pytest.mark.parametrize(
    ("field", "lowest", "highest"),
    [("rounds", 1, 30), ("pause", 20, 86_400), ("late", 0, 30), ("no_show", 10, 3600), ("half_byes", 0, 2)],
)
def test_a_number_has_its_bounds(field: str, lowest: int, highest: int) -> None:
    for value in (lowest, highest):
        assert getattr(Plan().changed({field: value}), field) == value
    for value in (lowest - 1, highest + 1):
        assert f"{field} is a number from {lowest} to {highest}" in refusal(**{field: value})
    for other in (float(lowest), str(lowest), True):
        refusal(**{field: other})


#: Changes that are refused, and words of the refusal.
REFUSED: list[tuple[str, list[dict[str, Any]]]] = [
    # points
    ("length >= 1", [{"points": []}, {"tiebreaks": []}, {"apart": [["Ann", ""]]}]),
    ("length <= 100", [{"points": [1] * 101}, {"apart": [["Ann", "Bob"]] * 101}]),
    ("<= 1000.0", [{"points": [1001]}]),
    (">= 0.0", [{"points": [-1]}, {"points": [float("nan")]}]),
    ("two decimals", [{"points": [10, 2.125]}]),
    ("no place gets more", [{"points": [10, 5, 6]}]),
    # the ladder
    ("a round has no setting 'seats' of its own", [{"ladder": [{}, {"seats": 3}]}]),
    ("There is no game called 'chess'", [{"ladder": [{}, {"game": "chess"}]}]),
    (">= 60", [{"ladder": [{}, {"time_limit": 5}]}]),
    ("Deal numbers go from 32001", [{"ladder": [{}, {"deal": "7"}]}]),
    ("on a secret deal or on a numbered one", [{"ladder": [{}, {"deal": "KQXWVD/1"}]}]),
    # tie-breaks
    ("length <= 10", [{"tiebreaks": ["wins"] * 11}]),
    ("only once", [{"tiebreaks": ["wins", "home", "wins"]}]),
    ("Invalid enum value 'luck'", [{"tiebreaks": ["luck"]}]),
    ("Expected `array | null`", [{"tiebreaks": "wins"}]),
    ("tie-break buchholz is not for this format", [{"format": "roundrobin", "tiebreaks": ["buchholz"]}]),
    # names
    ("the list has 1001 names", [{"listed": [f"N{n}" for n in range(1001)]}]),
    ("on the list twice", [{"listed": ["Ann", "Bob", "ANN"]}]),
    ("length >= 2", [{"apart": [["Ann"]]}]),
    ("length <= 50", [{"apart": [[f"N{n}" for n in range(MOST_APART + 2)]]}]),
    ("length <= 24", [{"apart": [["Ann", "B" * 25]]}, {"listed": ["Ann"], "listed_teams": ["R" * 25]}]),
    (
        "ann is kept apart from more than 49 others",
        [{"apart": [["Ann", *(f"N{n}" for n in range(30))], ["ann", *(f"M{n}" for n in range(20))]]}],
    ),
    # teams
    ("at least two members count", [{"team_size": 1}]),
    ("team_size is a number from 0 to 10", [{"team_size": 11}]),
    ("at least as many members as count", [{"team_size": 3, "team_most": 2}]),
    ("from 2 to 1000", [{"team_most": 1}]),
    (
        "teams are for points and for a Swiss",
        [{"format": kind, "team_size": 2} for kind in ("knockout", "roundrobin", "arena")],
    ),
    ("more teams than names", [{"listed": ["Ann"], "listed_teams": ["Red", "Blue"]}]),
    # groups
    ("at least one entrant of each goes on", [{"format": "roundrobin", "groups": 4, "advance": 0}]),
    ("nobody goes on, or at least two", [{"format": "roundrobin", "groups": 1, "advance": 1}]),
    ("groups is a number from 1 to 32", [{"groups": 0}, {"groups": 33}]),
    ("advance is a number from 0 to 8", [{"advance": 9}]),
    ("too many for 2 groups", [{"format": "roundrobin", "groups": 2, "listed": [f"N{n}" for n in range(61)]}]),
    # an arena
    ("blind and quiet are not possible", [{"format": "arena", "blind": True}, {"format": "arena", "quiet": True}]),
]


@pytest.mark.parametrize(("words", "changes"), [(words, one) for words, of in REFUSED for one in of])
def test_a_plan_that_does_not_work_is_refused_with_the_reason(words: str, changes: dict[str, Any]) -> None:
    assert words in refusal(**changes)


def test_a_ladder_begins_again_from_its_first_row() -> None:
    plan = Plan().changed({"ladder": [{"game": "maria"}, {"game": "lucas", "time_limit": 600}]})
    room = Settings(game="streets", time_limit=900, late="join")
    found = [(one.game, one.time_limit) for one in (plan.settings_of(room, n) for n in (1, 2, 3, 4))]
    assert found == [("maria", 900), ("lucas", 600)] * 2


def test_without_a_ladder_every_round_is_as_the_room_is_set() -> None:
    settings = Plan().settings_of(Settings(game="indian", undo="free", auto_start=True), 3)
    assert settings == Settings(game="indian", undo="free", late="watch", auto_start=False)


def test_a_deadly_round_has_no_undo_whatever_the_ladder_says() -> None:
    plan = Plan().changed({"deadly": True, "ladder": [{"undo": "free"}]})
    assert plan.settings_of(Settings(), 1).undo == "none"


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (200, 8), (1000, 10)]
)
def test_a_knock_out_has_as_many_rounds_as_its_bracket(entrants: int, rounds: int) -> None:
    assert Plan(format="knockout").rounds_of(entrants) == rounds
    assert Plan(format="swiss", rounds=7).rounds_of(entrants) == 7


@pytest.mark.parametrize(
    ("rounds", "late", "until"), [(5, None, 2), (4, None, 2), (1, None, 0), (5, 0, 0), (5, 4, 4), (5, 5, 4), (3, 30, 2)]
)
def test_one_may_enter_until_half_of_the_rounds_or_until_the_round_that_is_set(
    rounds: int, late: int | None, until: int
) -> None:
    for plan in (Plan(rounds=rounds, late=late), Plan(format="swiss", rounds=rounds, late=late)):
        during = [drawn for drawn in range(rounds + 1) if plan.may_enter(drawn, 9, ended=False)]
        after = [drawn for drawn in range(1, rounds + 1) if plan.may_enter(drawn, 9, ended=True)]
        assert (during, after) == (list(range(until + 1)), list(range(1, until)))


def test_nobody_enters_a_knock_out_after_its_draw() -> None:
    plan = Plan(format="knockout", late=3)
    assert plan.may_enter(0, 9, ended=False)
    assert not plan.may_enter(1, 9, ended=False)


@pytest.mark.parametrize("kind", TIEBREAKS)
def test_a_host_chooses_among_the_tie_breaks_of_the_format(kind: Format) -> None:
    plan = Plan().changed({"format": kind})
    assert plan.tiebreak_order == DEFAULT_TIEBREAKS[kind]
    every = list(reversed(TIEBREAKS[kind]))
    assert list(plan.changed({"tiebreaks": every}).tiebreak_order) == every
    others = {name for names in TIEBREAKS.values() for name in names} - {*every}
    for other in sorted(others):
        assert refusal(format=kind, tiebreaks=[other]) == (
            f"This plan does not work: tie-break {other} is not for this format."
        )


def test_tie_breaks_do_not_outlive_their_format() -> None:
    plan = Plan().changed({"format": "swiss", "tiebreaks": ["direct"]})
    with pytest.raises(Refused):
        plan.changed({"format": "points"})
    assert plan.changed({"format": "points", "tiebreaks": None}).tiebreak_order == DEFAULT_TIEBREAKS["points"]


def test_a_team_of_a_swiss_has_four_reserves_unless_the_host_says_otherwise() -> None:
    assert Plan(format="swiss", team_size=4).most_members == 8
    assert Plan(format="swiss", team_size=4, team_most=5).most_members == 5
    assert Plan(format="points", team_size=4).most_members is None
    assert Plan(format="points", team_size=4, team_most=30).most_members == 30


def test_a_line_of_the_list_can_have_a_team() -> None:
    plan = Plan().changed({"listed": ["Ann", "Bob", "Cy"], "listed_teams": ["Red", ""]})
    assert [plan.team_of_line.get(name, "") for name in ("Ann", "Bob", "Cy", "Dee")] == ["Red", "", "", ""]


def test_teams_have_no_half_point_byes() -> None:
    assert Plan().changed({"format": "swiss"}).last_half_bye == 4
    assert Plan().changed({"format": "swiss", "team_size": 2}).last_half_bye == 0


def test_who_is_kept_apart_twice_counts_once() -> None:
    group = [f"N{n}" for n in range(MOST_APART + 1)]
    assert len(Plan().changed({"apart": [group, group[:2], ["n0", "n1"]]}).apart) == 3
