"""Who is in which team: what entrants choose, what hosts change, and what neither can."""

from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol.to_server import ChangePlan, CoHost, Enter, Round, Swap, Team, Undo
from fortythieves.tournament.plan import NEW
from fortythieves_server.core import decide, evolve
from fortythieves_server.core.decide_tournament import changed
from tests.server.tables import MINUTE, Table, begin, drawn, entered, play

SWISS = {"format": "swiss", "team_size": 2, "rounds": 4, "by_timer": False}
POINTS = {"format": "points", "team_size": 2, "rounds": 4, "by_timer": False}
RED_CYRILLIC = "R\u0435d"


def team(seat: int, name: str, board: int = 0) -> Team:
    return Team(1, seat, name, board)


def choose(table: Table, teams: dict[int, str]) -> None:
    for seat, name in teams.items():
        table.do(seat, team(seat, name))


def teams_of(table: Table) -> dict[str, list[int]]:
    """The seats of each team, in its order."""
    found: dict[str, list[int]] = {}
    for seat, entrant in sorted(table.tournament.entrants.items(), key=lambda item: item[1].board):
        found.setdefault(entrant.team, []).append(seat)
    found.pop("", None)
    return found


def why(table: Table, seat: int, request: Any) -> str:
    """The code of a refusal, and its reason."""
    with pytest.raises(Refused) as refused:
        table.do(seat, request)
    return f"{refused.value.code} {refused.value.details.get('detail', '')}".strip()


def in_teams(plan: dict[str, Any], teams: dict[int, str]) -> Table:
    table = entered(max(teams) - 1, plan)
    table.do(1, Enter(1, False))
    choose(table, teams)
    return table


def start(table: Table) -> None:
    table.do(1, Round(1, "start"))
    table.settle()


def test_an_entrant_chooses_a_team_and_the_same_choice_again_changes_nothing() -> None:
    table = entered(3, SWISS)
    choose(table, {2: "Red", 3: "  Blue\u202e ", 4: "Red"})
    assert teams_of(table) == {"Red": [2, 4], "Blue": [3]}
    assert table.do(2, team(2, "Red")) == []
    table.do(2, team(2, "Blue"))
    assert teams_of(table) == {"Red": [4], "Blue": [3, 2]}
    table.do(2, team(2, ""))
    assert teams_of(table) == {"Red": [4], "Blue": [3]}
    assert table.room == evolve.replay(table.log)


@pytest.mark.parametrize("name", ["RED", " red ", RED_CYRILLIC, "R\u200bed"])
def test_names_that_look_alike_are_one_team(name: str) -> None:
    table = entered(3, SWISS)
    choose(table, {2: "Red", 3: name})
    assert teams_of(table) == {"Red": [2, 3]}


@pytest.mark.parametrize("name", ["R" * 25, "x" * 10_000, "\u200b", " "])
def test_a_name_of_a_team_is_as_short_as_any_name(name: str) -> None:
    table = entered(2, SWISS)
    assert why(table, 2, team(2, name)) == "bad-name"


def test_there_are_no_more_teams_than_entrants() -> None:
    table = entered(3, SWISS)
    for n in range(100):
        table.do(2, team(2, f"Team {n}"))
    assert teams_of(table) == {"Team 99": [2]}
    assert {one.team for one in table.tournament.entrants.values()} == {"", "Team 99"}


def test_only_hosts_move_others_and_order_a_team() -> None:
    table = entered(4, SWISS)
    choose(table, {2: "Red", 3: "Red", 4: "Red"})
    assert why(table, 5, team(2, "Blue")) == "not-host"
    assert why(table, 4, team(4, "Red", 1)) == "not-host"
    table.do(1, team(4, "Red", 1))
    assert teams_of(table) == {"Red": [4, 2, 3]}
    table.do(1, team(2, "Blue"))
    assert teams_of(table) == {"Red": [4, 3], "Blue": [2]}
    table.do(1, team(5, "Red", 2))
    assert teams_of(table) == {"Red": [4, 5, 3], "Blue": [2]}
    table.do(1, team(4, "Red", 900))
    assert teams_of(table)["Red"] == [5, 3, 4], "a position after the last one is the last one"
    assert table.do(1, team(4, "Red", 900)) == []
    assert [deed.what for deed in table.tournament.desk] == ["teamed"] * 4, "only what hosts do is listed"
    assert table.room == evolve.replay(table.log)


def test_a_full_team_takes_nobody_more() -> None:
    table = entered(8, SWISS)
    choose(table, dict.fromkeys(range(2, 8), "Red"))
    assert why(table, 8, team(8, "red")) == "no-team team-full"
    assert why(table, 1, team(8, "Red")) == "no-team team-full", "nor if a host says so"
    table.do(2, Enter(1, False))
    table.do(8, team(8, "Red"))
    table.do(2, Enter(1, True))
    assert len(teams_of(table)["Red"]) == 7, "whoever comes back is in the team again"
    table.do(1, ChangePlan(1, {"team_most": 9}))
    table.do(9, team(9, "Red"))


def test_in_points_a_team_has_as_many_as_enter_unless_the_host_says_otherwise() -> None:
    table = entered(20, POINTS)
    choose(table, dict.fromkeys(range(2, 20), "5b"))
    table.do(1, ChangePlan(1, {"team_most": 18}))
    assert why(table, 20, team(20, "5b")) == "no-team team-full"


def test_whoever_has_been_drawn_stays_in_the_team() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Blue", 5: "Blue", 6: "Red"})
    start(table)
    for seat in (1, 2):
        assert why(table, seat, team(2, "Blue")) == "no-team team-drawn"
        assert why(table, seat, team(2, "")) == "no-team team-drawn"
    table.do(6, team(6, "Blue"))  # a reserve has raced for nobody
    table.do(1, team(5, "Blue", 1))
    assert teams_of(table) == {"Red": [2, 3], "Blue": [5, 4, 6]}
    assert table.tournament.rounds[1].pairs in {((2, 4), (3, 5)), ((4, 2), (5, 3))}, "the drawn boards stay"


def test_whoever_comes_late_is_in_a_team_from_the_next_round_on() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Blue"})
    start(table)
    begin(table)
    late = table.join("late")
    play(table, 2)
    table.wait(MINUTE)
    table.do(late, team(late, "Red"))
    start(table)
    assert late in table.tournament.rounds[2].byes, "the other team has no second board"


def test_where_there_are_no_teams_nobody_is_in_one() -> None:
    table = entered(2, {})
    assert why(table, 2, team(2, "Red")) == "no-team team-none"
    table = entered(2, SWISS)
    assert why(table, 1, team(9, "Red")) == "unknown-seat"


def test_the_size_of_the_teams_is_fixed_by_the_first_draw() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Blue"})
    table.do(1, ChangePlan(1, {"team_size": 3}))
    start(table)
    assert why(table, 1, ChangePlan(1, {"team_size": 2})) == "bad-plan team-fixed"
    assert why(table, 1, ChangePlan(1, {"team_size": 0})) == "bad-plan team-fixed"
    table.do(1, ChangePlan(1, {"team_most": 5}))


def test_who_has_no_team_waits_and_the_others_race() -> None:
    table = in_teams(POINTS, {2: "Red", 3: "Blue"})
    table.join("alone")
    start(table)
    assert table.tournament.rounds[1].seats == (2, 3)
    one_team = in_teams(SWISS, {2: "Red", 3: "Red"})
    assert one_team.refuses(1, Round(1, "start")) == "too-few"


def test_boards_are_not_swapped_after_the_draw() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Blue", 5: "Blue"})
    start(table)
    assert table.refuses(1, Swap(1, 2, 3, 4)) == "no-swap"


def test_the_table_of_the_teams_is_in_the_view_from_the_first_race_on() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Blue", 5: "Blue"})
    assert "teams" not in table.tournament.shown
    start(table)
    begin(table)
    play(table, 2, 3)
    assert [(row.place, row.team, row.score) for row in table.tournament.shown["teams"]] == [
        (1, "Red", 1),
        (2, "Blue", 0),
    ]
    assert table.tournament.entrants[3].team == "Red"
    assert "teams" not in drawn(2).tournament.shown


# Taking back


def test_a_host_takes_back_a_move_to_another_team_and_a_new_order() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Red", 4: "Blue"})
    before = teams_of(table)
    for request in (team(3, "Blue"), team(3, "Red", 1), team(4, "")):
        table.wait(MINUTE)
        table.do(1, request)
        assert teams_of(table) != before
        table.do(1, Undo(1, table.tournament.undoable or 0))  # type: ignore[arg-type]  # a test fails if it is None
        assert teams_of(table) == before


def test_a_co_host_takes_back_the_order_of_a_team_in_which_the_creator_is() -> None:
    table = entered(3, SWISS)
    table.do(1, CoHost(1, 2, True))
    table.do(1, Enter(1, True))
    choose(table, {1: "Red", 2: "Red", 3: "Red"})
    table.wait(MINUTE)
    table.do(2, team(3, "Red", 1))
    assert teams_of(table) == {"Red": [3, 1, 2]}
    table.do(2, Undo(1, table.tournament.undoable or 0))  # type: ignore[arg-type]  # a test fails if it is None
    assert teams_of(table) == {"Red": [1, 2, 3]}


# The entry list


def listed(**plan: Any) -> Table:
    names = {"entry": "list", "listed": ("Ann", "Bob", "Cleo", "Dan"), "listed_teams": ("Red", "Blue", "Red")}
    table = Table({**SWISS, **names, **plan}, seats=100)
    table.join("host", name="Hilda")
    return table


def test_a_line_of_the_list_names_the_team_and_its_order() -> None:
    table = listed()
    for name in ("Cleo", "Bob", "Ann", "Dan"):
        table.join(name.lower(), name=name)
    assert teams_of(table) == {"Red": [4, 2], "Blue": [3]}, "Ann is before Cleo on the list"
    assert why(table, 2, team(2, "Blue")) == "no-team team-line"
    table.do(5, team(5, "blue"))
    assert teams_of(table)["Blue"] == [3, 5], "whose line has no team chooses one"
    table.do(1, team(2, "Blue"))
    assert teams_of(table) == {"Red": [4], "Blue": [3, 2, 5]}, "Cleo is before Dan on the list"
    assert table.room == evolve.replay(table.log)


def test_a_new_list_moves_those_who_have_not_been_drawn() -> None:
    table = listed(listed_teams=())
    for name in ("Ann", "Bob", "Cleo", "Dan"):
        table.join(name.lower(), name=name)
    assert teams_of(table) == {}
    table.wait(MINUTE)
    table.do(1, ChangePlan(1, {"listed_teams": ["Red", "Blue", "RED", ""]}))
    assert table.tournament.plan.listed_teams == ("Red", "Blue", "Red", ""), "look-alikes are one team"
    assert teams_of(table) == {"Red": [2, 4], "Blue": [3]}
    table.do(1, Undo(1, table.tournament.undoable or 0))  # type: ignore[arg-type]  # a test fails if it is None
    assert teams_of(table) == {}
    table.do(1, ChangePlan(1, {"listed_teams": ["Red", "Blue", "Red"]}))
    start(table)
    table.do(1, ChangePlan(1, {"listed_teams": ["Blue", "Red", "Red", "Red"]}))
    assert teams_of(table) == {"Red": [2, 4, 5], "Blue": [3]}, "only Dan was not drawn"


def test_teams_of_a_list_are_clean() -> None:
    plan = NEW.changed({"entry": "list", "listed": ["Ann", "Bob"]})
    assert changed(plan, {"listed_teams": [" Red\u202e ", ""]}).listed_teams == ("Red", "")
    with pytest.raises(Refused, match="cannot be a name"):
        changed(plan, {"listed_teams": ["\u200b"]})


def test_a_stranger_cannot_choose_for_anybody() -> None:
    table = in_teams(SWISS, {2: "Red", 3: "Blue"})
    stranger = table.join("eve")
    table.do(stranger, Enter(1, False))
    assert why(table, stranger, team(2, "Eve")) == "not-host"
    with pytest.raises(Refused):
        decide.decide(table.room, 99, team(99, "Eve"), table.context)
