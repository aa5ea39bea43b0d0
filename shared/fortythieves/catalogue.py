"""The English texts of the page (words/en), which the server and the commands use, too."""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files


def texts(catalogue: str, prefix: str) -> dict[str, str]:
    """The texts of a catalogue whose keys have this prefix, by the rest of the key."""
    found = json.loads((files("fortythieves") / "words" / "en" / f"{catalogue}.json").read_text("utf-8"))
    return {key.removeprefix(prefix): text for key, text in found.items() if key.startswith(prefix)}


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text in ICU MessageFormat with its parameters. Raises `KeyError` if one is missing."""
    return _filled(iter(re.split("([{}])", text)), values, "#")


def _filled(parts: Iterator[str], values: Mapping[str, object], number: str) -> str:
    """The parts up to the brace that closes them. ``number``: replaces # in a plural."""
    said = ""
    for part in parts:
        if part == "}":
            break
        if part != "{":
            said += part.replace("#", number)
            continue
        name, *kind = next(parts).split(", ")
        value, case, cases = values[name], kind[-1] if len(kind) > 1 else "", dict[str, str]()
        while case.strip():
            next(parts)  # the brace before the text of this case
            cases[case.strip()] = _filled(parts, values, _shown(value))
            case = next(parts)
        next(parts)
        if cases:
            exact = ("=0" if value == 0 else "", "one" if value == 1 else "", _shown(value))
            said += cases[next((one for one in exact if one in cases), "other")]
        else:
            said += f"{value:,}" if kind == ["number"] else _shown(value)
    return said


def _shown(value: object) -> str:
    return "none" if value is None else ", ".join(value) if isinstance(value, list) else str(value)
