import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import pytest

from fortythieves.rules.cards import parse_card
from fortythieves.rules.games import BUILD_RULES, GAMES, Game, game
from tests.refusals import refusal
from tests.shared.reference import ACES_OUT, TABLE

GAMES_MD = (Path(__file__).parents[3] / "shared" / "GAMES.md").read_text("utf-8")

BUILD = {"same suit": "same-suit", "a different suit": "different-suit", "alternating colour": "alternating-colour"}
UNIT = {"one card": "card", "sequences": "sequence"}


def meet(rule: str, card: str, onto: str) -> bool:
    return BUILD_RULES[rule](parse_card(card), parse_card(onto))


def test_the_games_are_those_of_the_table_in_its_order() -> None:
    assert list(GAMES) == list(TABLE)


@pytest.mark.parametrize("key", TABLE)
def test_a_game_is_what_its_row_says(key: str) -> None:
    columns, cards, face_down, build, unit, draw, redeals = TABLE[key]
    row = GAMES[key]
    assert (row.columns, row.cards, row.face_down) == (columns, cards, face_down)
    assert (row.build, row.unit, row.draw, row.redeals) == (BUILD[build], UNIT[unit], draw, redeals)
    assert row.aces_out == (key in ACES_OUT)


def test_what_is_not_dealt_is_the_stock() -> None:
    stocks = {"forty-thieves": 64, "indian": 74, "limited": 68, "lucas": 57, "maria": 68}
    assert {key: GAMES[key].stock for key in stocks} == stocks


def test_a_game_is_found_by_its_key() -> None:
    assert game("rank-and-file").name == "Rank and File"


@pytest.mark.parametrize("key", ["", "Lucas", "klondike", "lucas ", None, [], {}, 7])
def test_an_unknown_game_is_refused(key: str) -> None:
    assert refusal(game, key) == "unknown-game"


def test_a_different_suit_is_not_a_different_colour() -> None:
    # "8 of clubs on 9 of spades is legal in Indian, not in Maria."
    assert meet(game("indian").build, "8C", "9S")
    assert not meet(game("maria").build, "8C", "9S")


def test_the_build_rules_say_which_suits_meet() -> None:
    def fitting(rule: str) -> set[str]:
        return {card + onto for card in "CSHD" for onto in "CSHD" if meet(rule, "8" + card, "9" + onto)}

    assert fitting("same-suit") == {"CC", "SS", "HH", "DD"}
    assert fitting("different-suit") == {a + b for a in "CSHD" for b in "CSHD" if a != b}
    assert fitting("alternating-colour") == {"CH", "CD", "SH", "SD", "HC", "HS", "DC", "DS"}


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": 0},
        {"columns": 14},
        {"cards": 11},
        {"face_down": 4},
        {"face_down": -1},
        {"build": "any-suit"},
        {"unit": "column"},
        {"draw": 0},
        {"redeals": -1},
    ],
    ids=str,
)
def test_a_row_that_describes_no_game_is_not_read(changes: dict[str, object]) -> None:
    row = asdict(GAMES["forty-thieves"])
    with pytest.raises(ValueError, match="describes no game"):
        Game(**{**row, **changes})


# GAMES.md, which says all this in words


def plain(text: str) -> str:
    """A text without its layout."""
    return re.sub(r"[\s*`]+", " ", text).lower()


def prose_of(source: str) -> Iterator[str]:
    """The comments and docstrings of a module, each run of comment lines in one."""
    comment = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comment += token.string.lstrip("#:")
        elif token.type != tokenize.NL:
            yield comment
            comment = ""
            if token.type == tokenize.STRING and token.string.startswith('"""'):
                yield token.string.strip('"')


def test_every_game_is_told_to_players_in_its_own_section() -> None:
    sections = re.findall(r"^## (.+) \(`(.+)`\)$", GAMES_MD, re.MULTILINE)
    assert sections == [(row.name, row.key) for row in GAMES.values()]


def test_the_table_for_players_is_the_table_for_programs() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in GAMES_MD.splitlines() if line.startswith("| `")
    ]
    table = {row[0].strip("`"): row[1:] for row in rows if len(row) == 9}
    words = {"same-suit": "in the same suit", "different-suit": "in a different suit", "card": "one card"}
    words |= {"alternating-colour": "in alternating colours", "sequence": "sequences"}
    assert table == {
        row.key: [
            row.name,
            f"{row.columns} x {row.cards}",
            f"the bottom {row.face_down}" if row.face_down else "-",
            words[row.build],
            words[row.unit],
            *(str(row.draw), str(row.redeals), str(row.stock)),
        ]
        for row in GAMES.values()
    }


@pytest.mark.parametrize("module", ["cards", "games", "moves", "deal", "board"])
def test_the_rules_that_the_code_quotes_are_there(module: str) -> None:
    source = (files("fortythieves.rules") / f"{module}.py").read_text("utf-8")
    quoted = [quote for prose in prose_of(source) for quote in re.findall(r'"([^"]{30,})"', prose)]
    assert [quote for quote in quoted if plain(quote).rstrip(".") not in plain(GAMES_MD)] == []
