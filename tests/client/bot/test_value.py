from fortythieves.rules.cards import HIDDEN, parse_cards
from fortythieves_client.bot.value import EMPTY, MORE_EMPTY, NOT_HOME, TURNING, column_value, value_of, waste_value


def column(text: str) -> float:
    return column_value(parse_cards(text))


def test_nothing_is_wrong_once_every_card_is_home() -> None:
    assert value_of([], (), 104) == 0


def test_a_card_at_home_is_better_than_a_card_at_large() -> None:
    king = [parse_cards("KH")]
    assert value_of(king, (), 53) == value_of(king, (), 52) - NOT_HOME


def test_a_card_on_a_lower_one_of_its_suit_is_in_the_way() -> None:
    assert column("3H9H") > column("3H9S") > column("9H3S")


def test_a_low_card_is_worse_the_more_lies_on_it_and_the_higher_that_is() -> None:
    assert column("AHKSQDJC") > column("AHKS") > column("AH3S") > column("AH")


def test_a_card_that_is_not_known_is_worse_than_one_that_is_just_turned() -> None:
    assert column_value((HIDDEN, HIDDEN)) > column_value((HIDDEN, TURNING)) > column_value((TURNING,))


def test_a_card_in_the_waste_is_worse_than_one_in_a_column() -> None:
    assert waste_value(parse_cards("KH")) > column("KH")
    assert waste_value(parse_cards("AH2S3DKH")) > waste_value(parse_cards("KH3D2SAH"))


def test_an_empty_column_is_worth_having_and_the_first_one_most() -> None:
    full, none = parse_cards("KH"), ()
    assert value_of([full, none], (), 103) == value_of([full], (), 103) + EMPTY
    assert value_of([full, none, none], (), 103) == value_of([full], (), 103) + EMPTY + MORE_EMPTY
    assert EMPTY < MORE_EMPTY < 0
