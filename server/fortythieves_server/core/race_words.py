"""The result of a finished race in a few words, for messengers that show where a link leads. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from fortythieves.record.race_record import Racer
from fortythieves.times import Ms

#: How many racers are named. What stands below a link is short.
NAMED = 5

#: What is said of a racer who did not win, besides the cards.
_ENDS = {"disqualified": "disqualified", "did_not_start": "no-show"}


class Line(NamedTuple):
    """One racer's result."""

    seat: int
    #: "1", or "" without a place.
    place: str
    name: str
    #: "3:21.4", "57 cards" or "no-show".
    result: str


def lines(racers: Sequence[Racer], starts_at: Ms) -> list[Line]:
    """The results in the order of the places; those without a place come last."""
    ranked = sorted(racers, key=lambda racer: (racer.place is None, racer.place or 0, racer.seat))
    return [
        Line(racer.seat, "" if racer.place is None else str(racer.place), racer.name, _result(racer, starts_at))
        for racer in ranked
    ]


def title(game: str, told: Sequence[Line]) -> str:
    """For example "Lucas: Ann 3:21.4, Bob 57 cards"."""
    said = ", ".join(f"{isolated(line.name)} {line.result}" for line in told[:2])
    more = len(told) - 2
    return f"{game}: {said}" + (f" and {more} more" if more > 0 else "")


def description(told: Sequence[Line]) -> str:
    """For example "1. Ann 3:21.4 · 2. Bob 57 cards"."""
    named = [f"{line.place and f'{line.place}. '}{isolated(line.name)} {line.result}" for line in told[:NAMED]]
    more = len(told) - NAMED
    return " \N{MIDDLE DOT} ".join([*named, *([f"and {more} more"] if more > 0 else [])])


def isolated(name: str) -> str:
    """A name whose direction of writing changes nothing around it (Unicode: FIRST STRONG ISOLATE to its end)."""
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def _result(racer: Racer, starts_at: Ms) -> str:
    if racer.state == "solved":
        return time_text(racer.when - starts_at)
    return _ENDS.get(racer.state) or f"{racer.home} card{'' if racer.home == 1 else 's'}"


def time_text(ms: Ms) -> str:
    """`3:21.4`, or `1:02:05.4`."""
    tenths = max(0, int(ms)) // 100
    minutes, seconds = divmod(tenths // 10, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{clock}.{tenths % 10}"
