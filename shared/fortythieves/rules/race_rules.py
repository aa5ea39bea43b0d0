"""The rules of a race for one racer: what an entry of the log does, which undo is allowed, and how the race ends.

The server judges moves and ends races by these rules. Who checks a record works the race out again by the same ones.
"""

from typing import Literal, Protocol

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, names
from fortythieves.rules.moves import DRAW, REDEAL, parse_move
from fortythieves.rules.settings import Undo

#: The log entry that takes back the last move that stands.
UNDO = "undo"
#: The entries that move no card of the table.
_NO_CARDS = frozenset(map(str, (UNDO, DRAW, REDEAL)))

#: Entries that one log may have: more than anybody makes who means it, in the longest race there is. Going to and
#: fro costs a racer nothing, and every entry has to be kept, folded and sent.
MOST_ENTRIES = 20_000

#: How long giving up can be taken back, in ms. Within this time a log is closed after its racer's race has ended.
TAKE_BACK_WITHIN = 10_000

#: How a board ends a race: "" if it does not.
Outcome = Literal["", "solved", "stuck"]
#: How a race has ended for a racer.
Ending = Literal["solved", "stuck", "gave_up", "timed_out", "did_not_start", "disqualified"]
#: What ends a race for one racer alone.
Removal = Literal["kicked", "left", "stopped"]


class Reached(Protocol):
    """How far a log has got."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def at(self) -> int:
        """When the last entry was made (ms)."""

    @property
    def moves(self) -> int:
        """Entries in the log."""


# Entries


def play(board: Board, undo: Undo, text: str) -> str:
    """Make an entry of a log and return the names of the cards it turned. Raises `Refused`; then nothing happened."""
    if text == UNDO:
        if why_not := why_no_undo(board, undo):
            raise Refused(why_not)
        board.undo()
        return ""
    return names(board.play(parse_move(text)))


def is_over_before(board: Board, undo: Undo, text: str) -> bool:
    """Whether the board has ended the race before this entry of a log that is read again.

    Where the race has ended no card can be moved. So nobody looks for the end, which takes long, before a move of
    cards: it is refused by itself.
    """
    return text in _NO_CARDS and outcome_of(board, undo) != ""


def why_no_undo(board: Board, undo: Undo) -> str:
    """The code of why nothing may be taken back now; "" if it may."""
    if undo == "none":
        return "undo-off"
    if not board.moves_made:
        return "nothing-to-undo"
    if undo == "turned" and board.last_turned:
        return "undo-turned"
    return ""


def outcome_of(board: Board, undo: Undo) -> Outcome:
    """Whether the board ends the race. A stuck board that may still be undone does not."""
    if board.home == len(PACKS):
        return "solved"
    # Asked first: it costs nothing, and to know that a board is stuck may take a look at all of it.
    if not why_no_undo(board, undo):
        return ""
    return "stuck" if board.outcome == "stuck" else ""


# The end


def ended(reached: Reached | None, gave_up: int | None, ends_at: int, now: int) -> tuple[Ending, int] | None:
    """How, and when, the race has ended by ``now`` for a racer who was not removed before; None if it has not.

    ``reached``: None if no move was made. ``gave_up``: when, unless it was taken back. Times in ms. What was final
    first counts, however late somebody asks; nobody loses a win in the moment after it.
    """
    if reached is not None and reached.outcome:
        return reached.outcome, reached.at
    if gave_up is not None and is_final(gave_up, min(now, ends_at)):
        return "gave_up", gave_up
    return (_out_of_time(reached), ends_at) if now >= ends_at else None


def removed(how: Removal, at: int, reached: Reached | None, starts_at: int) -> Ending:
    """How the race ends for a racer who is removed from it at a time (ms) at which it has not `ended`."""
    match how:
        case "kicked":
            return "disqualified"
        case "left":
            return "gave_up" if at >= starts_at else "did_not_start"
        case "stopped":
            return _out_of_time(reached)


def _out_of_time(reached: Reached | None) -> Ending:
    return "timed_out" if reached is not None and reached.moves else "did_not_start"


def is_final(gave_up: int, by: int) -> bool:
    """Whether giving up could not be taken back any more at a time (ms)."""
    return gave_up + TAKE_BACK_WITHIN <= by
