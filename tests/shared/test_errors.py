"""Refusals, and the texts of the page that are their English sentences."""

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from fortythieves.catalogue import filled, texts
from fortythieves.errors import CODES, REASONS, Refused
from fortythieves.record.reasons import REASONS as FINDINGS
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import OF_A_ROUND, TIEBREAKS, bounds

ROOT = Path(__file__).parents[2]
LANGUAGES = json.loads((ROOT / "shared/fortythieves/words/languages.json").read_text())


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (Refused("unknown-room", code="BCDFGH"), "There is no room BCDFGH."),
        (Refused("bad-settings", detail="people-here", people=5), "5 people are here."),
        (Refused("bad-settings", detail="people-here", people=1), "1 person is here."),
        (Refused("bad-settings", detail="Expected `int`"), "These settings do not work: Expected `int`."),
        (Refused("bad-plan", detail="name-listed-twice", name="team-one"), "team-one is on the list twice."),
    ],
    ids=str,
)
def test_a_refusal_is_said_in_the_words_of_its_reason_or_of_its_code(refused: Refused, sentence: str) -> None:
    assert str(refused) == sentence
    assert refused.parameters == refused.details


@pytest.mark.parametrize(("code", "details"), [("no-such-code", {}), ("bad-settings", {"detail": "people-here"})])
def test_a_code_without_a_sentence_or_a_parameter_is_a_bug(code: str, details: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        Refused(code, **details)


@pytest.mark.parametrize("number", [0, 1, 1500, None])
def test_every_text_can_be_filled_in(number: int | None) -> None:
    for text in (*CODES.values(), *REASONS.values(), *FINDINGS.values()):
        value = number or 0 if ", number}" in text else number
        assert not {*"{}#"} & {*filled(text, defaultdict(lambda value=value: value))}, text  # type: ignore[misc]


def test_every_raised_code_has_a_sentence_and_every_reason_is_given() -> None:
    packages = ("shared/fortythieves", "server/fortythieves_server", "client/fortythieves_client")
    paths = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    sources = [source for source in map(Path.read_text, paths) if "Refused(" in source or "refuse_if(" in source]
    calls = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    place = {"Refused": 0, "refuse_if": 1}
    codes = [
        call.args[place[call.func.id]] for call in calls if isinstance(call.func, ast.Name) and call.func.id in place
    ]
    assert {code.value for code in codes if isinstance(code, ast.Constant)} <= CODES.keys()
    named = {text for path in paths for text in re.findall(r'"([\w-]+)"', path.read_text())}
    # The page refuses moves itself, too.
    assert REASONS.keys() - texts("race", "race.table.no.") - named == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_refusal_of_a_plan_names_has_a_name_in_every_language(language: str) -> None:
    folder = ROOT / "shared/fortythieves/words" / language
    keys = {key for name in ("tournament", "more") for key in json.loads((folder / f"{name}.json").read_text())}
    numbers = {f"tournament.setting.{name}" for name, *_ in bounds()}
    tiebreaks = {f"tournament.tiebreak.{name}" for order in TIEBREAKS.values() for name in order}
    assert numbers | tiebreaks <= keys
    not_in_tournaments = {"seeking", "best_of"}
    for name in {field.name for field in msgspec.structs.fields(Settings)} - set(OF_A_ROUND) - not_in_tournaments:
        assert {f"tournament.setting.{name}", f"more.setting.{name}"} & keys, name
