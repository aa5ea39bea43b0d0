"""Names of people in a room that look alike, and how they are kept distinct."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol import to_server as say
from fortythieves_server.core import events
from fortythieves_server.core.names import lookalike_forms
from tests.refusals import refusal
from tests.server.tables import Table, entered, lobby

#: The first letter is Cyrillic.
FALSE_ANN = "\u0410nn"
LONG = "Ann of the very long nam"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", FALSE_ANN),
        ("Ann", "\u0391nn"),  # a Greek letter
        ("ann", "\u13aann"),  # a Cherokee letter that looks like a capital letter
        ("Ann", "ANN"),
        ("Stra\u00dfe", "STRASSE"),
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Bob", "B0b"),
        ("Bernie", "Bemie"),
        ("Micha", "\uff2dicha"),  # fullwidth
        ("paypal", "\U0001d52d\U0001d4b6\u1eff\U0001d561\U0001d552\u2113"),
        ("Jos\u00e9", "Jose\u0301"),
        ("O\u2019Hara", "O'Hara"),
    ],
)
def test_names_that_look_alike_have_a_form_in_common(one: str, other: str) -> None:
    assert lookalike_forms(one) & lookalike_forms(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anne"), ("Jose", "Jos\u00e9"), ("Ann 2", "Ann 3"), ("\u738b\u829d", "\u738b\u5fd7"), ("Ann", "Nan")],
)
def test_names_that_look_different_have_no_form_in_common(one: str, other: str) -> None:
    assert not lookalike_forms(one) & lookalike_forms(other)


def test_numbered_names_have_no_form_in_common() -> None:
    numbers = [lookalike_forms(f"Ann {k}") for k in range(2, 200)]
    assert len(frozenset().union(*numbers)) == sum(map(len, numbers))


@given(st.text(max_size=24))
def test_a_text_looks_like_itself_in_any_case(text: str) -> None:
    assert lookalike_forms(text) & lookalike_forms(text.casefold())


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (["Ann", "Ann", "Ann"], ["Ann", "Ann 2", "Ann 3"]),
        (["Ann", FALSE_ANN, "ANN"], ["Ann", f"{FALSE_ANN} 2", "ANN 3"]),
        (["Straße", "STRASSE"], ["Straße", "STRASSE 2"]),
        (
            [LONG, LONG, "Ann of the very long x m", "Ann of the very long x m"],
            [LONG, "Ann of the very long n 2", "Ann of the very long x m", "Ann of the very long x 2"],
        ),
    ],
)
def test_a_player_with_a_taken_name_gets_a_number(wanted: list[str], names: list[str]) -> None:
    table = Table()
    assert [table.person(table.join(f"guest {k}", name=name)).name for k, name in enumerate(wanted)] == names


def test_a_player_renames_to_a_distinct_name() -> None:
    table = lobby(2)
    for name, after in (("ann", "ann 2"), (FALSE_ANN, f"{FALSE_ANN} 2"), ("Ann 2", "Ann 2")):
        assert table.do(2, say.Rename(1, name)) == [events.Renamed(2, after)]
        assert table.do(2, say.Rename(1, name)) == []
    table.do(1, say.Rename(1, "ann"))
    assert table.person(1).name == "ann"
    assert table.refuses(2, say.Rename(1, " ")) == "bad-name"


def test_the_name_of_the_absent_creator_stays_reserved() -> None:
    table = lobby(2)
    table.do(1, say.Rename(1, "The organiser"), say.Leave(1))
    assert table.person(table.join("x", name="the  \u200borganiser")).name == "the organiser 2"
    assert spectator(table, "w", "The organiser") == "The organiser 3"
    assert table.person(table.join("ann", name="The organiser")).name == "The organiser"


def spectator(table: Table, guest: str, name: str, key: str = "k") -> str:
    """The name of a spectator in the chat."""
    number = table.chat_from(guest, name, key)
    return table.room.chat[number].name


def test_a_spectator_gets_a_distinct_name_with_each_message() -> None:
    table = lobby(2)
    assert [spectator(table, "w", name, name) for name in (FALSE_ANN, "Bob", "Cem")] == [
        f"{FALSE_ANN} 2",
        "Bob 2",
        "Cem",
    ]
    assert table.person(table.join("cem")).name == "Cem 2"
    assert [spectator(table, guest, "Wanda", "1") for guest in ("v", "w")] == ["Wanda", "Wanda 2"]
    assert spectator(table, "v", "Wanda", "2") == "Wanda"
    assert spectator(table, "w", "Dan", "3") == "Dan"
    assert table.person(table.join("w", name="Dan")).name == "Dan", "the same guest takes a seat"
    assert spectator(table, "v", "Dan", "4") == "Dan 2"


def test_an_absent_entrant_keeps_the_name() -> None:
    table = entered(people=2)
    table.do(2, say.Leave(1))
    assert table.person(table.join("x", name="GUEST 1")).name == "GUEST 1 2"
    seat = table.join("guest 1", name="Zed")
    assert table.person(seat).name == table.tournament.entrants[seat].name == "Guest 1"


def test_many_players_with_one_name_get_distinct_names(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(seats=1000)
    for k in range(150):
        table.join(f"guest {k}", name=("Ann", FALSE_ANN)[k % 2])
    assert len({person.name for person in table.room.people.values()}) == 150
    monkeypatch.setattr("fortythieves_server.core.names.NAMESAKES", 149)
    assert refusal(table.join, "one more", name="Ann") == "bad-name"
