import pytest

from fortythieves.rules.cards import HIDDEN, card_name, is_red, names, parse_card, parse_cards, rank, suit


def test_a_card_is_written_rank_then_suit() -> None:
    assert card_name(2 * 13 + 9) == "TH"
    assert [card_name(card) for card in (0, 12, 13, 26, 39, 51)] == ["AC", "KC", "AS", "AH", "AD", "KD"]


def test_rank_suit_and_colour_agree_with_the_name() -> None:
    for card in range(52):
        assert "A23456789TJQK"[rank(card) - 1] + "CSHD"[suit(card)] == card_name(card)
        assert is_red(card) == (card_name(card)[1] in "HD")


def test_cards_are_written_in_one_text_and_read_back() -> None:
    assert names([35, 3, HIDDEN]) == "TH4C##"
    assert parse_cards("TH4C##") == (35, 3, HIDDEN)
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    "thing", ["", "T", "10H", "HT", "th", "1C", "TX", "TH ", "T\u0048\u0301", "\ud800C", "#", None, 3, [], {}]
)
def test_anything_else_is_no_card(thing: str) -> None:
    with pytest.raises(ValueError):
        parse_card(thing)
