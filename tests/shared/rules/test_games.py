import re
from pathlib import Path

import pytest

from fortythieves.rules.cards import parse_card
from fortythieves.rules.games import BUILD_RULES, GAMES, MOST_COLUMNS, Game, game
from tests.refusals import refusal
from tests.shared.reference import ACES_OUT, TABLE

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


@pytest.mark.parametrize("key", ["", "Lucas", "klondike", "lucas ", None, [], {}, 7])
def test_an_unknown_game_is_refused(key: str) -> None:
    assert refusal(game, key) == "unknown-game"


def test_the_build_rules_say_which_suits_meet() -> None:
    def fitting(rule: str) -> set[str]:
        return {card + onto for card in "CSHD" for onto in "CSHD" if meet(rule, "8" + card, "9" + onto)}

    assert fitting("same-suit") == {"CC", "SS", "HH", "DD"}
    assert fitting("different-suit") == {a + b for a in "CSHD" for b in "CSHD" if a != b}
    assert fitting("alternating-colour") == {"CH", "CD", "SH", "SD", "HC", "HS", "DC", "DS"}


@pytest.mark.parametrize("row", GAMES.values(), ids=str)
def test_a_row_describes_a_game(row: Game) -> None:
    assert 1 <= row.columns <= MOST_COLUMNS and 0 <= row.face_down < row.cards and row.stock >= 0
    assert row.build in BUILD_RULES and row.unit in ("card", "sequence") and row.draw >= 1 and row.redeals >= 0


def test_every_game_has_a_section_in_games_md() -> None:
    text = (Path(__file__).parents[3] / "shared" / "GAMES.md").read_text("utf-8")
    assert re.findall(r"^## (.+) \(`(.+)`\)$", text, re.MULTILINE) == [(row.name, row.key) for row in GAMES.values()]
