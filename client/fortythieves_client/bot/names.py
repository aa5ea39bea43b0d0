"""The names of the house bots: from the tale that gave the game its name, and from the Arabian Nights."""

import random
from collections.abc import Collection, Mapping
from itertools import count
from types import MappingProxyType

#: By level: those who forgot the word, those who were lucky, and those who saw through everything.
NAMES: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        1: ("Kasim", "Mustafa", "Maruf", "Hasan", "Jalila", "Bakbuk"),
        2: ("Ali", "Sindbad", "Aladdin", "Abdallah", "Zubayda", "Badr"),
        3: ("Morgiana", "Shahrazad", "Dunyazad", "Tawaddud", "Zumurrud", "Dalila"),
    }
)


def level_of(name: str) -> int:
    """The level of a bot with this name. 2 if no bot is called so."""
    return next((level for level, names in NAMES.items() if name.split(" ", maxsplit=1)[0] in names), 2)


def free_name(level: int, taken: Collection[str], rng: random.Random) -> str:
    """A name that nobody in the room has. If all are taken, one with a number."""
    names = NAMES[level]
    free = [name for name in names if name not in taken]
    if free:
        return rng.choice(free)
    numbered = (f"{name} {number}" for number in count(2) for name in names)
    return next(name for name in numbered if name not in taken)
