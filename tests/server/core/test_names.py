"""Names that nobody takes for another one's."""

import pytest

from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import Chat, Leave, Rename
from fortythieves_server.core import decide
from tests.refusals import refusal
from tests.server.tables import Table, entered, lobby

#: The first letter is Cyrillic.
FALSE_ANN = "\u0410nn"


def says(table: Table, guest: str, name: str, key: str = "k") -> str:
    """A watcher says something; the name under which it is shown."""
    table.ask(lambda room, context: decide.spectator_chats(room, guest, name, Chat(1, key, "hi")))
    return list(table.room.chat.values())[-1].name


def test_a_name_that_looks_like_another_one_gets_a_number() -> None:
    table = lobby(1)
    assert table.person(table.join("x", name=FALSE_ANN)).name == f"{FALSE_ANN} 2"
    assert table.person(table.join("y", name="ANN")).name == "ANN 3"


def test_nobody_takes_another_ones_name_later() -> None:
    table = lobby(2)
    table.do(2, Rename(1, FALSE_ANN))
    assert table.person(2).name == f"{FALSE_ANN} 2"
    table.do(1, Rename(1, "ann"))
    assert table.person(1).name == "ann"


def test_nobody_bears_the_name_of_the_creator_who_is_away_for_good() -> None:
    table = lobby(2)
    table.do(1, Rename(1, "The organiser"))
    table.do(1, Leave(1))
    assert table.person(table.join("x", name="the  \u200borganiser")).name == "the organiser 2"
    assert says(table, "w", "The organiser") == "The organiser 3"
    assert table.person(table.join("ann", name="The organiser")).name == "The organiser"


def test_a_watcher_does_not_pass_for_somebody_at_a_seat() -> None:
    table = lobby(2)
    assert says(table, "w", FALSE_ANN) == f"{FALSE_ANN} 2"
    assert says(table, "w", "Bob", "k2") == "Bob 2"


def test_a_watcher_does_not_pass_for_somebody_who_sat_down_later() -> None:
    table = lobby(2)
    assert says(table, "w", "Cem") == "Cem"
    assert table.person(table.join("cem")).name == "Cem 2"
    assert says(table, "w", "Dan", "k2") == "Dan"
    assert table.join("w", name="Dan") == 4
    assert table.person(4).name == "Dan"
    assert says(table, "v", "Dan") == "Dan 2"


def test_two_watchers_of_one_name_can_be_told_apart() -> None:
    table = lobby(1)
    assert [says(table, guest, "Wanda") for guest in ("v", "w")] == ["Wanda", "Wanda 2"]
    assert says(table, "v", "Wanda", "again") == "Wanda"


def test_an_entrant_who_has_left_keeps_the_name() -> None:
    table = entered(people=2)
    name = table.person(2).name
    table.do(2, Leave(1))
    assert table.person(table.join("x", name=name.upper())).name == f"{name.upper()} 2"
    assert table.person(table.join("guest 1", name=name)).name == name


def test_a_thousand_of_one_name_find_one() -> None:
    table = Table(seats=1000)
    for k in range(400):
        table.join(f"guest {k}", name=("Ann", FALSE_ANN)[k % 2])
    assert len({person.name for person in table.room.people.values()}) == 400


def test_a_name_is_as_long_as_one_may_be_with_its_number() -> None:
    table = lobby(1)
    long = "Ann of the very long nam"
    table.join("x", name=long)
    table.join("y", name=long)
    assert table.person(3).name == "Ann of the very long n 2"
    table.do(3, to_server.Rename(1, "Cem"))
    assert table.person(3).name == "Cem"


def test_when_all_numbers_are_taken_a_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fortythieves_server.core.names.NAMESAKES", 1)
    table = lobby(1)
    table.join("x", name="Ann")
    assert refusal(table.join, "y", name="Ann") == "bad-name"


def test_an_entrant_who_comes_again_under_another_name_has_the_old_one() -> None:
    table = entered(people=1)
    table.do(2, Leave(1))
    seat = table.join("guest 1", name="Zed")
    assert table.person(seat).name == table.tournament.entrants[seat].name == "Guest 1"
