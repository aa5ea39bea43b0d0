"""The result of a finished race in as few words as each language has, for messengers that show what is linked. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fortythieves.record.race_record import Racer
from fortythieves.rules.cards import PACKS
from fortythieves.times import Ms

#: How many racers are named. What stands below a link is short.
NAMED = 5

#: What is said of a racer instead of the cards, by state.
ENDS = {"disqualified": "disqualified", "did_not_start": "no-show"}


class Line(NamedTuple):
    """One racer's result."""

    seat: int
    #: "1", or "" without a place.
    place: str
    name: str
    #: "3:21.4", "57/104" or "no-show".
    result: str


def lines(racers: Sequence[Racer], starts_at: Ms, ends: Mapping[str, str] = ENDS) -> list[Line]:
    """The results in the order of the places; those without a place come last. ``ends``: `ENDS` in some language."""
    ranked = sorted(racers, key=lambda racer: (racer.place is None, racer.place or 0, racer.seat))
    return [
        Line(racer.seat, "" if racer.place is None else str(racer.place), racer.name, _result(racer, starts_at, ends))
        for racer in ranked
    ]


def title(game: str, told: Sequence[Line]) -> str:
    """For example "Lucas: Ann 3:21.4, Bob 57/104, +2"."""
    named = [f"{isolated(line.name)} {line.result}" for line in told[:2]]
    return f"{game}: {', '.join([*named, *_more(told, 2)])}"


def description(told: Sequence[Line]) -> str:
    """For example "1. Ann 3:21.4 · 2. Bob 57/104"."""
    named = [f"{line.place and f'{line.place}. '}{isolated(line.name)} {line.result}" for line in told[:NAMED]]
    return " \N{MIDDLE DOT} ".join([*named, *_more(told, NAMED)])


def _more(told: Sequence[Line], named: int) -> list[str]:
    return [f"+{len(told) - named}"] if len(told) > named else []


def isolated(name: str) -> str:
    """A name whose direction of writing changes nothing around it (Unicode: FIRST STRONG ISOLATE to its end)."""
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def _result(racer: Racer, starts_at: Ms, ends: Mapping[str, str]) -> str:
    if racer.state == "solved":
        return time_text(racer.when - starts_at)
    return ends.get(racer.state) or f"{racer.home}/{len(PACKS)}"


def time_text(ms: Ms) -> str:
    """`3:21.4`, or `1:02:05.4`."""
    tenths = max(0, int(ms)) // 100
    minutes, seconds = divmod(tenths // 10, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{clock}.{tenths % 10}"
