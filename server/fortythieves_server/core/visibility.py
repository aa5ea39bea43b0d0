"""The visible part of each board for spectators: a prefix of its log, and nothing else. Pure.

In a game with a hidden stock, a spectator could tell a racer which cards come next. So each policy is a function from
the logs, the active racers, and the time to a prefix length for each seat. Entries beyond the prefix never leave the
server.

Under the ``frontier`` policy, a board is shown up to its last reveal before any card that an active racer has not
revealed. So each visible move was made before a reveal that all active racers have made. The number of entries does not
count, because a racer can make any number of entries that reveal nothing.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from fortythieves.protocol import to_client
from fortythieves.rules.games import Game
from fortythieves.rules.move_notation import REDEAL, STOCK, WASTE, parse_move
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms, ms_of

#: Entries in one message. Each takes at most 17 bytes, so a message stays below 200 KB.
PART = 10_000

_REDEAL = str(REDEAL)


class Entry(NamedTuple):
    text: str
    turned: str
    at: Ms  # when it was made


class Reveal(NamedTuple):
    """An entry that revealed cards which this racer had not seen."""

    end: int  # how many entries the log has with this one
    pile: int  # where the cards were hidden: the stock or a column
    #: The number of the last of them among the hidden cards of that pile, from 1. It is the same for all racers.
    number: int


class Ledger:
    """A seat's log, with the cards that each entry revealed. Built from (text, revealed cards, time).

    Free undo can hide cards again. Then `reveals` is wrong, and `waits_for_reveals` is false.
    """

    __slots__ = ("_downs", "_redealt", "entries", "reveals", "turned")

    def __init__(self, game: Game) -> None:
        #: How many cards of each column start face down, if empty columns are filled from the stock.
        self._downs = game.downs if game.empty == "refill" else None
        self.entries: list[Entry] = []
        self.reveals: list[Reveal] = []
        #: How many hidden cards of each pile the racer has revealed.
        self.turned: defaultdict[int, int] = defaultdict(int)
        self._redealt = False

    def add(self, text: str, turned: str, at: Ms) -> None:
        self.entries.append(Entry(text, turned, at))
        # After a redeal, all cards of the stock have been seen.
        self._redealt = self._redealt or text == _REDEAL
        if not turned:
            return
        # A draw reveals cards of the stock. Any other move reveals one in the column that it leaves, or else, if it
        # empties the column, those of the stock that fill it.
        pile = parse_move(text).source
        if self._downs is not None and pile > WASTE and self.turned[pile] >= self._downs[pile - 1]:
            pile = STOCK
        if pile != STOCK or not self._redealt:
            self.turned[pile] += len(turned) // 2
            self.reveals.append(Reveal(len(self.entries), pile, self.turned[pile]))


class Shown(NamedTuple):
    """The visible part: whether the face-up cards of the deal are visible, and how many entries of each seat's log."""

    start: bool
    entries: Mapping[int, int]


NOTHING = Shown(False, {})


def waits_for_reveals(settings: Settings) -> bool:
    """Whether spectators see each board up to the reveals that all active racers have made."""
    # A new racer may join at any moment, and has revealed nothing. With free undo, a racer can return to any position.
    return settings.watch == "frontier" and settings.late != "join" and settings.undo != "free"


def frontier(ledgers: Mapping[int, Ledger], active: Collection[int]) -> Mapping[int, int]:
    """How many hidden cards of each pile all active racers have revealed. Piles with none are missing."""
    racing = [ledgers[seat].turned for seat in active]
    return {pile: min(turned.get(pile, 0) for turned in racing) for pile in racing[0]}


def shown(
    settings: Settings,
    ledgers: Mapping[int, Ledger],
    active: Collection[int],
    starts_at: Ms,
    now: Ms,
    before: Shown = NOTHING,
) -> Shown:
    """The visible part of a race that has started, for spectators.

    ``active``: the seats that still race, even if they are away. If no seat is active, the race is over and everything
    may be seen. ``before``: the visible part under the same policy so far, so that it need not be rechecked.
    """
    if not active or settings.watch == "open":
        return Shown(True, {seat: len(ledger.entries) for seat, ledger in ledgers.items()})
    if settings.watch == "progress":
        return NOTHING
    n = before.entries
    if settings.watch == "delayed":
        until = now - ms_of(settings.delay)
        if starts_at > until:
            return NOTHING
        return Shown(True, {seat: _old_enough(ledger, until, n.get(seat, 0)) for seat, ledger in ledgers.items()})
    if not waits_for_reveals(settings):
        return Shown(True, dict.fromkeys(ledgers, 0))
    known = frontier(ledgers, active)
    return Shown(True, {seat: _revealed(ledger, known, n.get(seat, 0)) for seat, ledger in ledgers.items()})


def _old_enough(ledger: Ledger, until: Ms, n: int) -> int:
    """How many of the first entries were made by then, if ``n`` of them were."""
    return bisect_right(ledger.entries, until, n, key=lambda entry: entry.at)


def _revealed(ledger: Ledger, known: Mapping[int, int], n: int) -> int:
    """How many entries there are up to the last reveal before any unknown card, if ``n`` are up to an earlier one."""
    for end, pile, number in ledger.reveals[bisect_right(ledger.reveals, n, key=lambda reveal: reveal.end) :]:
        if number > known.get(pile, 0):
            break
        n = end
    return n


def is_narrower(new: Settings, old: Settings) -> bool:
    """Whether the new policy gives racers no more than the old one. Only such a change is allowed during a race.

    Neither delayed nor frontier always shows less than the other. But the delayed boards may show a racer the next
    cards, and the frontier never does. So frontier counts as the narrower policy.
    """
    width = {"progress": 0, "frontier": 1, "delayed": 2, "open": 3}
    if new.watch == old.watch == "delayed":
        return new.delay >= old.delay
    return width[new.watch] <= width[old.watch]


#: The most racers with a history (the leaders), and the most points in each: at most 25,000 bytes for all.
MOST_LINES, MOST_POINTS = 40, 60

#: A seat, and entries of its log: from, to.
Span = tuple[int, int, int]


class Gallery:
    """The boards of one race for its spectators, with their visible parts."""

    def __init__(self, race: int, start: Sequence[str], starts_at: Ms, game: Game) -> None:
        self.race = race
        self._start = start
        self._starts_at = starts_at
        self._ledgers: defaultdict[int, Ledger] = defaultdict(partial(Ledger, game))
        #: By seat: since when how many cards are home, for each change.
        self._homes: defaultdict[int, list[tuple[Ms, int]]] = defaultdict(list)
        self._shown = NOTHING
        #: The input for the visible part: policy, delay, whether late joining is allowed, whether the race was on.
        self.ruled: tuple[str, int, str, bool] | None = None
        self._sent_hidden: list[to_client.Message] = []

    @property
    def entries(self) -> int:
        return sum(self._shown.entries.values())

    def length(self, seat: int) -> int:
        return len(self._ledgers[seat].entries)

    def add(self, seat: int, text: str, turned: str, at: Ms) -> None:
        """Add the next entry of a seat's log, which is on disk."""
        self._ledgers[seat].add(text, turned, at)

    def add_home(self, seat: int, home: int, at: Ms) -> None:
        self._homes[seat].append((at, home))

    def history(self) -> list[to_client.Message]:
        """How many cards were home when, as all clients saw at the time. Nothing if no card is home."""
        leaders = sorted(self._homes.items(), key=lambda of: (-of[1][-1][1], of[1][-1][0]))[:MOST_LINES]
        rows = []
        for seat, homes in leaders:
            # Evenly chosen changes, with the first and the last.
            apart = max(1.0, (len(homes) - 1) / (MOST_POINTS - 1))
            chosen = [homes[round(k * apart)] for k in range(min(len(homes), MOST_POINTS))]
            rows.append((seat, [(at - self._starts_at, home) for at, home in chosen]))
        return [to_client.History(self.race, rows)] if rows else []

    def open(self, seat: int) -> None:
        """Add a seat that races but has not moved yet."""
        _ = self._ledgers[seat]

    def updates(self, settings: Settings, active: Collection[int], now: Ms) -> list[to_client.Message]:
        before = self._shown
        ruled = settings.watch, settings.delay, settings.late, bool(active)
        same, self.ruled = ruled == self.ruled, ruled
        self._shown = shown(settings, self._ledgers, active, self._starts_at, now, before if same else NOTHING)
        before_hidden, self._sent_hidden = self._sent_hidden, self._hidden(settings, active)
        if not same or self._shown.start != before.start:
            return list(self.snapshot(settings, active))
        hidden = self._sent_hidden if self._sent_hidden != before_hidden else []
        more = [(seat, before.entries.get(seat, 0), n) for seat, n in self._shown.entries.items()]
        return [*self._more(_parts(more)), *hidden]

    def snapshot(self, settings: Settings, active: Collection[int]) -> Iterator[to_client.Message]:
        """Everything that has been shown. Messages after the first are made when they can be sent: they may be many."""
        policy = settings.watch if active else "over"
        entries = self._shown.entries
        parts = list(_parts((seat, 0, n) for seat, n in sorted(entries.items())))
        at_once = {seat: end for part in parts[:1] for seat, _, end in part}
        logs = [(seat, self._wire(seat, 0, at_once.get(seat, 0))) for seat in sorted(entries)]
        start = self._start if self._shown.start else None
        gallery = to_client.Gallery(self.race, policy, start, logs)
        return chain([gallery], self._more(parts[1:]), self._hidden(settings, active))

    def _more(self, parts: Iterable[Sequence[Span]]) -> Iterator[to_client.Message]:
        for part in parts:
            yield to_client.Shown(self.race, [(seat, first, self._wire(seat, first, end)) for seat, first, end in part])

    def _wire(self, seat: int, first: int, end: int) -> list[tuple[str, str]]:
        return [(entry.text, entry.turned) for entry in self._ledgers[seat].entries[first:end]]

    def _hidden(self, settings: Settings, active: Collection[int]) -> list[to_client.Message]:
        if not active or not waits_for_reveals(settings):
            return []
        return [to_client.Hidden(self.race, frontier(self._ledgers, active).get(STOCK, 0))]

    def next_change(self, settings: Settings) -> Ms | None:
        """When more may be shown just because time passes. None except under the delayed policy."""
        if settings.watch != "delayed":
            return None
        if not self._shown.start:
            return self._starts_at + ms_of(settings.delay)
        shown = self._shown.entries
        starts = [(ledger.entries, shown.get(seat, 0)) for seat, ledger in self._ledgers.items()]
        nexts = [one.at for entries, n in starts for one in entries[n : n + 1]]
        return min(nexts) + ms_of(settings.delay) if nexts else None


def _parts(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """The same spans, split into one list per message."""
    part: list[Span] = []
    room = PART
    for seat, at, end in spans:
        while at < end:
            stop = min(end, at + room)
            part.append((seat, at, stop))
            room -= stop - at
            at = stop
            if not room:
                yield part
                part, room = [], PART
    if part:
        yield part
