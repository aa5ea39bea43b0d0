"""The names of house bots, which tell their levels."""

import random
from collections.abc import Collection, Mapping
from itertools import count
from types import MappingProxyType

#: By level, from the tale that gave the game its name and from the Arabian Nights: the forgetful, the lucky, the wise.
NAMES: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        1: ("Kasim", "Mustafa", "Maruf", "Hasan", "Jalila", "Bakbuk"),
        2: ("Ali", "Sindbad", "Aladdin", "Abdallah", "Zubayda", "Badr"),
        3: ("Morgiana", "Shahrazad", "Dunyazad", "Tawaddud", "Zumurrud", "Dalila"),
    }
)


def level_of(name: str) -> int:
    """The level of a bot with this name. 2 for other names."""
    return next((level for level, names in NAMES.items() if name.split(" ", maxsplit=1)[0] in names), 2)


def free_name(level: int, taken: Collection[str], rng: random.Random) -> str:
    """A free name. If all are taken, one with a number."""
    names = NAMES[level]
    free = [name for name in names if name not in taken]
    if free:
        return rng.choice(free)
    numbered = (f"{name} {number}" for number in count(2) for name in names)
    return next(name for name in numbered if name not in taken)
