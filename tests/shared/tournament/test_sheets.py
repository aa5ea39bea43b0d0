"""Tables for spreadsheets."""

import csv
import io
from collections import Counter

import pytest
from msgspec.structs import replace

from fortythieves.tournament.rounds import Entrant
from fortythieves.tournament.sheets import results_csv, standings_csv, teams_csv
from tests.shared.tournament.bundles import TEAMS, bundle, event, event_of_teams
from tests.shared.tournament.play import event_of


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_standings_have_a_row_for_each_entrant_and_a_column_for_each_round() -> None:
    table = rows(standings_csv(event()))
    titles = "place,seat,name,state,score,wins,solved,home,round 1,round 2,round 3"
    assert list(table[0]) == titles.split(",")
    assert [int(row["seat"]) for row in table] == [row.seat for row in bundle().standings]
    assert [float(row["score"]) for row in table] == [row.score for row in bundle().standings]
    assert {row["round 2"] for row in table} == {""}


def test_the_results_have_a_row_for_each_result_with_the_link_of_its_record() -> None:
    table = rows(results_csv(event()))
    assert len(table) == 6
    assert {row["record"] for row in table} == {f"https://cards.example.org/r/KQXWVD/{n}" for n in (1, 3)}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx", "＝1"])
def test_a_name_never_becomes_a_formula(name: str) -> None:
    one = event()
    named = one._replace(entrants={**one.entrants, 1: Entrant(name)})
    for text in (standings_csv(named), results_csv(named)):
        assert f"'{name}" in {row["name"] for row in rows(text)}


@pytest.mark.parametrize("name", ["x;=cmd|'/c calc'!A0", "x; +1;-2", 'x";"=1'])
def test_a_name_becomes_no_formula_where_semicolons_separate_cells(name: str) -> None:
    one = event()
    named = one._replace(entrants={**one.entrants, 1: Entrant(name)})
    for text in (standings_csv(named), results_csv(named)):
        cells = [cell.lstrip('" ') for line in text.splitlines() for cell in line.split(";")[1:]]
        assert {cell[:2] for cell in cells} <= {"'=", "'+", "'-"} and len(cells) >= name.count(";")


def test_names_with_commas_quotes_and_of_other_scripts_are_kept() -> None:
    one = event()
    names = ('Ann "A", B', "डैन", "🦊 Eve")
    named = one._replace(entrants={seat: Entrant(name) for seat, name in enumerate(names, start=1)})
    assert {row["name"] for row in rows(standings_csv(named))} == set(names)


def test_a_third_of_a_point_is_written_with_four_decimals_and_a_whole_one_with_none() -> None:
    one = event()
    tie = {seat: next(iter(one.rounds[0].races[0].values())) for seat in (1, 2, 3)}
    text = standings_csv(one._replace(rounds=[replace(one.rounds[0], races=(tie,))]))
    assert {row["score"] for row in rows(text)} == {"19.3333"}
    assert "25.0" not in standings_csv(one)


def test_teams_have_a_table_with_the_names_of_those_who_counted() -> None:
    assert all(
        row["team"] == TEAMS[int(row["seat"])][0].replace("+", "'+") for row in rows(standings_csv(event_of_teams()))
    )
    table = rows(teams_csv(event_of_teams()))
    assert list(table[0])[:5] == ["place", "team", "score", "best", "alone"]
    assert [row["team"] for row in table] == ["Red", "'+Blue"]
    assert {*table[0]["who counted in round 1"].split(", ")} == {"Ann", "Çem"}
    assert table[0]["who counted in round 2"] == ""
    assert table[1]["who counted in round 1"] == "'=Bob()", "a name never becomes a formula"


def test_in_a_round_robin_the_standings_have_the_group() -> None:
    made = event_of("roundrobin", 6, "sheet", how="calm", groups=2).to_the_end()
    table = rows(standings_csv(event()._replace(plan=made.plan, entrants=made.entrants, rounds=made.rounds)))
    assert Counter(row["group"] for row in table) == {"A": 3, "B": 3}
    assert [*table[0]][:6] == ["place", "seat", "name", "state", "group", "score"]
