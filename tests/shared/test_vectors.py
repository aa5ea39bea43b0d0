"""The files in shared/vectors, which also test the JavaScript, and positions.json."""

import json
from types import ModuleType
from typing import Any

import pytest

from fortythieves.rules.games import GAMES
from tests.shared import make_draws, make_records, make_signatures, make_vectors, reference
from tests.shared.solver import make_analysis, make_solver
from tests.shared.tournament import make_series

VECTORS: list[dict[str, Any]] = json.loads(make_vectors.FILE.read_text("utf-8"))


def of_game(key: str) -> list[dict[str, Any]]:
    return [vector for vector in VECTORS if vector["game"] == key]


GENERATORS = [*(make_vectors, make_records, make_draws, make_signatures), *(make_analysis, make_solver, make_series)]


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda module: module.__name__)
def test_a_file_is_what_its_generator_writes(generator: ModuleType) -> None:
    assert generator.FILE.read_text("utf-8") == generator.text(), f"python -m {generator.__name__}"


def test_the_file_stays_small_enough_to_be_read_in_a_diff() -> None:
    assert len(VECTORS) >= 200
    assert any(vector["judged"] == "stuck" and vector["outcome"] is None for vector in VECTORS), "unknown to the player"
    assert make_vectors.FILE.stat().st_size < 45_000 * len(GAMES)


@pytest.mark.parametrize("key", GAMES)
def test_the_naive_rules_say_the_same_of_every_position(key: str) -> None:
    for vector in of_game(key):
        past = [reference.dealt(key, [vector["deck"][at : at + 2] for at in range(0, 208, 2)])]
        for text, _ in vector["moves"]:
            if text == "undo":
                past.pop()
            else:
                following = reference.after(past[-1], text)
                assert following is not None
                past.append(following)
        position = past[-1]
        assert vector["legal"] == reference.legal(position)
        assert vector["columns"] == [["##"] * down + list(cards[down:]) for cards, down in position.columns]
        assert vector["waste"] == list(position.waste)
        assert (vector["stock"], vector["redeals"]) == (len(position.stock), position.redeals)
        assert vector["home"] == len(position.home) == sum(map(sum, vector["foundations"]))
        assert vector["judged"] == reference.outcome(position)
        assert vector["outcome"] in (vector["judged"], None)


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_positions_of_every_kind(key: str) -> None:
    vectors, game = of_game(key), GAMES[key]
    assert any(not vector["moves"] for vector in vectors)
    assert any(["undo", ""] in vector["moves"] for vector in vectors)
    assert any([] in vector["columns"] for vector in vectors)
    assert any(vector["stock"] == 0 for vector in vectors)
    assert {vector["outcome"] for vector in vectors} == {None, "won", "stuck"}
    assert any("##" in column for vector in vectors for column in vector["columns"]) == (game.face_down > 0)
    assert any("x" in text for vector in vectors for text in vector["legal"]) == (game.unit == "sequence")
    assert {vector["redeals"] for vector in vectors} == set(range(game.redeals + 1))
    if game.redeals:
        assert any("redeal" in vector["legal"] for vector in vectors)
        assert any(["redeal", ""] in vector["moves"] for vector in vectors)
