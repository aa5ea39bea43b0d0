"""The settings of a race: the allowed values, and the errors for others."""

import itertools

import pytest

from fortythieves.errors import Refused
from fortythieves.rules.settings import WINNABLE, Settings
from tests.refusals import refusal


def test_a_change_leaves_the_rest_as_it_was() -> None:
    assert Settings().changed({}) == Settings()
    settings = Settings().changed({"game": "maria", "time_limit": 900})
    assert settings.changed({"undo": "none"}) == Settings(game="maria", time_limit=900, undo="none")


@pytest.mark.parametrize(
    ("field", "lowest", "highest"),
    [("time_limit", 60, 14_400), ("seats", 1, 1000), ("countdown", 3, 10), ("delay", 10, 300)],
)
def test_a_number_has_its_bounds(field: str, lowest: int, highest: int) -> None:
    for value in (lowest, highest):
        assert getattr(Settings().changed({field: value}), field) == value
    for other in (lowest - 1, highest + 1, float(lowest), str(lowest), True, None):
        assert refusal(Settings().changed, {field: other}) == "bad-settings"


SWITCHES = itertools.product(["public", "auto_start"], [0, 1, "true", None])
CHOICES = itertools.product(["undo", "late", "watching", "watch"], ["", "None", "sometimes", 0, [], {}])


@pytest.mark.parametrize(("field", "value"), [*SWITCHES, *CHOICES, ("colour", "red")])
def test_a_switch_is_on_or_off_and_a_choice_is_a_known_one(field: str, value: object) -> None:
    assert refusal(Settings().changed, {field: value}) == "bad-settings"


def test_a_game_that_does_not_exist_is_named_in_the_refusal() -> None:
    with pytest.raises(Refused, match="spider") as refused:
        Settings().changed({"game": "spider"})
    assert refused.value.code == "unknown-game"


@pytest.mark.parametrize(
    "text",
    [
        *("", "32000", "100000000000000000001", "032001", "+32001", "32001 ", "٣٢٠٠١", "Secret"),
        *("winnable-0", "winnable-4", "winnable-", "winnable-1 ", "Winnable"),
        "KQXWVD/1",
    ],
)
def test_any_other_text_is_no_deal(text: str) -> None:
    assert refusal(Settings().changed, {"deal": text}) == "bad-number"
    assert refusal(Settings().changed, {"deal": "9" * 22}) == "bad-settings"


@pytest.mark.parametrize("number", ["32001", "100000000000000000000"])
def test_the_lowest_and_the_highest_number_name_a_deal(number: str) -> None:
    assert Settings().changed({"deal": number}).deal == number


def test_a_deal_that_can_be_won_may_have_any_stars_or_a_number_of_them() -> None:
    stars = {deal: Settings().changed({"deal": deal}).winnable for deal in WINNABLE}
    assert stars == {"winnable": 0, "winnable-1": 1, "winnable-2": 2, "winnable-3": 3}
    assert [Settings(deal=deal).winnable for deal in ("secret", "32001")] == [None] * 2


@pytest.mark.parametrize("watch", ["delayed", "open"])
def test_nobody_watches_first_and_races_then_on_what_was_seen(watch: str) -> None:
    assert refusal(Settings().changed, {"late": "join", "watch": watch}) == "bad-settings"
    for late in ("refuse", "watch"):
        assert Settings().changed({"late": late, "watch": watch}).watch == watch
