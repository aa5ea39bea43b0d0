"""A race that is over: its record, the right to download it, its result as text, and hints for the host. Pure.

A room code allows its holder to enter and to watch. If the host allows no spectators, or only with a password, the code
allows nothing more.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from fortythieves.record import race_record
from fortythieves.record.race_record import Plain, Racer
from fortythieves.rules.cards import PACKS
from fortythieves.rules.games import Game
from fortythieves.rules.move_notation import DRAW, FOUNDATION, WASTE, Move
from fortythieves.rules.race_rules import UNDO
from fortythieves.rules.tally import Happened
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.room_state import Race, Room

# The record

Log = Sequence[tuple[Ms, events.Event]]


def record_of(code: str, race: Race, log: Log, moves: Mapping[int, Sequence[tuple[Ms, str]]]) -> Plain:
    """The unsigned record of a race, from the room log and the seats' logs. Raises `ValueError` if it is not over."""
    if race.over_at is None or race.starts_at is None:
        raise ValueError(f"race {race.number} of {code} is not over")
    current, happened = 1, []
    for at, event in log:
        if isinstance(event, events.SetUp):
            current += 1
        elif current == race.number and isinstance(event, events.OfSeat):
            happened.append(Happened(at, str(event.__struct_config__.tag), event.seat))
    settings, dealt = msgspec.to_builtins(race.settings), race.dealt
    return race_record.make(code, race.number, settings, dealt, race.starts_at, racers_of(race), moves, happened)


def racers_of(race: Race) -> Iterator[Racer]:
    for seat, result in race.results.items():
        racer = race.racers[seat]
        yield Racer(seat, racer.name, racer.bot, racer.late, *result, race.places.get(seat))


# The right to download a record, or the files of a tournament


def asks_watchers(room: Room) -> bool:
    plan = room.tournament and room.tournament.plan
    return bool(plan and plan.entry == plan.spectators == "password")


def is_of(room: Room, guest: str) -> bool:
    """Whether a guest belongs to a room: its creator, a player at a seat, or the owner of a kept seat."""
    kept = room.tournament is not None and room.tournament.seat_of(guest) is not None
    return guest != "" and (kept or room.is_creator(guest) or room.seat_of(guest) is not None)


def is_for_racers(race: Race) -> bool:
    """Whether only its racers may have the record of a race."""
    return race.settings.watching == "nobody"


def may_have(room: Room, race: Race, guest: str) -> bool:
    """Whether a guest may have the record of a race of the room for which `is_for_racers` holds."""
    organisers = {room.creator, room.of_arena.creator if room.of_arena else ""}
    return guest != "" and guest in {*organisers, *(racer.guest for racer in race.racers.values())}


# The result as text, for link previews

#: How many racers are named: the text below a link is short.
NAMED = 5

#: The text instead of the cards, by state.
ENDS = {"disqualified": "disqualified", "did_not_start": "no-show"}


class ResultRow(NamedTuple):
    seat: int
    place: str  # "1", or "" without a place
    name: str
    result: str  # "3:21.4", "57/104" or "no-show"


def result_rows(racers: Sequence[Racer], starts_at: Ms, ends: Mapping[str, str] = ENDS) -> list[ResultRow]:
    """The results in the order of the places; those without a place come last. ``ends``: `ENDS` in some language."""
    ranked = sorted(racers, key=lambda racer: (racer.place is None, racer.place or 0, racer.seat))
    return [ResultRow(one.seat, str(one.place or ""), one.name, _result(one, starts_at, ends)) for one in ranked]


def title(game: str, rows: Sequence[ResultRow]) -> str:
    """For example "Lucas: Ann 3:21.4, Bob 57/104, +2"."""
    named = [f"{isolated(row.name)} {row.result}" for row in rows[:2]]
    return f"{game}: {', '.join([*named, *_more(rows, 2)])}"


def description(rows: Sequence[ResultRow]) -> str:
    """For example "1. Ann 3:21.4 · 2. Bob 57/104"."""
    named = [f"{row.place and f'{row.place}. '}{isolated(row.name)} {row.result}" for row in rows[:NAMED]]
    return " \N{MIDDLE DOT} ".join([*named, *_more(rows, NAMED)])


def _more(rows: Sequence[ResultRow], named: int) -> list[str]:
    return [f"+{len(rows) - named}"] if len(rows) > named else []


def isolated(name: str) -> str:
    """A name that does not change the writing direction around it (Unicode: FIRST STRONG ISOLATE to its end)."""
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


# Hints for the host: they prove nothing, so they are in no record

#: Up to this many cards home are "hardly any": less than half of the least (3) that the weakest house bot brings home.
#: In Little Forty, with its redeals, 3 of 60 bots had no more (measured on 60 deals of each game).
HARDLY_ANY = 1

_DRAW = str(DRAW)
_HOME = str(Move(WASTE, FOUNDATION))[1:]


def of_one_address(race: Race) -> list[tuple[int, ...]]:
    """The groups of seats that shared an address at any time during the race. House bots have no address."""
    return sharing({seat: racer.addresses for seat, racer in race.racers.items()})


def sharing(addresses: Mapping[int, Iterable[str]]) -> list[tuple[int, ...]]:
    """The groups of numbers that have an address in common."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, own in addresses.items():
        for address in own:
            groups[address].append(number)
    return sorted({tuple(sorted(group)) for group in groups.values() if len(group) > 1})


def only_drew(entries: Iterable[str], game: Game) -> bool:
    """Whether a seat drew all of its stock, and had hardly a card home by then. Undone moves do not count, and moves
    between columns prove nothing: a racer can repeat them.
    """
    made: list[str] = []
    drawn = home = early = 0
    for entry in entries:
        if entry == UNDO:
            undone = made.pop() if made else ""
            drawn -= undone == _DRAW
            home -= undone.endswith(_HOME)
            continue
        made.append(entry)
        drawn += entry == _DRAW
        home += entry.endswith(_HOME)
        # Before the first draw the waste is empty, so a card of the stock may fill the column that a move empties.
        early += game.empty == "refill" and not drawn
        if drawn * game.draw + min(early, game.columns) >= game.stock:
            return home <= HARDLY_ANY
    return False
