"""The state of a challenge: one deal, on which each guest may race once, at any time until it closes. Pure.

Each try has a room of its own, like a race of an arena (`events.OfArena`). The log of the challenge only has the starts
and the results. Until a guest has finished their own try, they see no result but that of the challenger.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from fortythieves.rules.ranking import Order, Result, order
from fortythieves_server.core import events, view_types

#: How many of the best tries are shown: to all who may know them, so that one more result is one small message.
SHOWN = 100
#: The events that change a challenge.
EVENTS = (events.TryStarted, events.TryFinished, events.TryRemoved, events.ChallengeChanged, events.ChallengeClosed)
#: The number of the challenger's own result. Nobody has it in the deal of a day.
CHALLENGER = 1


class Try(msgspec.Struct, frozen=True):
    """A guest's one try. Its result has times since its start."""

    guest: str
    name: str
    face: int
    code: str  # its room; of the challenger "", because the record of the earlier race has the deck
    address: str
    result: Result | None = None
    removed: bool = False


class Challenge(msgspec.Struct, frozen=True):
    opened: events.Opened
    #: By number. The challenger's result has the number 1. Without a challenger, the first number is 2.
    tries: Mapping[int, Try] = {}
    #: The number of each guest's try.
    numbers: Mapping[str, int] = {}
    #: The tries with a place, best first.
    ranked: Sequence[tuple[Order, int]] = ()
    closed: bool = False

    def has_seen_deal(self, guest: str) -> bool:
        """Whether the guest raced in the earlier race on this deal."""
        return guest in self.opened.seen or (guest != "" and guest == self.opened.guest)

    def hides_from(self, guest: str) -> bool:
        """Whether a guest may not see results yet, and gets the view with less."""
        if self.closed or self.has_seen_deal(guest):
            return False
        return guest not in self.numbers or self.tries[self.numbers[guest]].result is None

    def place(self, number: int) -> int | None:
        """The place of a try, or None while it has none. Equal results tie."""
        result = self.tries[number].result
        if result is None or self.tries[number].removed or not result.is_ranked:
            return None
        return bisect_left(self.ranked, (order(result),)) + 1


def opened(opened: events.Opened) -> Challenge:
    if opened.result is None:
        return Challenge(opened)
    challenger = Try(opened.guest, opened.name, opened.face, "", "")
    challenge = Challenge(opened, {CHALLENGER: challenger}, {opened.guest: CHALLENGER})
    return evolve(challenge, [events.TryFinished(CHALLENGER, opened.result)])


def evolve(challenge: Challenge, log: Iterable[events.Event]) -> Challenge:
    """The challenge after these events. Its thousands of tries are copied once for all of them."""
    tries, numbers, ranked, closed = {**challenge.tries}, {**challenge.numbers}, [*challenge.ranked], challenge.closed
    opened = challenge.opened
    for event in log:
        match event:
            case events.TryStarted(guest, name, face, code, address):
                number = numbers[guest] = len(tries) + 1 + (CHALLENGER not in tries)
                tries[number] = Try(guest, name, face, code, address)
            case events.TryFinished(number, result) if number in tries:
                one = tries[number] = replace(tries[number], result=result)
                if result.is_ranked and not one.removed:
                    insort(ranked, (order(result), number))
            case events.TryRemoved(number) if number in tries:
                tries[number] = replace(tries[number], removed=True)
                ranked = [row for row in ranked if row[1] != number]
            case events.ChallengeChanged(closes_at, password):
                opened = replace(opened, closes_at=closes_at, password=password)
            case events.ChallengeClosed():
                closed = True
    return replace(challenge, opened=opened, tries=tries, numbers=numbers, ranked=ranked, closed=closed)


def shown(challenge: Challenge, source: tuple[str, int] | None, *, blind: bool) -> view_types.Challenge:
    """The public view. ``blind``: for a guest who has not finished a try. ``source``: the earlier race."""
    by, tries = challenge.opened, challenge.tries
    view: view_types.Challenge = {
        "name": by.name,
        "result": None if by.result is None else _row(tries[CHALLENGER]),
        "ghost": [*by.ghost],
        "opens_at": by.opens_at,
        "closes_at": by.closes_at,
        "closed": challenge.closed,
        "locked": by.password != "",
        "tries": len(tries) - (by.result is not None),
        "day": None if by.day is None else (by.day.day, by.day.stars),
    }
    if blind:
        return view
    middle = challenge.ranked[len(challenge.ranked) // 2][1] if challenge.ranked else None
    return {
        **view,
        "race": source,
        "finished": len(challenge.ranked),
        "median": None if middle is None else _row(tries[middle]),
        "best": {str(number): _row(tries[number]) for number in _best(challenge)},
    }


def faces(challenge: Challenge, *, blind: bool) -> dict[str, int]:
    """The faces of those that are shown, by number."""
    numbers = [CHALLENGER] if blind else [CHALLENGER, *_best(challenge)]
    return {str(number): challenge.tries[number].face for number in numbers if number in challenge.tries}


def _best(challenge: Challenge) -> list[int]:
    return [number for _, number in challenge.ranked[:SHOWN]]


def _row(one: Try) -> view_types.TryRow:
    assert one.result is not None
    state, when, home, moves, reached_at = one.result
    return view_types.TryRow(one.name, one.code, state, when, home, moves, reached_at)
