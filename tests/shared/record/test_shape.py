"""The shape of a record, and the errors for other shapes."""

from typing import Any, get_args

from fortythieves.record.shape import HIGHEST_SEAT, LEAVES, fault
from fortythieves.rules.cards import PACKS
from fortythieves.rules.race_rules import MOST_ENTRIES, Ending
from fortythieves.rules.winnable import DEALS
from tests.shared.make_records import Change, by_name, changed, leaves

RECORDS = by_name()
SHORT = RECORDS["short"]


def place(*changes: Change) -> str | None:
    found = fault(changed(SHORT, changes))
    return found and str(found.params["place"])


def test_a_value_of_another_kind_is_found_where_it_is() -> None:
    others: list[Any] = [[], {}, 1.5]
    found = [(path, place((path, other))) for path, _ in leaves(SHORT) for other in others]
    assert [path for path, one in found if one is None or not one.startswith(path)] == []


def test_a_field_that_is_missing_is_named() -> None:
    names = [*SHORT, *(f"winnable.{name}" for name in RECORDS["winnable"]["winnable"])]
    found = {name: fault(changed(RECORDS["winnable"], [(f"{name}-", None)])) for name in names}
    assert found == {name: ("malformed", {"place": name}, None, None) for name in names}


def test_settings_of_a_later_version_do_not_disturb() -> None:
    assert place(("settings.watching", "everyone"), ("settings.delay", 60), ("settings.more", None)) is None
    assert place(("settings.more", ["list"])) == "settings.more"


def test_the_table_has_the_numbers_of_the_program() -> None:
    highest = [LEAVES[name]["high"] for name in ("seat", "place", "moves", "home", "leaf")]
    assert highest == [HIGHEST_SEAT, HIGHEST_SEAT, MOST_ENTRIES, len(PACKS), DEALS - 1]
    assert LEAVES["end"]["choices"] == [*get_args(Ending)]


def test_a_deck_is_two_packs() -> None:
    deck = SHORT["deck"]
    for wrong in (deck[2:], deck[2:] + deck[:2] + deck[:2], deck[:-2] + "##", deck[:-2] + deck[:2], deck.lower()):
        assert place(("deck", wrong)) == "deck"
    assert place(("deck", deck[2:] + deck[:2])) is None


def test_a_log_has_an_end() -> None:
    assert place(("logs.0.1", [[0, "draw"]] * 20_000)) is None
    assert place(("logs.0.1", [[0, "draw"]] * 20_001)) == "logs.0.1"
