from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import Move
from fortythieves.rules.race_rules import UNDO
from fortythieves.solver.analysis import Log, analysis, parted
from fortythieves.solver.search import search
from tests.examples import examples
from tests.shared.kinds import KINDS
from tests.shared.players import Dice
from tests.shared.solver import make_analysis

KEYS = st.sampled_from(list(KINDS))
SEEDS = st.integers(0, 2**32)

#: Narrow, so that a test takes milliseconds.
WIDTH = 2


def some_log(key: str, dice: Dice, most: int = 80) -> Log:
    return make_analysis.some_log(GAMES[key], 32_001 + dice.below(1000), dice, dice.below(most + 1))


def won_log(key: str, number: int) -> Log:
    deck = deck_of_number(number)
    found = search(Board.deal(GAMES[key], deck), 48)
    assert found.won
    return Log(GAMES[key], deck, "none", [*map(str, found.moves)])


@given(KEYS, SEEDS)
@examples(5)
def test_values_points_and_falls_agree_with_the_boards(key: str, seed: int) -> None:
    log = some_log(key, Dice(seed))
    found = analysis(log, WIDTH)
    reached = [board.home for board in log.boards()]
    assert [*found.values] == sorted(found.values, reverse=True)
    assert len(found.values) == len(reached) == len(log.entries) + 1
    assert all(home <= value for home, value in zip(reached, found.values, strict=True))
    assert found.home == reached[-1] and found.possible == found.values[0] and 0 <= found.hindsight <= 100
    for point in found.points:
        assert home_after(log, point.at, point.moves) == point.best
    for at, value in enumerate(found.values):
        assert value in {*reached[at:], *(point.best for point in found.points if point.at >= at)}
    assert [fall.cost for fall in found.falls] == sorted((fall.cost for fall in found.falls), reverse=True)
    for fall in found.falls:
        assert fall.cost > 0
        assert found.values[fall.at : fall.at + 2] == (fall.before, fall.after)
        assert home_after(log, fall.at, fall.moves) == fall.before


def home_after(log: Log, at: int, moves: Iterable[Move]) -> int:
    board = log.board(at)
    for move in moves:
        board.play(move)
    return board.home


def test_it_says_until_when_a_win_was_there_with_a_line_that_wins() -> None:
    log = won_log("limited", 32_001)
    # After the first half of the line, the player only draws.
    board = log.board(len(log.entries) // 2)
    entries = [*log.entries[: board.moves_made], *["draw"] * board.stock_count]
    log = log._replace(entries=entries)
    found = analysis(log)
    assert found.last_win is not None
    assert board.moves_made <= found.last_win.at < len(entries)
    board = log.board(found.last_win.at)
    for move in found.last_win.moves:
        board.play(move)
    assert board.home == len(PACKS)
    assert found.values[found.last_win.at + 1] < len(PACKS)
    assert found.falls[0].at == found.last_win.at


def test_a_line_that_is_known_to_win_is_a_win_for_as_long_as_it_was_followed() -> None:
    log = won_log("limited", 32_001)
    lost = log._replace(entries=[*log.entries[:5], *["draw"] * 60], line=log.entries)
    found = analysis(lost, 1)
    follows = 5 + next(at for at, text in enumerate(log.entries[5:]) if text != "draw")
    assert found.possible == len(PACKS)
    assert found.last_win is not None
    assert found.last_win.at >= follows
    assert analysis(lost._replace(line=()), 1).possible < len(PACKS)


@pytest.mark.parametrize("line", [["draw"], ["draw", "redeal"], ["nothing"]])
def test_a_line_that_does_not_win_changes_nothing(line: list[str]) -> None:
    log = some_log("maria", Dice(4), most=30)
    assert analysis(log._replace(line=line), WIDTH) == analysis(log, WIDTH)


def test_an_entry_that_is_not_allowed_is_named() -> None:
    log = Log(GAMES["lucas"], deck_of_number(32_001), "none", ["draw", UNDO])
    with pytest.raises(Refused) as refused:
        analysis(log)
    assert (refused.value.code, refused.value.details["at"]) == ("undo-off", 1)


@pytest.mark.parametrize(
    ("one", "other", "at"),
    [(["draw", "1-2"], ["draw", "1-3"], 1), (["draw"], ["draw", "1-3"], None), ([], [], None), (["1-2"], ["draw"], 0)],
)
def test_two_racers_part_where_their_logs_differ(one: list[str], other: list[str], at: int | None) -> None:
    assert parted(one, other) == at
