import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fortythieves.errors import CODES, Refused
from fortythieves.rules.analyse import analyse, answer, deal_object
from fortythieves.rules.cards import card_name
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import MOVES
from tests.examples import examples
from tests.refusals import refusal
from tests.shared.vectors import read

GAMES_MD = (Path(__file__).parents[3] / "shared" / "GAMES.md").read_text("utf-8")

DECK = [card_name(card) for card in deck_of_number(32001)]


def error(request: object) -> dict[str, Any]:
    return dict(answer(json.dumps(request))["error"])


def test_every_written_down_position_is_described_as_written_down() -> None:
    for vector in read("positions"):
        moves = [text for text, _ in vector["moves"]]
        if "undo" in moves:
            continue
        deck = [vector["deck"][at : at + 2] for at in range(0, 208, 2)]
        said = answer(json.dumps({"game": vector["game"], "deck": deck, "moves": moves}))
        assert said["outcome"] == vector["judged"]
        for key in ("legal", "columns", "waste", "stock", "redeals", "home"):
            assert said[key] == vector[key]


def test_a_number_may_stand_for_the_deck_also_as_text() -> None:
    by_deck = analyse({"game": "lucas", "deck": DECK, "moves": []})
    assert analyse({"game": "lucas", "number": 32001, "moves": []}) == by_deck
    assert analyse({"game": "lucas", "number": "32001", "moves": []}) == by_deck
    for number in (32001, "32001"):
        assert deal_object("lucas", number=number) == {"game": "lucas", "deck": DECK}


@pytest.mark.parametrize(
    "line", ["", " ", "{", "[]", "null", "3", '"draw"', "[{}]", "{'game': 1}", b"\xff", "[" * 10**5]
)
def test_a_line_that_is_no_object_is_bad_json(line: str | bytes) -> None:
    assert answer(line)["error"]["code"] == "bad-json"


@pytest.mark.parametrize(
    "request_",
    [
        *({}, {"game": "lucas"}, {"number": 32001}, {"game": "lucas", "deck": DECK, "number": 32001}),
        *({"game": "lucas", "number": 32001, "moves": moves} for moves in ("draw", {"0": "draw"}, None)),
        *({"game": "lucas", "number": 32001, more: 1} for more in ("move", "x" * 10**5)),
        *({"game": "lucas", "deck": deck} for deck in ("AC" * 104, None)),
    ],
    ids=lambda request: " ".join(key[:9] for key in request) or "nothing",
)
def test_a_request_with_too_much_or_too_little_is_refused(request_: dict[str, object]) -> None:
    refused = error(request_)
    assert refused["code"] == "bad-request"
    assert len(refused["message"]) < 120


@pytest.mark.parametrize("key", ["", "klondike", None, 3, [], {}])
def test_an_unknown_game_is_refused(key: Any) -> None:
    assert error({"game": key, "number": 32001})["code"] == refusal(deal_object, key, number=32001) == "unknown-game"


@pytest.mark.parametrize("number", [32000, -1, 10**20 + 1, True, None, 32001.0, 1e300, "1e6", "", [], "9" * 5000])
def test_a_number_out_of_range_is_refused(number: object) -> None:
    assert error({"game": "lucas", "number": number})["code"] == "bad-number"


@pytest.mark.parametrize("move", ["redeal", "undo", "3-3", "", None, 7, [], {}, "draw " * 10**5])
def test_a_wrong_move_is_refused_with_its_place(move: object) -> None:
    refused = error({"game": "lucas", "deck": DECK, "moves": ["draw", "draw", move, "draw"]})
    assert (refused["code"], refused["at"]) == ("illegal-move" if move == "redeal" else "bad-move", 2)
    assert len(refused["message"]) < 80


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([*MOVES, *GAMES, *DECK])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
REQUESTS = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(list(GAMES)) | JSON,
        "deck": st.just(DECK) | st.just(DECK[::-1]) | st.just(DECK[1:]) | JSON,
        "number": st.integers(32001, 10**20) | st.integers().map(str) | JSON,
        "moves": st.lists(st.sampled_from(list(MOVES)) | JSON) | st.just(["draw"] * 30) | JSON,
        "more": JSON,
    },
)


@examples(40)
@given(JSON | REQUESTS)
@example([[]])
@example({"game": "lucas", "number": 32001, "moves": ["\ud800"]})
def test_any_json_gets_an_answer_or_an_error_that_can_be_sent(request: object) -> None:
    said = answer(json.dumps(request))
    try:
        assert said == analyse(request)
    except Refused as refused:
        assert said["error"]["message"] == str(refused)
    assert json.loads(json.dumps(said)) == said
    if "error" in said:
        assert said["error"]["code"] in CODES
        assert list(said["error"]) in (["code", "message"], ["code", "message", "at"])
        assert len(said["error"]["message"]) < 200
    else:
        assert list(said) == ["legal", "columns", "waste", "stock", "redeals", "home", "outcome"]


def test_the_examples_in_the_documentation_are_true() -> None:
    found = re.findall(r"```json\n(.+?)```", GAMES_MD, re.DOTALL)
    assert len(found) == 4
    for request, said in zip(found[::2], found[1::2], strict=True):
        assert answer(request) == json.loads(said)


def test_a_secret_deal_tells_its_commitment_too() -> None:
    deal = deal_object("maria", secret="00" * 32, nonces=["01" * 16, "02" * 16])
    assert list(deal) == ["game", "deck", "commitment"]
    assert sorted(deal["deck"]) == sorted(DECK)
    assert deal["commitment"] == "3be662cca8bff242295c8314efb2a904eb01ef454b210f6450625864087f13cf"
    assert deal_object("maria", secret="00" * 32, nonces=["02" * 16, "01" * 16])["deck"] != deal["deck"]


@pytest.mark.parametrize(
    ("how", "code"),
    [
        *(({}, "bad-request"), ({"number": 32001, "secret": "00" * 32}, "bad-request")),
        *(({"number": 32001, "nonces": ["00" * 16]}, "bad-request"), ({"nonces": ["00" * 16]}, "bad-request")),
        *(({"number": 1}, "bad-number"), ({"number": "x"}, "bad-number")),
        *(({"secret": secret}, "bad-secret") for secret in ("", "00" * 31, "0" * 63, "xy" * 32)),
        *(({"secret": "00" * 32, "nonces": [nonce]}, "bad-secret") for nonce in ("00" * 15, "zz" * 16)),
    ],
    ids=str,
)
def test_a_deal_that_is_asked_for_wrongly_is_refused(how: dict[str, Any], code: str) -> None:
    assert refusal(deal_object, "lucas", **how) == code
