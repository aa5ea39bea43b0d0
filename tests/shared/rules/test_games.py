import re
from pathlib import Path

import pytest

from fortythieves.rules.games import GAMES, game
from tests.refusals import refusal
from tests.shared import reference
from tests.shared.kinds import KINDS
from tests.shared.reference import TABLE

BUILD = {
    "same suit": "same-suit",
    "a different suit": "different-suit",
    "any suit": "any-suit",
    "alternating colour": "alternating-colour",
}
UNIT = {"one card": "card", "sequences": "sequence", "sequences in suit": "in-suit"}


def test_the_games_are_those_of_the_table_in_its_order() -> None:
    assert list(GAMES) == list(TABLE)


@pytest.mark.parametrize("key", TABLE)
def test_a_game_is_what_its_row_says(key: str) -> None:
    columns, cards, face_down, build, unit, draw, redeals = TABLE[key]
    row = GAMES[key]
    assert (row.columns, row.cards, row.face_down) == (columns, cards, face_down)
    assert (row.build, row.unit, row.draw, row.redeals) == (BUILD[build], UNIT[unit], draw, redeals)
    assert row.base == (0 if key in reference.FROM_THE_FIRST else 2 if key in reference.FROM_TWO else 1)
    assert (row.bases_out, row.wrap) == (key in reference.STARTED, key in reference.AROUND)
    assert (row.foundations == "alternating-colour") == (key in reference.ALTERNATING_FOUNDATIONS)
    assert (row.empty == "refill") == (key in reference.REFILLED)
    assert (row.empty == "waste") == (key in reference.ONLY_FROM_THE_WASTE)


FIELDS = ("build", "wrap", "unit", "empty", "draw", "base", "bases_out", "foundations")


@pytest.mark.parametrize("field", FIELDS)
def test_the_games_for_slow_tests_have_each_value_of_each_field(field: str) -> None:
    assert {getattr(row, field) for row in KINDS.values()} == {getattr(row, field) for row in GAMES.values()}


@pytest.mark.parametrize("key", ["", "Lucas", "klondike", "lucas ", None, [], {}, 7])
def test_an_unknown_game_is_refused(key: str) -> None:
    assert refusal(game, key) == "unknown-game"


#: A game that is named in a comparison or as a case.
ASKED = re.compile(rf"""(?:[=!]=|case)\s*["'](?:{"|".join(GAMES)})["']""")


def test_no_code_asks_which_game_it_is() -> None:
    root = Path(__file__).parents[3]
    folders = ("shared/fortythieves", "server/fortythieves_server", "client/fortythieves_client", "client/web/src")
    files = [
        path
        for folder in folders
        for path in (root / folder).rglob("*.*")
        if path.suffix in (".py", ".js", ".jsx") and not {"assets", "compiled"} & {*path.parts}
    ]
    assert len(files) > 300
    assert [path.name for path in files if ASKED.search(path.read_text("utf-8"))] == []
    assert ASKED.search("if (game.key === 'lucas') {")
