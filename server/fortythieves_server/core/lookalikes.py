"""Whether two texts look alike. Pure.

Unicode's Technical Standard 39, section 4, calls what look-alikes have in common a *skeleton*. Its table of confusable
characters comes with the library `confusable_homoglyphs`, which lists them in pairs and computes no skeleton.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from confusable_homoglyphs.utils import load

#: A chain of characters that look like others has two links in Unicode 15.
_LINKS = 8
#: The library puts these around letters that are written from right to left.
_MARKS = "\u200e\u200f"


@lru_cache(maxsize=10_000)  # Ten rooms of a thousand people; what is not among them takes some 10 us.
def looks(text: str) -> frozenset[str]:
    """What a text looks like: it can be taken for another one if they have any of it in common.

    Case counts for nothing ("ANN" is "Ann"), as does the form of a letter (NFKC, as RFC 8266 has it for nicknames). But
    "lan" looks like "Ian" as it is written, and like "ian" it does not.
    """
    skeleton = _skeleton(text)
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset((skeleton, _skeleton(skeleton.casefold()), _skeleton(folded)))


def _skeleton(text: str) -> str:
    table = _prototypes()
    for _ in range(_LINKS):
        before, text = text, "".join(table.get(char, char) for char in unicodedata.normalize("NFD", text))
        if text == before:
            break
    return text


@cache
def _prototypes() -> Mapping[str, str]:
    """Each confusable character, and what stands for all that look like it."""
    pairs: Mapping[str, list[Mapping[str, str]]] = load("confusables.json")
    alike = {char.strip(_MARKS): [one["c"].strip(_MARKS) for one in others] for char, others in pairs.items()}
    prototypes: dict[str, str] = {}
    for char, others in alike.items():
        # What stands for others is listed with all of them, each of the others with it alone.
        if len(char) > 1 or len(others) > 1:
            continue
        (other,) = others
        is_one_of_two = len(other) == 1 and len(alike[other]) == 1
        if not (is_one_of_two and char < other):
            prototypes[char] = other
    return prototypes
