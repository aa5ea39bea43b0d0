from fortythieves.rules.cards import HIDDEN, parse_cards
from fortythieves_client.bot.value import EMPTY, MORE_EMPTY, NOT_HOME, TURNING, column_value, value_of, waste_value


def column(text: str) -> float:
    return column_value(parse_cards(text))


def test_a_won_board_has_value_zero() -> None:
    assert value_of([], (), 104) == 0


def test_a_card_at_home_is_better() -> None:
    king = [parse_cards("KH")]
    assert value_of(king, (), 53) == value_of(king, (), 52) - NOT_HOME


def test_a_card_on_a_lower_one_of_its_suit_is_in_the_way() -> None:
    assert column("3H9H") > column("3H9S") > column("9H3S")


def test_a_low_card_is_worse_below_more_and_higher_cards() -> None:
    assert column("AHKSQDJC") > column("AHKS") > column("AH3S") > column("AH")


def test_an_unknown_card_is_worse_than_a_revealed_one() -> None:
    assert column_value((HIDDEN, HIDDEN)) > column_value((HIDDEN, TURNING)) > column_value((TURNING,))


def test_a_card_in_the_waste_is_worse_than_one_in_a_column() -> None:
    assert waste_value(parse_cards("KH")) > column("KH")
    assert waste_value(parse_cards("AH2S3DKH")) > waste_value(parse_cards("KH3D2SAH"))


def test_empty_columns_are_good_and_the_first_one_most() -> None:
    full, none = parse_cards("KH"), ()
    assert value_of([full, none], (), 103) == value_of([full], (), 103) + EMPTY
    assert value_of([full, none, none], (), 103) == value_of([full], (), 103) + EMPTY + MORE_EMPTY
    assert EMPTY < MORE_EMPTY < 0
