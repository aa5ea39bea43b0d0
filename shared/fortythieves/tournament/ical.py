"""The scheduled start of a tournament for calendars: iCalendar (RFC 5545)."""

from collections.abc import Iterator
from datetime import UTC, datetime

#: A year has four digits (3.3.4): in ms, the first one that has five.
_LAST = 253_402_300_800_000
#: A line has at most so many bytes; a longer one goes on in the next, after a space (3.1).
_WIDTH = 75


def calendar(uid: str, name: str, link: str, starts_at: int | None, stamp: int, minutes: int = 60) -> str:
    """A calendar with the start of a tournament, or an empty one if none is set that a calendar can have.

    Times are in ms since the epoch.

    ``uid``: the same for the same tournament, so that a start that is moved moves in the calendar, too. ``stamp``: when
    this was last changed.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Forty Thieves Race//Tournaments//EN"]
    if starts_at is not None and 0 <= starts_at < _LAST:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{_text(uid)}",
            f"DTSTAMP:{_time(stamp)}",
            f"DTSTART:{_time(starts_at)}",
            f"DURATION:PT{minutes}M",
            f"SUMMARY:{_text(name)}",
            f"URL:{link}",
            f"DESCRIPTION:{_text(link)}",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _time(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """A text value (3.3.11). Control characters have no place in one."""
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    lines = "\\n".join(text.splitlines())
    return "".join(char for char in lines if char.isprintable() or char in "\u200d\u200c")


def _folded(line: str) -> Iterator[str]:
    """The line in parts that fit. No character is cut in two."""
    part = ""
    for char in line:
        if len((part + char).encode()) > _WIDTH:
            yield part
            part = " "
        part += char
    yield part
