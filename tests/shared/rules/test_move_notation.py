import pytest

from fortythieves.errors import Refused
from fortythieves.rules.move_notation import DRAW, FOUNDATION, MOVES, REDEAL, WASTE, Move, parse_move
from tests.refusals import refusal


@pytest.mark.parametrize(
    ("text", "move"),
    [
        *(("draw", DRAW), ("redeal", REDEAL), ("W-F", Move(WASTE, FOUNDATION)), ("W-3", Move(WASTE, 3))),
        *(("3-F", Move(3, FOUNDATION)), ("3-7", Move(3, 7)), ("3-7x4", Move(3, 7, 4)), ("12-13x13", Move(12, 13, 13))),
    ],
)
def test_a_move_has_one_text(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert str(move) == repr(move) == text


def test_every_move_reads_back_from_its_text() -> None:
    assert all(parse_move(text) == move and str(move) == text for text, move in MOVES.items())


def test_no_two_texts_are_the_same_move() -> None:
    columns = 13
    singles = 1 + columns + columns  # W-F, W-n, n-F
    between_columns = columns * (columns - 1) * 13
    assert len(MOVES) == len(set(MOVES.values())) == 2 + singles + between_columns


def is_refused(text: str) -> bool:
    try:
        parse_move(text)
    except Refused as refused:
        return refused.code == "bad-move" and len(str(refused)) < 80
    return False


def test_every_other_text_is_refused() -> None:
    texts = [
        *("", " ", "Draw", "DRAW", "draw ", " draw", "draw\n", "undo", "deal"),
        *("3-3", "3-3x2", "W-W", "F-3", "F-F", "3-W", "W-0", "0-3", "3-0", "-1-3", "3--1"),
        *("3-14", "14-3", "14-F", "W-14", "3-99", "99999999999999999999-1"),
        *("03-7", "3-07", "3-7x04", "+3-7", "3 - 7", "3-7 x4", "3.0-7"),
        *("3-7x1", "3-7x0", "3-7x-2", "3-7x14", "3-7x", "3-7X4", "x4", "3-Fx2", "W-3x2", "drawx2"),
        *("w-3", "3-f", "W-", "-F", "3", "3-", "-", "--", "3–7", "3-7-9", "3_7"),
        *("٣-7", "3-７", "3-7x²", "W‑F", "\ud800", "3-7\x00", "\u200b3-7"),
        "3-7" * 1_000_000,
    ]
    assert [ascii(text[:20]) for text in texts if not is_refused(text)] == []


@pytest.mark.parametrize("thing", [None, 7, 3.5, True, [], {}, ["3-7"], b"3-7", DRAW], ids=repr)
def test_what_is_no_text_is_refused(thing: str) -> None:
    assert refusal(parse_move, thing) == "bad-move"
