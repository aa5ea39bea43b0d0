"""The files in shared/vectors, which also test the JavaScript, with the naive rules and the winning lines."""

from collections.abc import Iterable
from typing import Any

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import FAVOURITES, GAMES, game
from fortythieves.rules.move_notation import parse_move
from fortythieves.solver.effort import solve
from fortythieves.solver.search import Found
from tests.shared import reference
from tests.shared.kinds import KINDS
from tests.shared.make_positions import positions
from tests.shared.players import Dice
from tests.shared.vectors import MADE_BY, file, read, text

POSITIONS: list[dict[str, Any]] = read("positions")


def of_game(key: str) -> list[dict[str, Any]]:
    return [position for position in POSITIONS if position["game"] == key]


@pytest.fixture
def solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken records have few deals, and to solve them takes most of the time."""
    known = dict[str, Found]()

    def solve_once(board: Board) -> Found:
        dealt = str(board.start())
        if dealt not in known:
            known[dealt] = solve(board)
        return known[dealt]

    monkeypatch.setattr("fortythieves.record.proof.solve", solve_once)


@pytest.mark.usefixtures("solved_once")
@pytest.mark.parametrize("name", MADE_BY)
def test_a_file_is_what_its_generator_writes(name: str) -> None:
    assert file(name).read_text("utf-8") == text(name), "python -m tests.shared.vectors"


def test_the_file_stays_small_enough_to_be_read_in_a_diff() -> None:
    assert len(POSITIONS) >= 200
    assert any(one["judged"] == "stuck" and one["outcome"] is None for one in POSITIONS), "unknown to the player"
    assert file("positions").stat().st_size < 30_000 * len(GAMES)


@pytest.mark.parametrize("key", GAMES)
def test_the_naive_rules_say_the_same_of_every_position(key: str, soak: bool) -> None:
    check_by_reference(of_game(key))
    for seed in range(20 if soak else 0):
        check_by_reference(positions(game(key), Dice(seed)))


def check_by_reference(found: Iterable[dict[str, Any]]) -> None:
    for one in found:
        past = [reference.dealt(one["game"], [one["deck"][at : at + 2] for at in range(0, 208, 2)])]
        for move, _ in one["moves"]:
            if move == "undo":
                past.pop()
            else:
                following = reference.after(past[-1], move)
                assert following is not None
                past.append(following)
        position = past[-1]
        assert one["legal"] == reference.legal(position)
        assert one["columns"] == [["##"] * down + list(cards[down:]) for cards, down in position.columns]
        assert one["waste"] == list(position.waste)
        assert (one["stock"], one["redeals"]) == (len(position.stock), position.redeals)
        heights = sorted(height for family in one["foundations"] for height in family)
        assert heights == sorted([*map(len, position.piles), *[0] * (8 - len(position.piles))])
        assert one["home"] == len(position.home)
        assert one["judged"] == reference.outcome(position)
        assert one["outcome"] in (one["judged"], None)


@pytest.mark.parametrize("key", KINDS)
def test_every_game_has_positions_of_every_kind(key: str) -> None:
    found, row = of_game(key), GAMES[key]
    assert any(not one["moves"] for one in found)
    assert any(["undo", ""] in one["moves"] for one in found)
    assert any([] in one["columns"] for one in found)
    assert any(one["stock"] == 0 for one in found)
    assert {one["outcome"] for one in found} == {None, "won", "stuck"}
    assert any("##" in column for one in found for column in one["columns"]) == any(row.downs)
    assert any("x" in move for one in found for move in one["legal"]) == (row.unit != "card")
    assert {one["redeals"] for one in found} == set(range(row.redeals + 1))
    if row.redeals:
        assert any("redeal" in one["legal"] for one in found)
        assert any(["redeal", ""] in one["moves"] for one in found)


def test_every_game_has_a_line_that_wins_with_its_last_move_and_not_before() -> None:
    wins = read("wins")
    assert [win["game"] for win in wins] == list(FAVOURITES)
    for win in wins:
        board = Board.deal(game(win["game"]), deck_of_number(win["number"]))
        for move in win["moves"]:
            assert board.outcome is None
            board.play(parse_move(move))
        assert (board.outcome, board.home) == ("won", len(PACKS))
