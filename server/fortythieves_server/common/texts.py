"""The texts of the server (shared/fortythieves/words), and the choice of the language."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from fortythieves.rules.games import GAMES

_WORDS = files("fortythieves") / "words"
#: Each language by its own name. The first is the default.
LANGUAGES: Mapping[str, str] = json.loads((_WORDS / "languages.json").read_text())
FIRST = next(iter(LANGUAGES))
#: Browsers send up to ten languages, in a hundred characters.
_LONGEST = 200
_RANGE = re.compile(r"([A-Za-z0-9-]+)\s*(?:;\s*q=([01](?:\.[0-9]*)?)\s*)?(?:,|$)")


def best_language(chosen: str, accepted: str) -> str:
    """The language that was chosen before, or else the first of the browser's that there is: a BCP 47 tag.

    ``accepted``: the header `Accept-Language`.
    """
    wanted = (tag.lower().split("-")[0] for tag in _wanted(accepted))
    return next((tag for tag in (chosen, *wanted) if tag in LANGUAGES), FIRST)


def _wanted(header: str) -> Iterator[str]:
    """The tags of `Accept-Language` (RFC 9110, 12.5.4), the best first."""
    ranges = [(float(quality or 1), tag) for tag, quality in _RANGE.findall(header[:_LONGEST])]
    return (tag for weight, tag in sorted(ranges, key=lambda found: -found[0]) if weight)


def language_of_environment(environ: Mapping[str, str]) -> str:
    """The language of a terminal: of the first of its variables that is set (POSIX, 8.2), such as `ro_RO.UTF-8`."""
    locale = next((found for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (found := environ.get(name))), "")
    return best_language("", locale.partition(".")[0].partition("@")[0].replace("_", "-"))


#: Messages with choices are for the page, which has a library for them.
_CHOICE = re.compile(r"\{\w+, *(plural|select)")


@cache
def _texts(language: str) -> Mapping[str, str]:
    groups = (
        json.loads((_WORDS / language / f"{group}.json").read_text())
        for group in ("front", "refused", "server", "share")
    )
    return {key: text for group in groups for key, text in group.items() if not _CHOICE.search(text)}


def text(language: str, key: str, **parameters: object) -> str:
    """A message, filled in. ``language``: one of `LANGUAGES`. Raises `KeyError` for one that `has_text` denies."""
    return _texts(language)[key].format(**parameters)


def has_text(key: str) -> bool:
    """Whether there is such a message for the server: one without choices."""
    return key in _texts(FIRST)


def game_name(language: str, key: str) -> str:
    """The name of a game. One that is not among the first nine has the same name in all languages."""
    message = f"front.game.{key}"
    if has_text(message):
        return text(language, message)
    return GAMES[key].name if key in GAMES else key  # a newer version has more games
