import pytest

from fortythieves.cards import HIDDEN, parse_cards
from fortythieves_client.bot.value import TURNING, column_value, value_of, waste_value


def column(text: str, build: str = "same-suit") -> float:
    return column_value(parse_cards(text), build)


def test_nothing_is_wrong_once_every_card_is_home_but_that_there_is_room() -> None:
    assert value_of([], (), 104, "same-suit") == 0


def test_a_card_at_home_is_better_than_a_card_at_large() -> None:
    assert value_of([parse_cards("KH")], (), 53, "same-suit") < value_of([parse_cards("KH")], (), 52, "same-suit")


def test_a_card_on_a_lower_one_of_its_suit_is_in_the_way() -> None:
    assert column("3H9H") > column("3H9S") > column("9H3S")


def test_a_low_card_under_a_high_one_is_worse_the_deeper_it_lies() -> None:
    assert column("AHKSQDJC") > column("AHKS")


def test_a_card_that_is_not_known_is_worse_than_one_that_is_just_turned() -> None:
    assert column_value((HIDDEN, HIDDEN), "same-suit") > column_value((HIDDEN, TURNING), "same-suit")


def test_the_waste_is_buried_like_a_column() -> None:
    assert waste_value(parse_cards("AH2S3DKH")) > waste_value(parse_cards("KH3D2SAH"))


def test_an_empty_column_is_worth_a_card() -> None:
    full = [parse_cards("KH"), parse_cards("KS")]
    assert value_of([full[0], ()], (), 102, "same-suit") < value_of(full, (), 102, "same-suit")


@pytest.mark.parametrize("build", ["same-suit", "different-suit", "alternating-colour"])
def test_every_building_rule_has_values(build: str) -> None:
    assert isinstance(column("TH9S8S", build), float)
