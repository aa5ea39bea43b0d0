import unicodedata
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves_server.core.clean_text import clean_about, clean_chat, clean_name
from tests.refusals import refusal

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
        ("S\u0326tefan", "Ștefan"),
        ("A\u202eevil\u202c\u2066b\u2069\u200f\u061c", "Aevilb"),
        ("A\u00adn\u200bn\ufeff\u2060", "Ann"),
        ("An\u200cn", "Ann"),
        ("An\u200dn\ufe0f", "Ann"),
        ("A\u034f\u3164\u115fn\u2800n", "Ann"),
        ("A\x00\x07\x1b[31mB", "A[31mB"),
        ("A\ud83d\ue000\U0010ffff\u0378B", "AB"),
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴"),
        ("क्\u200d", "क्"),
        ("क\u200d\u200dष", "क\u200dष"),
        ("☺\u200d", "☺"),
        ("☺\ufe0f\ufe0f", "☺\ufe0f"),
        ("1\ufe0f", "1"),
        ("\u0301\u0302Ann", "Ann"),
        ("Ann \u0301\u200dLee", "Ann Lee"),
    ],
)
def test_invisible_and_reversing_characters_are_removed(typed: str, clean: str) -> None:
    assert clean_name(typed) == clean


def test_piles_of_marks_are_cut() -> None:
    zalgo = "Z" + "\u0334\u0335\u0336\u0337\u0338\u0301\u0302\u0303" * 5 + "o"
    clean = clean_name(zalgo)
    assert (clean[0], clean[-1]) == ("Ź", "o")
    assert sum(unicodedata.category(char) == "Mn" for char in clean) == 4


def test_joiners_do_not_stretch_a_pile_of_marks() -> None:
    clean = clean_chat("क" + "\u093c\u094d\u200d" * 50 + "ष")
    assert sum(unicodedata.category(char) == "Mn" for char in clean) == 4


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


def test_a_refusal_names_the_kind_of_text() -> None:
    with pytest.raises(Refused, match=r"^A name has 1 to 24 characters\.$"):
        clean_name("x" * 25)
    with pytest.raises(Refused, match=r"^A message has 1 to 300 characters\.$"):
        clean_chat("x" * 301)


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
    """A text that must not be read."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError


def test_a_very_long_text_is_refused_quickly() -> None:
    for worst in ("\u0301\u0327" * 1200, "a" + "\u0315\u0300" * 1199, "\u1100\u200d\u1161" * 800, "\U0001d15e" * 2400):
        assert refusal(clean_chat, Unread(worst + "x" * 301)) == "bad-chat"


def test_a_description_keeps_its_lines_and_paragraphs() -> None:
    text = "\n First prize:\u202e a cup. \r\n\n\u200b\n\n  Bring\tpens.\n\n"
    assert clean_about(text) == "First prize: a cup.\n\nBring pens."
    assert clean_about(clean_about(text)) == clean_about(text)
    assert clean_about(" \n\u200b") == ""


@pytest.mark.parametrize("text", ["W" * 2001, "a\n" * 1001, "\u200b" * 16_001])
def test_a_long_description_is_refused(text: str) -> None:
    assert refusal(clean_about, text) == "bad-about"
