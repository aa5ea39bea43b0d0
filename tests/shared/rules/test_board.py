"""Errors for moves that are not allowed, and the cards that a player knows.

test_vectors.py compares the legal moves, their effects and the outcome with a second implementation.
"""

import pytest

from fortythieves.errors import REASONS, Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, PACKS, names, parse_card, parse_cards
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW, REDEAL, STOCK, WASTE, Move, parse_move
from tests.refusals import refusal
from tests.shared.arranged import board_with


def can(board: Board, text: str) -> bool:
    return parse_move(text) in board.legal_moves


def play(board: Board, *texts: str) -> str:
    """Play some moves and return the cards that the last one revealed."""
    turned: tuple[int, ...] = ()
    for text in texts:
        turned = board.play(parse_move(text))
    return names(turned)


def why_not(board: Board, text: str) -> str:
    with pytest.raises(Refused) as refused:
        board.play(parse_move(text))
    assert refused.value.code == "illegal-move"
    reason = str(refused.value.details["reason"])
    assert str(refused.value) == REASONS[reason]
    return reason


@pytest.mark.parametrize("deck", [[], list(PACKS[:-1]), [*PACKS, 0], [*PACKS[:-1], 0], [*PACKS[:-1], HIDDEN]])
def test_what_is_not_two_packs_cannot_be_dealt(deck: list[int]) -> None:
    with pytest.raises(ValueError, match="two packs"):
        Board.deal(game("streets"), deck)


@pytest.mark.parametrize(
    ("key", "columns", "text", "reason"),
    [
        *(("lucas", "8C 9S", "1-2", "build-same-suit"), ("indian", "8C 9C", "1-2", "build-different-suit")),
        ("maria", "8C 9S", "1-2", "build-alternating-colour"),
        *(("maria", "AS", text, "no-such-piles") for text in ("1-10", "13-F", "W-12", "10-1")),
        *((key, "9H8H TH", "1-2x2", "one-card") for key in ("forty-thieves", "limited", "lucas")),
        *((key, "9H8S TS", "1-2x2", "one-card") for key in ("indian", "maria", "streets")),
        *(("little-forty", f"{cards} TS", "1-2x2", "no-sequence") for cards in ("9H8H", "9H7S")),
        ("number-ten", "9H8D TS", "1-2x2", "no-sequence"),
    ],
)
def test_a_refused_move_is_told_the_reason(key: str, columns: str, text: str, reason: str) -> None:
    board = board_with(key, dict(enumerate(columns.split(), start=1)))
    assert why_not(board, text) == reason


def test_an_empty_column_takes_any_card_that_may_be_moved() -> None:
    board = board_with("limited", {1: "3H2HAH", 2: "7C", 3: "QD"}, "KS")
    play(board, "1-F", "1-F", "1-F", "draw")
    assert board.columns[0] == ()
    assert can(board, "2-1") and can(board, "3-1")
    assert why_not(board, "1-F") == "no-card"
    play(board, "W-1")
    assert names(board.columns[0]) == "KS"
    assert why_not(board, "2-F") == "foundation-not-ready"


@pytest.mark.parametrize(
    "move",
    [
        *(Move(1, 1), Move(-1, 1), Move(-1, -1), Move(0, 0), Move(1, 0), Move(99, 1), Move(1, 99), Move(-3, 1)),
        *(Move(1, -3), Move(STOCK, 1), Move(STOCK, -1), Move(1, STOCK), Move(STOCK, STOCK), Move(STOCK, WASTE, 2)),
        *(Move(1, 2, 0), Move(1, 2, -1), Move(1, -1, 0), Move(0, 3, 2), Move(0, -1, 2), Move(1, -1, 2), Move(1, 2, 99)),
        Move(WASTE, STOCK, 2),
    ],
    ids=tuple,
)
@pytest.mark.parametrize("key", ["forty-thieves", "little-forty"])
def test_a_move_that_has_no_text_is_never_legal(key: str, move: Move) -> None:
    # In Little Forty, column 1 is the sequence 2S AH: 2S fits at home. The waste ends in 3H 2C, which fits column 3.
    board = board_with(key, {1: "2SAH", 2: "AS", 3: "4C"}, "9C3H2C")
    play(board, "2-F", "draw")
    assert move not in board.legal_moves
    assert tuple(move) not in board.legal_moves
    assert refusal(board.play, move) == "illegal-move"


def test_why_nothing_is_drawn_or_turned_over() -> None:
    board = board_with("little-forty")
    for redeals_left in (3, 2, 1, 0):
        assert board.redeals_left == redeals_left
        assert why_not(board, "redeal") == "stock-not-empty"
        assert [len(board.play(DRAW)) for _ in range(22)] == [3] * 21 + [1]
        assert why_not(board, "draw") == "stock-empty"
        if redeals_left:
            assert play(board, "redeal") == ""
    assert why_not(board, "redeal") == "no-redeal"


def board_whose_stock_goes_home() -> Board:
    """Little Forty with the aces to eights played home from the stock: each draw brought up cards that all fitted."""
    order = [rank_ + suit for suit in "CSHDCSHD" for rank_ in "A2345678"]
    board = board_with("little-forty", stock="".join("".join(order[at : at + 3][::-1]) for at in range(0, 64, 3)))
    while board.stock_count:
        for _ in board.play(DRAW):
            play(board, "W-F")
    return board


def test_an_empty_waste_is_not_turned_over() -> None:
    assert why_not(board_whose_stock_goes_home(), "redeal") == "waste-empty"


def test_there_is_nothing_to_undo_at_the_start() -> None:
    assert refusal(board_with("lucas").undo) == "nothing-to-undo"


def players_board(key: str, columns: dict[int, str] | None = None) -> Board:
    return Board.of_start(game(key), board_with(key, columns).start())


def test_a_player_who_is_not_told_what_was_turned_cannot_go_on() -> None:
    board = players_board("rank-and-file", {1: "7DQC5CAC"})
    before = board.position
    for text in ("1-F", "draw"):
        with pytest.raises(ValueError, match="nobody named it"):
            board.play(parse_move(text))
    assert (board.position, board.moves_made) == (before, 0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(("draw", parse_cards(told)) for told in ("TH", "TH9C8C7C", "TH9C##")),
        *(("1-F", parse_cards(told)) for told in ("AC", "TH9C8C")),
        *(("draw", (card, 1, 2)) for card in (52, -2)),
    ],
)
def test_a_board_that_is_told_too_little_or_too_much_says_so_and_does_nothing(text: str, told: list[int]) -> None:
    board = players_board("little-forty", {1: "AC"})
    before = board.position
    with pytest.raises(ValueError):
        board.play(parse_move(text), told)
    assert (board.position, board.moves_made) == (before, 0)
    redealt = board_with("little-forty")
    play(redealt, *["draw"] * 22)
    with pytest.raises(ValueError, match="reveals no card"):
        redealt.play(REDEAL, parse_cards("TH"))


def test_a_board_that_knows_a_card_is_not_told_another() -> None:
    board = board_with("streets", stock="TH")
    with pytest.raises(ValueError, match="not those that lie there"):
        board.play(DRAW, parse_cards("TS"))
    assert board.play(DRAW, parse_cards("TH")) == parse_cards("TH")


def test_a_player_remembers_what_he_has_seen_but_the_board_does_not_show_it() -> None:
    board = players_board("rank-and-file", {1: "7DQC5CAC"})
    board.play(parse_move("1-F"), parse_cards("5C"))
    board.undo()
    assert names(board.columns[0]) == "######AC"
    with pytest.raises(ValueError, match="not those that lie there"):
        board.play(parse_move("1-F"), parse_cards("6C"))
    assert board.play(parse_move("1-F")) == parse_cards("5C")


@pytest.mark.parametrize(
    "start",
    [
        *("", "7C8C9C"),
        *(" ".join(["##5H6H"] * columns) for columns in (9, 10, 11)),  # too few, ten of a card, too many
        *(
            " ".join([f"{below}{card}H{top}" for card in "23456789TJ"])
            for below, top in (("####", ""), ("2C", "3S"), ("##", ""))
        ),
    ],
)
def test_columns_that_no_deal_looks_like_are_no_start(start: str) -> None:
    with pytest.raises(ValueError, match="starts like this"):
        Board.of_start(game("indian"), [parse_cards(column) for column in start.split()])


def test_the_start_is_known_only_at_the_start() -> None:
    board = board_with("lucas")
    board.play(DRAW)
    with pytest.raises(ValueError, match="only known before its first move"):
        board.start()
    lucas = list(board_with("lucas").start())
    lucas[3] = (*lucas[3][:2], parse_card("AS"))
    with pytest.raises(ValueError, match="starts like this"):
        Board.of_start(game("lucas"), lucas)
    board.undo()
    assert board.start() == board.columns
