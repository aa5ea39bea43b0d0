"""The examples of TOURNAMENTS.md are computed by the code."""

import re
from pathlib import Path

from msgspec.structs import replace

from fortythieves.tournament.draw import draw
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves.tournament.series import Cell, Series, table
from fortythieves.tournament.standings import standings
from fortythieves.tournament.teams import TeamRow
from fortythieves.tournament.teams import table as team_table
from tests.shared.tournament.make_series import file_of
from tests.shared.tournament.play import Ranked, chance_of, entrants_of, plan_of, race_of

TEXT = (Path(__file__).parents[3] / "shared" / "TOURNAMENTS.md").read_text("utf-8")

ONE_GROUP, FOUR_GROUPS = plan_of(format="roundrobin"), plan_of(format="roundrobin", groups=4)


def section(title: str) -> str:
    return re.split(r"\n##+ ", re.split(rf"\n##+ {title}\n", TEXT)[1])[0]


def rows(title: str, head: str) -> list[list[str]]:
    table = re.split(rf"^{head} \|.*\n[-|]+\n", section(title), flags=re.MULTILINE)[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.split(" |")] for line in table.splitlines()]


def written(*values: object) -> list[str]:
    return [f"{value:g}" if isinstance(value, int | float) else str(value) for value in values]


def test_the_example_of_a_knock_out() -> None:
    cup = Ranked("knockout", 5).to_the_end()
    assert rows("Knock-out", "round") == drawn_in(cup)
    assert [seat for _, seat, _ in cup.table()] == [1, 2, 3, 4, 5]


def drawn_in(event: Ranked) -> list[list[str]]:
    return [
        [str(done.number), ", ".join(f"{a}-{b}" for a, b in done.pairs), ", ".join(map(str, done.byes))]
        for done in event.rounds
    ]


def test_the_example_of_a_double_elimination() -> None:
    cup = Ranked("double", 6)
    while cup.next(best=2 if len(cup.rounds) == 3 else 0):
        pass
    rounds = cup.rounds

    def pairs(done: Round, *, lost: bool) -> str:
        return ", ".join(f"{one}-{other}" for one, other in done.pairs if (one in done.lost) == lost)

    drawn = [
        written(done.number, pairs(done, lost=False), pairs(done, lost=True), ", ".join(map(str, done.byes)))
        for done in rounds[:5]
    ]
    assert rows("Double elimination", "round") == drawn
    assert [done.pairs for done in rounds[5:]] == [((1, 2),)] * 2
    found = [written(row.place, row.seat, row.score, row.tiebreaks[0]) for row in cup.rows()]
    assert rows("Double elimination", "place") == found


def test_the_example_of_a_swiss_event() -> None:
    plan, entrants = plan_of(format="swiss"), entrants_of(5)
    first = Round(1, (1, 2, 3, 4), ((1, 2), (3, 4)), (5,), (race_of({1: 30, 2: 20, 3: 25, 4: 25}),))
    drawings = [draw(plan, entrants, [first], chance_of(n)) for n in range(20)]
    ways = {frozenset(map(frozenset, drawing.pairs)) for drawing in drawings if drawing and drawing.byes == (2,)}
    one_way, other_way = {frozenset({1, 3}), frozenset({5, 4})}, {frozenset({1, 4}), frozenset({5, 3})}
    assert ways == {frozenset(one_way), frozenset(other_way)}
    assert all(drawing and drawing.byes == (2,) for drawing in drawings)
    second = Round(2, (1, 4, 5, 3), ((1, 4), (5, 3)), (2,), (race_of({1: 22, 4: 21, 3: 40, 5: 12}),))
    table = standings(plan, entrants, [first, second])
    assert rows("Swiss", "place") == [written(row.place, row.seat, row.score, *row.tiebreaks[:4]) for row in table]


def test_the_example_of_a_series() -> None:
    events: list[list[tuple[str, int | None]]] = [
        [("Ann", 1), ("Bob", 2)],
        [("Bob", 1), ("Cy", 2), ("Ann", 3)],
        [("Dee", 1), ("Ann", 2), ("Bob", 2)],
    ]

    def cell(one: Cell | None) -> str:
        return "–" if one is None else f"{one.points:g}" if one.counts else f"({one.points:g})"

    found = table(Series((10, 6, 3), best=2), [file_of(event) for event in events])
    assert rows("Series", "place") == [written(row.place, row.name, row.score, *map(cell, row.cells)) for row in found]


def test_the_example_of_a_round_robin() -> None:
    event = Ranked("roundrobin", 6, groups=2)
    event.next()
    event.set_state(4, "withdrawn")
    assert rows("Round robin", "round") == drawn_in(event.to_the_end())


def team_rows(found: tuple[TeamRow, ...]) -> list[list[str]]:
    return [written(row.place, row.team, row.score, *row.tiebreaks, *row.rounds) for row in found]


def in_teams(**teams: str) -> dict[int, Entrant]:
    """The entrants of these teams, whose names have a space between them, by seat."""
    named = [(name, team, board) for team, names in teams.items() for board, name in enumerate(names.split(), start=1)]
    return {seat: Entrant(name, team=team, board=n) for seat, (name, team, n) in enumerate(named, start=1)}


def test_the_example_of_teams_in_a_swiss() -> None:
    plan, entrants = plan_of(format="swiss", team_size=2), in_teams(Red="1 2 3", Blue="4 5", Green="6 7")
    byes = {drawing.byes for n in range(30) if (drawing := draw(plan, entrants, [], chance_of(n)))}
    assert byes == {(1, 2), (4, 5), (6, 7)}, "lots decide in the first round; reserves have no bye"
    first = Round(1, (1, 4, 2, 5), ((1, 4), (2, 5)), (6, 7), (race_of({1: 30, 4: 20, 2: 25, 5: 25}),))
    entrants |= {seat: replace(entrants[seat], state="withdrawn") for seat in (2, 7)}
    drawings = [draw(plan, entrants, [first], chance_of(n)) for n in range(9)]
    ways = {(frozenset(map(frozenset, one.pairs)), frozenset(one.byes)) for one in drawings if one}
    assert ways == {(frozenset({frozenset({1, 6})}), frozenset({3, 4, 5}))}
    second = Round(2, (1, 6), ((1, 6),), (3, 4, 5), (race_of({1: 10, 6: 11}),))
    assert team_rows(team_table(plan, entrants, [first, second])) == rows("Teams in a Swiss", "place")
