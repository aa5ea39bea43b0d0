"""A match of several races in a room: its score, its end, and the next one."""

from fortythieves.protocol import to_server as say
from fortythieves_server.core.evolve import replay
from tests.server.tables import SECOND, Table, in_round, lobby


def race(table: Table, *order: int, solo: bool = False) -> None:
    """Let all here race; these seats come first, second ... Others make no move, so they have no place."""
    if table.race.over_at is not None:
        table.do(order[0] if order else 1, say.Rematch(1, ""))
    table.do(table.room.host or 0, say.Start(1))
    table.settle_at(table.race.starts_at or table.now)
    assert solo or len(table.race.racers) > 1
    table.wait(SECOND)
    for place, seat in enumerate(order):
        table.moves(seat, home=40 - place)
    table.run_out()


def score(table: Table) -> tuple[dict[str, object], int | None]:
    match = table.view()["match"]
    return match["wins"], match["winner"]


def test_the_first_to_win_most_races_of_a_match_wins_it_and_the_next_race_begins_another() -> None:
    table = lobby(2, best_of=3)
    assert table.view()["match"] == {"first_to": 2, "wins": {}, "winner": None}
    for winner, loser in ((1, 2), (2, 1)):
        race(table, winner, loser)
    assert score(table) == ({"1": ("Ann", 1), "2": ("Bob", 1)}, None)
    race(table, 1, 2)
    assert score(table) == ({"1": ("Ann", 2), "2": ("Bob", 1)}, 1)
    table.do(2, say.Rematch(1, ""))
    assert score(table) == ({}, None)
    race(table, 2, 1)
    assert score(table) == ({"2": ("Bob", 1)}, None)
    assert replay(table.log).match == table.room.match, "each process gets the same from the log"


def test_three_racers_race_on_until_one_has_the_wins() -> None:
    table = lobby(3, best_of=3)
    for seat in (1, 2, 3):
        race(table, seat)
    assert score(table)[1] is None
    race(table, 3)
    assert score(table) == ({"1": ("Ann", 1), "2": ("Bob", 1), "3": ("Cem", 2)}, 3)


def test_a_tie_and_races_without_a_winner_or_a_rival_count_for_nobody() -> None:
    table = lobby(2, best_of=5)
    race(table)
    assert score(table) == ({}, None), "nobody moved"
    table.do(1, say.Rematch(1, ""), say.Start(1))
    table.settle_at(table.race.starts_at or table.now)
    table.moves(1, 2, home=7)
    table.run_out()
    assert [*table.race.places.values()] == [1, 1]
    assert score(table) == ({}, None)
    table.do(2, say.Leave(1))
    race(table, 1, solo=True)
    assert table.race.places == {1: 1}
    assert score(table) == ({}, None)


def test_who_leaves_keeps_the_wins_and_who_comes_late_begins_with_none() -> None:
    table = lobby(2, best_of=5)
    race(table, 2, 1)
    table.do(2, say.Leave(1))
    table.join("cem")
    race(table, 3, 1)
    assert score(table) == ({"2": ("Bob", 1), "3": ("Cem", 1)}, None)
    assert table.join("bob") == 4
    race(table, 4, 1)
    assert score(table) == ({"3": ("Cem", 1), "4": ("Bob", 2)}, None)


def test_another_number_of_races_begins_a_new_match_and_other_settings_do_not() -> None:
    table = lobby(2, best_of=3)
    race(table, 1, 2)
    table.do(1, say.ChangeSettings(1, {"best_of": 5}))
    assert score(table)[0] == {"1": ("Ann", 1)}, "the race that is over still shows its score"
    table.do(1, say.Rematch(1, ""))
    assert table.view()["match"] == {"first_to": 3, "wins": {}, "winner": None}
    race(table, 2, 1)
    table.do(1, say.Rematch(1, ""), say.ChangeSettings(1, {"game": "lucas"}))
    assert score(table)[0] == {"2": ("Bob", 1)}
    table.do(1, say.ChangeSettings(1, {"best_of": 7}))
    assert table.view()["match"] == {"first_to": 4, "wins": {}, "winner": None}
    table.do(1, say.ChangeSettings(1, {"best_of": 1}))
    assert "match" not in table.view()


def test_only_the_races_of_friends_make_a_match() -> None:
    assert "match" not in lobby(2).view()
    table = in_round(2, best_of=3)
    table.moves(2, home=9)
    table.run_out()
    assert "match" not in table.view() and not table.room.match.wins
    assert lobby(1).why(1, say.ChangeSettings(1, {"best_of": 2})) != ""
