"""The choice of the language, and the texts of the server."""

import json
import re
from pathlib import Path

import pytest

from fortythieves_server.common.texts import LANGUAGES, best_language, has_text, language_of_environment, text

WORDS = Path(__file__).parents[3] / "shared/fortythieves/words"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ro", "ro"),
        ("ro-MD,ro;q=0.9,en;q=0.8", "ro"),
        ("fr, hi;q=0.5, ro;q=0.7", "ro"),
        ("HI", "hi"),
        ("hi;q=0, ro;q=0.1", "ro"),
        ("fr-CA", "en"),
        ("hi;q=much, ro", "ro"),
        (",;=,;q=1", "en"),
        ("xx," * 100_000, "en"),
    ],
)
def test_the_best_language_of_the_browser_is_used(header: str, language: str) -> None:
    assert best_language("", header) == language


def test_a_chosen_language_precedes_the_browser() -> None:
    assert best_language("hi", "ro") == "hi"
    assert best_language("../../etc", "ro") == "ro"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ro_RO.UTF-8"}, "ro"),
        ({"LANG": "hi_IN"}, "hi"),
        ({"LANG": "ro_RO.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "ro_MD@euro", "LC_ALL": ""}, "ro"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de,ro;q=9" * 1000}, "en"),
    ],
)
def test_a_terminal_has_the_language_of_its_environment(environment: dict[str, str], language: str) -> None:
    assert language_of_environment(environment) == language


def test_messages_with_choices_are_not_for_the_server() -> None:
    assert has_text("refused.full") and has_text("server.ops.title")
    assert not has_text("refused.enough-bots") and not has_text("server.ops")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_of_the_servers_pages_has_a_choice(language: str) -> None:
    words = json.loads((WORDS / language / "server.json").read_text())
    assert words and all(
        text(language, key, **dict.fromkeys(re.findall(r"{(\w+)}", message), "x")) for key, message in words.items()
    )
