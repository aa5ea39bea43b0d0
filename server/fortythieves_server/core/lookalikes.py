"""Whether two texts look alike. Pure.

Unicode's Technical Standard 39, section 4, calls the common form of look-alikes a *skeleton*. The library
`confusable_homoglyphs` has the standard's table of confusable characters, as pairs. It computes no skeletons.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from confusable_homoglyphs.utils import load

#: In Unicode 15, chains of characters that look like the next one have at most two steps. This leaves a margin.
_LINKS = 8
#: The library puts these around right-to-left letters.
_MARKS = "\u200e\u200f"


@lru_cache(maxsize=10_000)  # ten rooms of a thousand people; a miss takes about 10 us (measured)
def looks(text: str) -> frozenset[str]:
    """The looks of a text. Two texts can be confused if their looks have an element in common.

    Case is ignored ("ANN" is "Ann"), and so is the form of letters (NFKC, as in RFC 8266 for nicknames). "lan" looks
    like "Ian" but not like "ian".
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
    """Each confusable character, and the one that represents all its look-alikes."""
    pairs: Mapping[str, list[Mapping[str, str]]] = load("confusables.json")
    alike = {char.strip(_MARKS): [one["c"].strip(_MARKS) for one in others] for char, others in pairs.items()}
    prototypes: dict[str, str] = {}
    for char, others in alike.items():
        # The representative is listed with all its look-alikes, each of them only with the representative.
        if len(char) > 1 or len(others) > 1:
            continue
        (other,) = others
        is_one_of_two = len(other) == 1 and len(alike[other]) == 1
        if not (is_one_of_two and char < other):
            prototypes[char] = other
    return prototypes
