import random

from fortythieves.bot.levels import LEVELS
from fortythieves.errors import CODES
from fortythieves_client.bot.levels import NAMES, free_name, level_of


def test_every_level_has_its_own_names_which_are_not_too_long() -> None:
    assert NAMES.keys() == LEVELS.keys()
    every = [name for names in NAMES.values() for name in names]
    assert len(set(every)) == len(every)
    assert "1 to 24 characters" in CODES["bad-name"]
    assert all(1 <= len(name) <= 20 for name in every)  # and a number behind


def test_no_used_name_is_taken_and_more_bots_are_numbered() -> None:
    assert free_name(3, NAMES[3][1:], random.Random(1)) == NAMES[3][0]
    taken: set[str] = set()
    for _ in range(20):
        taken.add(free_name(3, taken, random.Random(1)))
    assert len(taken) == 20 and "Morgiana 2" in taken


def test_a_name_gives_the_level() -> None:
    assert all(level_of(name) == level_of(f"{name} 2") == level for level, names in NAMES.items() for name in names)
    assert level_of("Ann") in LEVELS
