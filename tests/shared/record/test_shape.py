"""The shape of a record, and the errors for other shapes."""

from typing import Any, get_args

from fortythieves.record.reasons import Reason, sentence
from fortythieves.record.shape import HIGHEST_SEAT, LEAVES, fault
from fortythieves.rules.cards import PACKS
from fortythieves.rules.race_rules import MOST_ENTRIES, Ending
from fortythieves.rules.winnable import DEALS
from tests.shared.make_records import Change, by_name, changed, leaves

RECORDS = by_name()
SHORT = RECORDS["short"]


def said(*changes: Change) -> str | None:
    found = fault(changed(SHORT, changes))
    return found and sentence("format", *found[:2])


def test_a_value_of_another_kind_is_found_where_it_is() -> None:
    others: list[Any] = [[], {}, 1.5]
    found = [(path, fault(changed(SHORT, [(path, other)]))) for path, _ in leaves(SHORT) for other in others]
    assert [path for path, one in found if one is None or not str(one.params["place"]).startswith(path)] == []


def test_a_field_that_is_missing_is_named() -> None:
    names = [*SHORT, *(f"winnable.{name}" for name in RECORDS["winnable"]["winnable"])]
    found = {name: fault(changed(RECORDS["winnable"], [(f"{name}-", None)])) for name in names}
    assert found == {name: Reason("missing", {"place": name}) for name in names}


def test_settings_of_a_later_version_do_not_disturb() -> None:
    assert said(("settings.watching", "everyone"), ("settings.delay", 60), ("settings.more", None)) is None
    assert said(("settings.more", ["list"])) == ("settings.more is not a text, a whole number, true, false or null")


def test_the_table_has_the_numbers_of_the_program() -> None:
    highest = [LEAVES[name].params["high"] for name in ("seat", "place", "moves", "home", "leaf")]
    assert highest == [HIGHEST_SEAT, HIGHEST_SEAT, MOST_ENTRIES, len(PACKS), DEALS - 1]
    assert LEAVES["end"].params["choices"] == [*get_args(Ending)]


def test_a_deck_is_two_packs() -> None:
    deck = SHORT["deck"]
    for wrong in (deck[2:], deck[2:] + deck[:2] + deck[:2], deck[:-2] + "##", deck[:-2] + deck[:2], deck.lower()):
        assert said(("deck", wrong)) == "deck is not the 104 cards of two packs"
    assert said(("deck", deck[2:] + deck[:2])) is None


def test_a_log_has_an_end() -> None:
    assert said(("logs.0.1", [[0, "draw"]] * 20_000)) is None
    assert said(("logs.0.1", [[0, "draw"]] * 20_001)) == "logs.0.1 has more than 20000 items"
