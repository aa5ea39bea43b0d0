"""The plan of a tournament: the allowed values, the errors for others, and the settings of a round."""

from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import DEFAULT_TIEBREAKS, MOST_APART, TIEBREAKS, Format, Plan


def refusal(**changes: object) -> Refused:
    with pytest.raises(Refused) as refused:
        Plan().changed(changes)
    assert refused.value.code == "bad-plan"
    return refused.value


def test_a_change_leaves_the_rest_as_it_was() -> None:
    assert Plan().changed({}) == Plan()
    plan = Plan().changed({"format": "swiss", "rounds": 7, "points": [3, 2.25, 0.1, 0.1, 0]})
    assert plan.changed({"blind": True}) == Plan(format="swiss", rounds=7, points=(3, 2.25, 0.1, 0.1, 0), blind=True)


@pytest.mark.parametrize(
    ("field", "lowest", "highest"),
    [
        *(("rounds", 1, 30), ("pause", 20, 86_400), ("late", 0, 30), ("no_show", 10, 3600), ("half_byes", 0, 2)),
        *(("team_size", 0, 10), ("team_most", 2, 1000), ("groups", 1, 32), ("advance", 0, 8)),
    ],
)
def test_a_number_has_its_bounds(field: str, lowest: int, highest: int) -> None:
    for value in (lowest - 1, highest + 1):
        bounds = {"detail": "out-of-range", "setting": field, "least": lowest, "most": highest}
        assert refusal(**{field: value}).details == bounds
    for other in (float(lowest), str(lowest), True):
        refusal(**{field: other})


def names(count: int, letter: str = "N") -> list[str]:
    return [f"{letter}{n}" for n in range(count)]


TEAMS, GROUPS = {"team_size": 2}, {"format": "roundrobin"}
#: Changes that are refused, by the detail of the refusal or a part of it.
REFUSED: dict[str, list[dict[str, Any]]] = {
    # points
    "length >= 1": [{"points": []}, {"tiebreaks": []}, {"apart": [["Ann", ""]]}],
    "length <= 100": [{"points": [1] * 101}, {"apart": [["Ann", "Bob"]] * 101}],
    "<= 1000.0": [{"points": [1001]}],
    ">= 0.0": [{"points": [-1]}, {"points": [float("nan")]}],
    "points-decimals": [{"points": [10, 2.125]}],
    "points-order": [{"points": [10, 5, 6]}],
    # the ladder
    "unknown-round-setting": [{"ladder": [{}, {"seats": 3}]}],
    "There is no game called 'chess'": [{"ladder": [{}, {"game": "chess"}]}],
    ">= 60": [{"ladder": [{}, {"time_limit": 5}]}],
    "Deal numbers go from 32001": [{"ladder": [{}, {"deal": "7"}]}],
    # tie-breaks
    "length <= 10": [{"tiebreaks": ["wins"] * 11}],
    "tiebreak-twice": [{"tiebreaks": ["wins", "home", "wins"]}],
    "Invalid enum value 'luck'": [{"tiebreaks": ["luck"]}],
    "Expected `array | null`": [{"tiebreaks": "wins"}],
    # names
    "list-long": [{"listed": names(1001)}],
    "listed-twice": [{"listed": ["Ann", "Bob", "ANN"]}],
    "length >= 2": [{"apart": [["Ann"]]}],
    "length <= 50": [{"apart": [names(MOST_APART + 2)]}],
    "length <= 24": [{"apart": [["Ann", "B" * 25]]}, {"listed": ["Ann"], "listed_teams": ["R" * 25]}],
    "apart-many": [{"apart": [["Ann", *names(30)], ["ann", *names(20, "M")]]}],
    # teams
    "team-one": [{"team_size": 1}],
    "team-most": [{"team_size": 3, "team_most": 2}],
    "team-format": [{"format": kind, **TEAMS} for kind in ("knockout", "roundrobin", "arena")],
    "team-lines": [{"listed": ["Ann"], "listed_teams": ["Red", "Blue"]}],
    # groups
    "groups-advance": [{**GROUPS, "groups": 4, "advance": 0}],
    "groups-one": [{**GROUPS, "groups": 1, "advance": 1}],
    "groups-full": [{**GROUPS, "groups": 2, "listed": names(61)}],
    # an arena
    "arena-open": [{"format": "arena", "blind": True}, {"format": "arena", "quiet": True}],
}


@pytest.mark.parametrize(("detail", "changes"), [(detail, one) for detail, of in REFUSED.items() for one in of])
def test_a_plan_that_does_not_work_is_refused_with_the_reason(detail: str, changes: dict[str, Any]) -> None:
    assert detail in str(refusal(**changes).details["detail"])


def test_the_settings_of_a_round_are_those_of_the_room_and_of_the_ladder() -> None:
    plan = Plan().changed({"ladder": [{"game": "maria"}, {"game": "lucas", "time_limit": 600}]})
    room = Settings(game="streets", time_limit=900, late="join")
    found = [(one.game, one.time_limit) for one in (plan.settings_of(room, n) for n in (1, 2, 3, 4))]
    assert found == [("maria", 900), ("lucas", 600)] * 2
    settings = Plan().settings_of(Settings(game="indian", undo="free", auto_start=True), 3)
    assert settings == Settings(game="indian", undo="free", late="watch", auto_start=False)
    deadly = Plan().changed({"deadly": True, "ladder": [{"undo": "free"}]})
    assert deadly.settings_of(Settings(), 1).undo == "none"


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


@pytest.mark.parametrize("kind", TIEBREAKS)
def test_a_host_chooses_among_the_tie_breaks_of_the_format(kind: Format) -> None:
    plan = Plan().changed({"format": kind})
    assert plan.tiebreak_order == DEFAULT_TIEBREAKS[kind]
    every = list(reversed(TIEBREAKS[kind]))
    assert list(plan.changed({"tiebreaks": every}).tiebreak_order) == every
    others = {name for names in TIEBREAKS.values() for name in names} - {*every}
    for other in sorted(others):
        assert refusal(format=kind, tiebreaks=[other]).details == {"detail": "tiebreak-of-format", "tiebreak": other}


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
