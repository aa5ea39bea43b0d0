"""Texts of people are safe to show, and names that look alike are kept distinct."""

import time
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves_server.core import events
from fortythieves_server.core.names_and_texts import clean_about, clean_chat, clean_name, lookalike_forms
from tests.refusals import refusal
from tests.server.tables import Table, entered, lobby

# Surrogates included: a client may send them, and Python strings can hold them.
ANY_CHARACTER = st.characters(codec=None, categories=None)
NASTY = st.sampled_from(
    "a1#☺♥👩🏽\u200c\u200d\ufe0f\ufe0e\u20e3\u0301\u0327\u0334\u034f\u093c\u094d\u0915\u0937\u093f\u1100\u1161\u11a8\u202e\u2066"
    "\u00ad\u3164\u2800 \n\t\u2028\x00\ud800\udc00\ue000\U000e0041\U0001faff\u0958ا"
)
ANY_TEXT = st.text(ANY_CHARACTER | NASTY, max_size=400)


@pytest.mark.parametrize(
    "text",
    [
        *("Ann", "Ștefan cel Țeapăn", "Ion Ionescu-Brătianu", "Nguyễn Thị Ánh", "王小明"),
        *("प्रिया", "ज़िंदगी की बाज़ों", "क्ष्म्य", "می\u200cخواهم", "നന്\u200dമ"),
        "क्\u200dष",  # a joiner asks for the half form,
        "क्\u200cष",  # a non-joiner for the visible virama
        *("👩\u200d🚀 Ann", "👩🏽\u200d❤\ufe0f\u200d👨🏿", "❤\ufe0f ♠\ufe0f 1\ufe0f\u20e3", "🏳\ufe0f\u200d🌈", "🇷🇴 🇮🇳"),
        "🫨 shaking",  # newer than the Unicode of Python 3.11
        *("<b>Ann</b> & 'co' \"x\"", "'; DROP TABLE rooms; --"),
    ],
)
def test_a_clean_name_is_unchanged(text: str) -> None:
    assert clean_name(unicodedata.normalize("NFC", text)) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("typed", "clean"),
    [
        ("  Ann \t\r\n Lee\u2028\u00a0\u3000B ", "Ann Lee B"),
        *(("S\u0326tefan", "Ștefan"), ("A\u202eevil\u202c\u2066b\u2069\u200f\u061c", "Aevilb")),
        *(("A\u00adn\u200bn\ufeff\u2060", "Ann"), ("An\u200cn", "Ann"), ("An\u200dn\ufe0f", "Ann")),
        *(("A\u034f\u3164\u115fn\u2800n", "Ann"), ("\u0301\u0302Ann", "Ann"), ("Ann \u0301\u200dLee", "Ann Lee")),
        *(("A\x00\x07\x1b[31mB", "A[31mB"), ("A\ud83d\ue000\U0010ffff\u0378B", "AB")),
        *(("🏴\U000e0067\U000e0062\U000e007f", "🏴"), ("क्\u200d", "क्"), ("क\u200d\u200dष", "क\u200dष")),
        *(("☺\u200d", "☺"), ("☺\ufe0f\ufe0f", "☺\ufe0f"), ("1\ufe0f", "1")),
    ],
)
def test_invisible_and_reversing_characters_are_removed(typed: str, clean: str) -> None:
    assert clean_name(typed) == clean


def test_piles_of_marks_are_cut_also_between_joiners() -> None:
    zalgo = clean_name("Z" + "\u0334\u0335\u0336\u0337\u0338\u0301\u0302\u0303" * 5 + "o")
    stretched = clean_chat("क" + "\u093c\u094d\u200d" * 50 + "ष")
    assert [sum(unicodedata.category(char) == "Mn" for char in text) for text in (zalgo, stretched)] == [4, 4]
    assert (zalgo[0], zalgo[-1]) == ("Ź", "o")


@pytest.mark.parametrize(
    "nothing", ["", *" \u200d\ufe0f\u0301\u3164\u200b\0\ud800", "\n\t", "\u2800 \u2800", "\u202e\u200f\u2066"]
)
@pytest.mark.parametrize(("clean", "code"), [(clean_name, "bad-name"), (clean_chat, "bad-chat")])
def test_an_invisible_text_is_refused(clean: Callable[[str], str], code: str, nothing: str) -> None:
    assert refusal(clean, nothing) == code


@pytest.mark.parametrize(("clean", "code", "most"), [(clean_name, "bad-name", 24), (clean_chat, "bad-chat", 300)])
def test_a_long_text_is_refused_not_cut(clean: Callable[[str], str], code: str, most: int) -> None:
    assert clean("é" * most) == "é" * most
    for length in (most + 1, 10_000):
        assert refusal(clean, "é" * length) == code


def test_length_counts_after_cleaning() -> None:
    assert clean_name("e\u0301\u200b" * 24) == "é" * 24
    assert clean_name(" " * 50 + "Ann" + " " * 50) == "Ann"


@pytest.mark.parametrize("clean", [clean_name, clean_chat])
@given(typed=ANY_TEXT)
@example(typed="\u1100\u200d\u1161\u0301\u200d\u11a8")
@example(typed="\u0915\u200d" * 200)
def test_any_text_is_refused_or_cleaned_once(clean: Callable[[str], str], typed: str) -> None:
    try:
        text = clean(typed)
    except Refused:
        return
    assert clean(text) == text
    assert 1 <= len(text) <= 300
    assert unicodedata.is_normalized("NFC", text)
    assert text == " ".join(text.split())
    assert text.encode()  # no lone surrogates
    assert {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}.isdisjoint(
        map(unicodedata.bidirectional, text)
    )
    assert any(unicodedata.category(char)[0] not in "MCZ" or ord(char) >= 0x1F300 for char in text)


@given(typed=st.text(NASTY, max_size=60))
def test_a_short_text_always_settles(typed: str) -> None:
    """Four rounds are enough for whatever fits into a message: it is refused only when nothing of it is left."""
    try:
        clean_chat(typed)
    except Refused:
        assert not any(unicodedata.category(char)[0] in "LNPS" for char in typed if char not in "\u3164\u2800")


class Unread(str):
    def __iter__(self) -> Iterator[str]:
        raise AssertionError


def test_a_very_long_text_is_refused_quickly() -> None:
    for worst in ("\u0301\u0327" * 1200, "a" + "\u0315\u0300" * 1199, "\u1100\u200d\u1161" * 800, "\U0001d15e" * 2400):
        assert refusal(clean_chat, Unread(worst + "x" * 301)) == "bad-chat"


def test_a_name_does_not_stand_for_a_text_that_is_long_to_compare() -> None:
    assert clean_name("\ufdfa" * 4) == "\ufdfa" * 4 and clean_name("\uac01" * 24)
    assert refusal(clean_name, "\ufdfa" * 5) == "bad-name"


def test_marks_in_a_row_take_less_time_than_to_normalise_them() -> None:
    """Sorting them takes quadratic time, so most of them are left out before."""
    marks = "a" + "\u0315\u0300" * 1_999

    def seconds(work: Callable[[str], str]) -> float:
        began = time.process_time()
        work(marks)
        return time.process_time() - began

    assert clean_about(marks) == "à\u0300\u0300\u0300\u0300"
    assert min(seconds(clean_about) for _ in range(5)) < min(seconds(partial(normalize, "NFC")) for _ in range(5))


def test_a_description_keeps_its_lines_and_paragraphs() -> None:
    text = "\n First prize:\u202e a cup. \r\n\n\u200b\n\n  Bring\tpens.\n\n"
    assert clean_about(text) == "First prize: a cup.\n\nBring pens."
    assert clean_about(clean_about(text)) == clean_about(text)
    assert clean_about(" \n\u200b") == ""


@pytest.mark.parametrize("text", ["W" * 2001, "a\n" * 1001, "\u200b" * 4_001])
def test_a_long_description_is_refused(text: str) -> None:
    assert refusal(clean_about, text) == "bad-about"


#: The first letter is Cyrillic.
FALSE_ANN = "\u0410nn"
LONG = "Ann of the very long nam"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ann", FALSE_ANN), ("Ann", "\u0391nn"), ("ann", "\u13aann")),  # a Greek and a Cherokee letter
        *(("Ann", "ANN"), ("Stra\u00dfe", "STRASSE"), ("Jos\u00e9", "Jose\u0301"), ("O\u2019Hara", "O'Hara")),
        *(("Ian", "lan"), ("Ian", "1an"), ("Bob", "B0b"), ("Bernie", "Bemie"), ("Micha", "\uff2dicha")),  # fullwidth
        *(("क्ष", "क्\u200dष"), ("می\u200cخواهم", "میخواهم"), ("♥ Ann", "♥\ufe0f Ann"), ("🏳🌈", "🏳\ufe0f\u200d🌈")),
        *(("zoé", "zoé\u0301"), ("Ann", "An\u2d7fn")),  # a mark over itself, and one without ink
        *(("Iris", "Iri\u0307s"), ("jim", "\u0458\u0307im")),  # a dot in the place of a dot
        ("paypal", "\U0001d52d\U0001d4b6\u1eff\U0001d561\U0001d552\u2113"),
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
        assert table.do(2, say.Rename(1, name), say.Rename(1, name)) == [events.Renamed(2, after)]
    table.do(1, say.Rename(1, "ann"))
    assert table.person(1).name == "ann"
    assert table.refuses(2, say.Rename(1, " ")) == "bad-name"


def test_the_names_of_an_absent_creator_and_entrant_stay_reserved() -> None:
    table = lobby(2)
    table.do(1, say.Rename(1, "The organiser"), say.Leave(1))
    assert table.person(table.join("x", name="the  \u200borganiser")).name == "the organiser 2"
    assert spectator(table, "w", "The organiser") == "The organiser 3"
    assert table.person(table.join("ann", name="The organiser")).name == "The organiser"
    table = entered(people=2)
    table.do(2, say.Leave(1))
    assert table.person(table.join("x", name="GUEST 1")).name == "GUEST 1 2"
    seat = table.join("guest 1", name="Zed")
    assert table.person(seat).name == table.tournament.entrants[seat].name == "Guest 1"


def spectator(table: Table, guest: str, name: str, key: str = "k") -> str:
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


def test_many_players_with_one_name_get_distinct_names(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(seats=1000)
    for k in range(150):
        table.join(f"guest {k}", name=("Ann", FALSE_ANN)[k % 2])
    assert len({person.name for person in table.room.people.values()}) == 150
    monkeypatch.setattr("fortythieves_server.core.names_and_texts.NAMESAKES", 149)
    assert refusal(table.join, "one more", name="Ann") == "bad-name"
