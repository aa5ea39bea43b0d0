"""The planned start of a tournament as a calendar file: iCalendar (RFC 5545).

The library `icalendar` (7.3) would save 17 lines. It costs three packages of 9 MB on disk, and 2.2 MB of memory and
30 to 70 ms of start in each process.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from fortythieves.times import Ms

#: A year has four digits (3.3.4). This is the first time with five.
_LAST = Ms(253_402_300_800_000)
#: The most bytes in a line. A longer one continues in the next line, after a space (3.1).
_WIDTH = 75


def calendar(uid: str, name: str, link: str, starts_at: Ms | None, stamp: Ms, minutes: int = 60) -> str:
    """A calendar with the start of a tournament, or without it if a calendar cannot express it. ``uid``: the same for
    each version, so that calendars move the event instead of adding another. ``stamp``: when this was last changed.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Forty Thieves Race//Tournaments//EN"]
    if starts_at is not None and Ms(0) <= starts_at < _LAST:
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


def _time(ms: Ms) -> str:
    return f"{datetime.fromtimestamp(ms // Ms(1000), UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    """A text value (3.3.11), without control characters."""
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    lines = "\\n".join(text.splitlines())
    return "".join(char for char in lines if char.isprintable() or char in "\u200d\u200c")


def _folded(line: str) -> Iterator[str]:
    """The line in parts that fit. No character is split."""
    part = ""
    for char in line:
        if len((part + char).encode()) > _WIDTH:
            yield part
            part = " "
        part += char
    yield part
