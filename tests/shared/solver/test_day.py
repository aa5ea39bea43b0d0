"""The deal of the day: its game, its chain of keys, and its secrets."""

from fortythieves.rules.games import GAMES
from fortythieves.solver.day import WEEK, begins_at, day_of, earlier, game_of, secret_of
from fortythieves.times import Ms


def test_each_weekday_has_its_game_and_sunday_is_forty_thieves() -> None:
    monday = day_of(Ms(1_795_996_800_000))  # 2026-11-30
    assert [game_of(monday + n)[0] for n in (0, 6, 7)] == ["little-forty", "forty-thieves", "little-forty"]
    assert {key for key, _ in WEEK} <= set(GAMES) and len(WEEK) == 7


def test_a_day_begins_at_midnight_in_utc() -> None:
    assert day_of(begins_at(20_000)) == 20_000
    assert day_of(begins_at(20_000) - Ms(1)) == 19_999


def test_the_key_of_a_day_gives_those_of_all_days_before_and_each_has_many_secrets() -> None:
    key = bytes(range(32))
    assert earlier(key, 0) == key
    assert earlier(earlier(key, 3), 4) == earlier(key, 7)
    assert len({secret_of(key, n) for n in range(300)} | {secret_of(earlier(key, 1), 0)}) == 301
