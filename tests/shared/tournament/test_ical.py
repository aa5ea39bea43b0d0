"""The start of a tournament for calendars."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.times import Ms
from fortythieves.tournament.ical import calendar
from tests.shared.make_records import NOON

LINK = "https://cards.example.org/r/KQXWVD"


def test_a_start_is_an_event_in_universal_time() -> None:
    assert calendar("KQXWVD@cards.example.org", "Club night", LINK, NOON, NOON - Ms(86_400_000)) == (
        "BEGIN:VCALENDAR\r\n"
        "VERSION:2.0\r\n"
        "PRODID:-//Forty Thieves Race//Tournaments//EN\r\n"
        "BEGIN:VEVENT\r\n"
        "UID:KQXWVD@cards.example.org\r\n"
        "DTSTAMP:20261120T110000Z\r\n"
        "DTSTART:20261121T110000Z\r\n"
        "DURATION:PT60M\r\n"
        "SUMMARY:Club night\r\n"
        f"URL:{LINK}\r\n"
        f"DESCRIPTION:{LINK}\r\n"
        "END:VEVENT\r\n"
        "END:VCALENDAR\r\n"
    )


def test_without_a_start_there_is_no_event() -> None:
    assert "VEVENT" not in calendar("x", "Club night", LINK, None, NOON)


def test_signs_that_mean_something_in_a_calendar_are_only_signs() -> None:
    text = calendar("x", "A;B,C\\D\nEND:VEVENT\x07", LINK, NOON, NOON)
    assert "SUMMARY:A\\;B\\,C\\\\D\\nEND:VEVENT\r\n" in text


@given(st.text(), st.text(), st.integers())
def test_there_is_a_calendar_whatever_the_event_is_called_and_whenever_it_begins(uid: str, name: str, at: Ms) -> None:
    lines = calendar(uid, name, LINK, at, NOON).encode().split(b"\r\n")
    assert lines[0] == b"BEGIN:VCALENDAR" and lines[-2:] == [b"END:VCALENDAR", b""]
    assert lines.count(b"BEGIN:VEVENT") == (
        Ms(0) <= at < Ms(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp() * 1000) + Ms(1000)
    )


@given(st.text(max_size=200))
def test_no_line_is_too_long_and_unfolded_it_says_the_same(name: str) -> None:
    text = calendar("x", name, LINK, NOON, NOON)
    lines = text.encode().split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert lines.count(b"BEGIN:VEVENT") == 1
    unfolded = text.replace("\r\n ", "").split("\r\n")
    assert len(unfolded) == 14
