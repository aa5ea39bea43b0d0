"""Which texts look alike, by Unicode's table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.core.names import lookalike_forms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "\u0410nn"),  # a Cyrillic A
        ("Ann", "\u0391nn"),  # a Greek one
        ("ann", "\u13aann"),  # a Cherokee one, which looks like a capital letter
        ("Ann", "ANN"),
        ("Stra\u00dfe", "STRASSE"),
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Bob", "B0b"),
        ("Bernie", "Bemie"),
        ("Micha", "\uff2dicha"),  # fullwidth
        ("paypal", "\U0001d52d\U0001d4b6\u1eff\U0001d561\U0001d555\u2113".replace("\U0001d555", "\U0001d552")),
        ("Jos\u00e9", "Jose\u0301"),
        ("O\u2019Hara", "O'Hara"),
    ],
)
def test_what_looks_like_something_else_is_seen_from_either_side(one: str, other: str) -> None:
    assert lookalike_forms(one) & lookalike_forms(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anne"), ("Jose", "Jos\u00e9"), ("Ann 2", "Ann 3"), ("\u738b\u829d", "\u738b\u5fd7"), ("Ann", "Nan")],
)
def test_names_that_anybody_can_tell_apart_are_different(one: str, other: str) -> None:
    assert not lookalike_forms(one) & lookalike_forms(other)


def test_no_number_looks_like_another_one() -> None:
    numbers = [lookalike_forms(f"Ann {k}") for k in range(2, 200)]
    assert len(frozenset().union(*numbers)) == sum(map(len, numbers))


@given(st.text(max_size=24))
def test_a_text_looks_like_itself_whatever_its_case(text: str) -> None:
    assert lookalike_forms(text) & lookalike_forms(text.casefold())
