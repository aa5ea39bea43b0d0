import random

import pytest

from fortythieves.errors import CODES
from fortythieves_client.bot.levels import LEVELS, NAMES, free_name, level_of


def test_every_level_has_its_own_names() -> None:
    assert NAMES.keys() == LEVELS.keys()
    every = [name for names in NAMES.values() for name in names]
    assert len(set(every)) == len(every)


def test_names_are_not_too_long() -> None:
    assert "1 to 24 characters" in CODES["bad-name"]
    assert all(1 <= len(name) <= 20 for names in NAMES.values() for name in names)  # and a number behind


@pytest.mark.parametrize("level", LEVELS)
def test_a_used_name_is_not_taken(level: int) -> None:
    taken = set(NAMES[level][1:])
    assert free_name(level, taken, random.Random(1)) == NAMES[level][0]


def test_more_bots_than_names_are_numbered() -> None:
    taken: set[str] = set()
    for _ in range(20):
        taken.add(free_name(3, taken, random.Random(1)))
    assert len(taken) == 20
    assert "Morgiana 2" in taken


def test_a_name_gives_the_level() -> None:
    assert all(level_of(name) == level_of(f"{name} 2") == level for level, names in NAMES.items() for name in names)
    assert level_of("Ann") in LEVELS
