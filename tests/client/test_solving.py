"""The commands `solve` and `analyse --record`, without the program around them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fortythieves.errors import CannotRead, Refused
from fortythieves.record import race_record
from fortythieves.record.race_record import Deal, Plain
from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import parse_move
from fortythieves.times import Ms
from fortythieves_client.solving import COSTLY, analyse_record, solve_deal, solve_record
from tests.shared.make_records import Seat, by_name, signed_record, won

WIDTH = 4
KEY = "maria"


def the_race() -> Plain:
    """One racer wins, one follows for ten moves and then only draws, and one does nothing."""
    number, log = won(KEY)
    half = [*log[:10], *[(Ms(30_000 + n), "draw") for n in range(10)]]
    seats = {1: Seat(log), 2: Seat(half, ((50_000, "gave_up"),)), 4: Seat((), ((20_000, "gave_up"),))}
    settings: dict[str, Any] = {"game": KEY, "time_limit": 600, "deal": number}
    return signed_record("KQXWVD", settings, Deal(number=number), seats, 1)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[Plain], str]:
    def write(record: Plain) -> str:
        path = tmp_path / "race.ftr"
        path.write_bytes(race_record.packed(record))
        return str(path)

    return write


def test_a_solved_deal_has_moves_and_stars() -> None:
    solved = solve_deal("lucas", "32001", [], effort=128)
    assert list(solved) == ["game", "number", "moves", "home", "positions", "seconds", "rung", "stars"]
    assert (solved["game"], solved["number"], solved["home"]) == ("lucas", 32001, 104)
    assert solved["stars"] in (1, 2, 3)
    board = Board.deal(GAMES["lucas"], deck_of_number(32_001))
    for text in solved["moves"]:
        board.play(parse_move(text))
    assert board.outcome == "won"

    rest = solve_deal("lucas", "32001", solved["moves"][:40], effort=128)
    assert (rest["home"], rest["stars"]) == (104, None), "stars are for a whole deal"
    unsolved = solve_deal("forty-thieves", "32001", [], effort=2)
    assert (unsolved["moves"], unsolved["rung"], unsolved["stars"]) == (None, None, None)
    assert 0 < unsolved["home"] < 104


@pytest.mark.parametrize(
    ("arguments", "code", "at"),
    [
        (("nonsense", "32001", []), "unknown-game", None),
        (("lucas", "5", []), "bad-number", None),
        (("lucas", "x", []), "bad-number", None),
        (("lucas", "32001", ["draw", "undo"]), "bad-move", 1),
        (("lucas", "32001", ["redeal"]), "illegal-move", 0),
    ],
)
def test_a_wrong_deal_is_refused(arguments: tuple[str, str, list[str]], code: str, at: int | None) -> None:
    with pytest.raises(Refused) as refused:
        solve_deal(*arguments, effort=1)
    assert (refused.value.code, refused.value.details.get("at")) == (code, at)


def test_a_position_of_a_record_is_solved(file: Callable[[Plain], str]) -> None:
    record = the_race()
    log = dict(record["logs"])[1]
    solved = solve_record(file(record), 1, len(log) - 3, effort=8)
    assert (solved["game"], solved["number"], solved["home"]) == (KEY, int(record["number"]), 104)
    assert solve_record(file(record), 1, 0, effort=1)["positions"] == solve_record(file(record), 4, 0, 1)["positions"]
    assert solve_record(file(by_name()["short"]), 1, 2, effort=1)["number"] is None


def test_each_racer_is_analysed_and_compared(file: Callable[[Plain], str]) -> None:
    said = analyse_record(file(the_race()), [], WIDTH)
    assert list(said) == ["code", "race", "game", "number", "par", "racers", "parted"]
    winner, second, idle = said["racers"]
    assert [racer["seat"] for racer in said["racers"]] == [1, 2, 4]
    assert (winner["home"], winner["possible"], winner["hindsight"], winner["fair"]) == (104, 104, 100, 100)
    assert winner["costly"] == []
    assert winner["last_win"] == {"at": winner["entries"], "moves": []}
    assert (idle["points"], idle["values"]) == ([0], [idle["possible"]])
    assert second["entries"] == 20
    assert 0 <= second["hindsight"] <= 100 and 0 <= second["fair"] <= 100
    assert said["parted"][0]["seats"] == [1, 2]
    assert said["parted"][0]["at"] >= 10
    assert said["parted"][0]["possible"][0] == 104
    assert said["parted"][1] == {"seats": [1, 4], "at": None, "moves": None, "possible": None}
    assert [racer["seat"] for racer in analyse_record(file(the_race()), [4, 2], 1)["racers"]] == [4, 2]


def test_costly_moves_have_a_better_line(file: Callable[[Plain], str]) -> None:
    number, log = won(KEY)
    # After half of a line that wins, the rest of the stock is drawn.
    texts = [text for _, text in log[: len(log) // 2]]
    draws = GAMES[KEY].stock - texts.count("draw")
    drawn = [*log[: len(log) // 2], *[(Ms(400_000 + n), "draw") for n in range(draws)]]
    settings: dict[str, Any] = {"game": KEY, "time_limit": 600, "deal": number}
    seats = {1: Seat(drawn, ((500_000, "gave_up"),))}
    [racer] = analyse_record(file(signed_record("KQXWVD", settings, Deal(number=number), seats)), [], 16)["racers"]
    assert 0 < len(racer["costly"]) <= COSTLY
    for costly in racer["costly"]:
        board = Board.deal(GAMES[KEY], deck_of_number(int(number)))
        for _, text in drawn[: costly["at"]]:
            board.play(parse_move(text))
        for text in costly["moves"]:
            board.play(parse_move(text))
        assert board.home == costly["before"]
        assert 0 <= costly["fair_cost"] <= costly["before"] - costly["after"]


def with_an_illegal_entry(record: Plain) -> Plain:
    return {**record, "logs": [[seat, [[0, "redeal"], *log] if seat == 2 else log] for seat, log in record["logs"]]}


@pytest.mark.parametrize(
    ("change", "seat", "sentence"),
    [
        (dict, 3, r"Seat 3 did not race\. The seats are 1, 2, 4"),
        (dict, 2, "has only 20 entries"),
        (lambda record: {**record, "deck": "KC"}, 2, "“deck” is not as it should be"),
        (with_an_illegal_entry, 2, "Seat 2, entry 0: The stock is not empty yet"),
    ],
    ids=["another seat", "after the end", "a wrong deck", "an illegal entry"],
)
def test_a_wrong_position_is_an_error(
    file: Callable[[Plain], str], change: Callable[[Plain], Plain], seat: int, sentence: str
) -> None:
    with pytest.raises(CannotRead, match=sentence):
        solve_record(file(change(the_race())), seat, 21, effort=1)
