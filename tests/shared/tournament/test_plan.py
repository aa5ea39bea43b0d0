"""The plan of a tournament: the allowed values, the errors for others, and the settings of a round."""

from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import (
    DEFAULT_TIEBREAKS,
    MOST_APART,
    MOST_ROUNDS,
    PRESETS,
    TIEBREAKS,
    Format,
    Plan,
)


def refusal(**changes: object) -> str:
    with pytest.raises(Refused) as refused:
        Plan().changed(changes)
    assert refused.value.code == "bad-plan"
    return str(refused.value)


def test_the_plan_that_nobody_touched_works() -> None:
    Plan().check()
    assert Plan().changed({}) == Plan()


def test_a_change_leaves_the_rest_as_it_was() -> None:
    plan = Plan().changed({"format": "swiss", "rounds": 7})
    assert plan.changed({"blind": True}) == Plan(format="swiss", rounds=7, blind=True)


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


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([], "length >= 1"),
        ([1] * 101, "length <= 100"),
        ([1001], "<= 1000.0"),
        ([-1], ">= 0.0"),
        ([float("nan")], ">= 0.0"),
        ([10, 2.125], "two decimals"),
        ([10, 5, 6], "no place gets more"),
    ],
)
def test_points_fall_from_place_to_place_and_are_written_with_two_decimals(points: list[float], words: str) -> None:
    assert words in refusal(points=points)


def test_points_may_be_as_a_league_has_them() -> None:
    assert Plan().changed({"points": [3, 2.5, 2.25, 0.1, 0.1, 0]}).points == (3, 2.5, 2.25, 0.1, 0.1, 0)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"seats": 3}, "a round has no setting 'seats' of its own"),
        ({"game": "chess"}, "There is no game called 'chess'"),
        ({"time_limit": 5}, ">= 60"),
        ({"deal": "7"}, "Deal numbers go from 32001"),
        ({"deal": "KQXWVD/1"}, "on a secret deal or on a numbered one"),
    ],
)
def test_a_row_of_the_ladder_is_settings_that_a_round_may_have(row: dict[str, Any], words: str) -> None:
    assert words in refusal(ladder=[{}, row])


def test_a_ladder_begins_again_from_its_first_row() -> None:
    plan = Plan().changed({"ladder": [{"game": "maria"}, {"game": "lucas", "time_limit": 600}]})
    room = Settings(game="streets", time_limit=900, late="join")
    assert [(s.game, s.time_limit) for s in (plan.settings_of(room, n) for n in (1, 2, 3, 4))] == [
        ("maria", 900),
        ("lucas", 600),
        ("maria", 900),
        ("lucas", 600),
    ]


def test_without_a_ladder_every_round_is_as_the_room_is_set() -> None:
    settings = Plan().settings_of(Settings(game="indian", undo="free", auto_start=True), 3)
    assert settings == Settings(game="indian", undo="free", late="watch", auto_start=False)


def test_a_deadly_round_has_no_undo_whatever_the_ladder_says() -> None:
    plan = Plan().changed({"deadly": True, "ladder": [{"undo": "free"}]})
    assert plan.settings_of(Settings(), 1).undo == "none"


def test_a_list_that_is_too_long_is_told_how_long_it_may_be() -> None:
    assert "the list has 1001 names" in refusal(listed=[f"N{n}" for n in range(1001)])


def test_a_list_names_everybody_once() -> None:
    assert "on the list twice" in refusal(listed=["Ann", "Bob", "ANN"])
    assert Plan().changed({"entry": "list", "listed": ["Ann", "Bob"]}).listed == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (200, 8), (1000, 10)]
)
def test_a_knock_out_has_as_many_rounds_as_its_bracket(entrants: int, rounds: int) -> None:
    assert Plan(format="knockout").rounds_of(entrants) == rounds
    assert Plan(format="swiss", rounds=7).rounds_of(entrants) == 7


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 3), (3, 5), (4, 5), (5, 7), (8, 7), (9, 9), (1000, 21)])
def test_a_double_elimination_has_two_rounds_for_each_of_its_bracket_and_a_second_final(
    entrants: int, rounds: int
) -> None:
    assert Plan(format="double").rounds_of(entrants) == rounds
    assert Plan(format="double", second_final=False).rounds_of(entrants) == rounds - 1


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


@pytest.mark.parametrize(
    ("tiebreaks", "words"),
    [
        ([], "length >= 1"),
        (["wins"] * 11, "length <= 10"),
        (["wins", "home", "wins"], "only once"),
        (["luck"], "Invalid enum value 'luck'"),
        ("wins", "Expected `array | null`"),
    ],
)
def test_tie_breaks_are_known_ones_each_once(tiebreaks: object, words: str) -> None:
    assert words in refusal(tiebreaks=tiebreaks)


def test_tie_breaks_do_not_outlive_their_format() -> None:
    plan = Plan().changed({"format": "swiss", "tiebreaks": ["direct"]})
    with pytest.raises(Refused):
        plan.changed({"format": "points"})
    assert plan.changed({"format": "points", "tiebreaks": None}).tiebreak_order == DEFAULT_TIEBREAKS["points"]


@pytest.mark.parametrize(
    ("apart", "words"),
    [
        ([["Ann"]], "length >= 2"),
        ([[f"N{n}" for n in range(MOST_APART + 2)]], "length <= 50"),
        ([["Ann", "Bob"]] * 101, "length <= 100"),
        ([["Ann", ""]], "length >= 1"),
        ([["Ann", "B" * 25]], "length <= 24"),
        (
            [["Ann", *(f"N{n}" for n in range(30))], ["ann", *(f"M{n}" for n in range(20))]],
            "ann is kept apart from more than 49 others",
        ),
    ],
)
def test_nobody_is_kept_apart_from_too_many(apart: list[list[str]], words: str) -> None:
    assert words in refusal(apart=apart)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"team_size": 1}, "at least two members count"),
        ({"team_size": 11}, "team_size is a number from 0 to 10"),
        ({"team_size": 3, "team_most": 2}, "at least as many members as count"),
        ({"team_most": 1}, "from 2 to 1000"),
        ({"format": "knockout", "team_size": 2}, "teams are for points and for a Swiss"),
        ({"format": "roundrobin", "team_size": 2}, "teams are for points and for a Swiss"),
        ({"format": "arena", "team_size": 2}, "teams are for points and for a Swiss"),
        ({"listed": ["Ann"], "listed_teams": ["Red", "Blue"]}, "more teams than names"),
        ({"listed": ["Ann"], "listed_teams": ["R" * 25]}, "length <= 24"),
    ],
)
def test_teams_have_a_size_and_are_for_points_and_for_a_swiss(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(**changes)


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
