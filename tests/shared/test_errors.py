import json
import re
import string
from pathlib import Path

import msgspec
import pytest

from fortythieves.errors import CODES, REASONS, Refused
from fortythieves.rules.games import BUILD_RULES
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import OF_A_ROUND, TIEBREAKS, bounds

ROOT = Path(__file__).parents[2]
#: Refusals of the commands `deal` and `analyse` alone. Programs read their answers, so the page has no words for these.
FOR_PROGRAMS = {"bad-json", "bad-deck", "bad-secret"}


@pytest.fixture(scope="module")
def sources() -> str:
    """The source text of all modules that can raise `Refused`."""
    packages = ("shared/fortythieves", "server/fortythieves_server")
    paths = (path for package in packages for path in (ROOT / package).rglob("*.py") if path.name != "errors.py")
    return "".join(path.read_text() for path in paths)


def names(sentence: str) -> set[str]:
    """The parameters of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_a_reason_is_said_in_words_and_sent_as_a_code() -> None:
    refused = Refused("bad-settings", detail="people-here", people=5)
    assert str(refused) == "These settings do not work: 5 people are here."
    assert refused.parameters == {"detail": "people-here", "people": 5}


def test_a_detail_that_is_no_code_stays_as_it_is() -> None:
    refused = Refused("bad-settings", detail="Expected `int`")
    assert str(refused) == "These settings do not work: Expected `int`."
    assert refused.parameters == {"detail": "Expected `int`"}


@pytest.mark.parametrize("name", REASONS)
def test_a_name_that_looks_like_a_reason_stays_a_name(name: str) -> None:
    refused = Refused("bad-plan", detail="name-listed-twice", name=name)
    assert str(refused) == f"This plan does not work: {name} is on the list twice."


def test_a_sentence_cannot_be_filled_in_with_too_little() -> None:
    with pytest.raises(KeyError):
        Refused("unknown-room")
    with pytest.raises(KeyError):
        Refused("bad-settings", detail="people-here")


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_has_no_parameter_of_the_sentence_around_it(reason: str) -> None:
    around = [sentence for sentence in CODES.values() if names(sentence) & {"reason", "detail"}]
    assert around
    assert all(not names(REASONS[reason]) & names(sentence) for sentence in around)


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_given_somewhere(reason: str, sources: str) -> None:
    by_rule = {f"build-{rule}" for rule in BUILD_RULES}
    assert reason in by_rule or f'"{reason}"' in sources


# The messages on the page


LANGUAGES = json.loads((ROOT / "shared/fortythieves/words/languages.json").read_text())


def code_of(key: str) -> str:
    """The error code or reason code in the key of a message."""
    return key.removeprefix("refused.").removeprefix("reason.")


def messages(language: str, group: str, head: str = "") -> dict[str, str]:
    """The messages of a group that begin with a head, without it."""
    found = json.loads((ROOT / f"shared/fortythieves/words/{language}/{group}.json").read_text())
    return {key.removeprefix(head): text for key, text in found.items() if key.startswith(head)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_sentence_for_each_code_and_each_reason(language: str) -> None:
    # Errors that only tournaments raise are loaded with the tournament messages.
    for_all, of_tournaments = messages(language, "refused"), messages(language, "tournament", "tournament.")
    of_tournaments = {key: text for key, text in of_tournaments.items() if key.startswith("refused.")}
    assert not for_all.keys() & of_tournaments.keys()
    # The page also refuses moves itself, with the same messages.
    of_moves = messages(language, "race", "race.table.no.")
    assert not {code_of(key) for key in for_all} & of_moves.keys()
    wanted = {f"refused.{code}": sentence for code, sentence in CODES.items() if code not in FOR_PROGRAMS}
    wanted |= {f"refused.reason.{code}": words for code, words in REASONS.items()}
    found = for_all | of_tournaments
    found |= {key: of_moves[code_of(key)] for key in wanted.keys() - found.keys() if code_of(key) in of_moves}
    assert found.keys() == wanted.keys()
    for key, sentence in wanted.items():
        # In both texts, the first word in braces is the name of a parameter.
        assert set(re.findall(r"\{(\w+)[,}]", found[key])) == names(sentence), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_refusal_of_a_plan_names_has_a_name_in_every_language(language: str) -> None:
    keys = messages(language, "tournament").keys() | messages(language, "more").keys()
    numbers = {f"tournament.setting.{name}" for name, *_ in bounds()}
    tiebreaks = {f"tournament.tiebreak.{name}" for order in TIEBREAKS.values() for name in order}
    assert numbers | tiebreaks <= keys
    for name in {field.name for field in msgspec.structs.fields(Settings)} - set(OF_A_ROUND):
        assert {f"tournament.setting.{name}", f"more.setting.{name}"} & keys, name
