"""The rules of a race for one racer: the effect of an entry of the log, the allowed undo, and the end of the race.

The server and the check of a record use the same ones.
"""

from collections.abc import Iterable
from typing import Literal, Protocol

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, names
from fortythieves.rules.move_notation import DRAW, REDEAL, parse_move
from fortythieves.rules.settings import Undo
from fortythieves.times import Ms

#: The log entry that undoes the last move.
UNDO = "undo"
#: The entries that move no card between piles of the table.
_NO_CARDS = frozenset(map(str, (UNDO, DRAW, REDEAL)))

#: The most entries of one log: more than any honest racer makes, even in the longest race. Moving a card back and
#: forth costs a racer nothing, but every entry has to be kept, replayed and sent.
MOST_ENTRIES = 20_000

#: How long giving up can be taken back. The log of a racer is closed within this time after their end.
TAKE_BACK_WITHIN = Ms(10_000)

#: How a board ends a race, or "".
Outcome = Literal["", "solved", "stuck"]
#: How a race can end for a racer.
Ending = Literal["solved", "stuck", "gave_up", "timed_out", "did_not_start", "disqualified"]
#: The ways in which a race ends for a racer.
Removal = Literal["kicked", "left", "stopped"]


class Reached(Protocol):
    """How far a log has got."""

    @property
    def outcome(self) -> Outcome: ...

    #: When the last entry was made.
    @property
    def at(self) -> Ms: ...

    #: How many entries the log has.
    @property
    def moves(self) -> int: ...


# Entries


def play(board: Board, undo: Undo, text: str) -> str:
    """Make an entry of a log. Returns the names of the revealed cards. Raises `Refused`; then nothing happened."""
    if text == UNDO:
        if why_not := why_no_undo(board, undo):
            raise Refused(why_not)
        board.undo()
        return ""
    return names(board.play(parse_move(text)))


def wins(board: Board, line: Iterable[str]) -> bool:
    """Whether these moves can be played on a board and win it. Plays them as far as they are legal."""
    try:
        for text in line:
            board.play(parse_move(text))
    except Refused:
        return False
    return board.home == len(PACKS)


def is_over_before(board: Board, undo: Undo, text: str) -> bool:
    """Whether the board had ended the race before this entry of a stored log. That takes long to find out, and a move
    of cards would be refused anyway, so it is only done before other entries.
    """
    return text in _NO_CARDS and outcome_of(board, undo) != ""


def why_no_undo(board: Board, undo: Undo) -> str:
    """The error code if no undo is possible now, or ""."""
    if undo == "none":
        return "undo-off"
    if not board.moves_made:
        return "nothing-to-undo"
    if undo == "turned" and board.last_turned:
        return "undo-turned"
    return ""


def outcome_of(board: Board, undo: Undo) -> Outcome:
    """Whether and how the board ends the race. A stuck board does not if undo is possible."""
    if board.home == len(PACKS):
        return "solved"
    # Asked first, because it costs nothing. Finding out whether a board is stuck may have to look at all of it.
    if not why_no_undo(board, undo):
        return ""
    return "stuck" if board.outcome == "stuck" else ""


# The end


def ended(reached: Reached | None, gave_up: Ms | None, ends_at: Ms, now: Ms) -> tuple[Ending, Ms] | None:
    """How and when the race has ended by ``now`` for a racer without removal. None if it has not. What was final first
    counts. ``reached``: None if there was no move. ``gave_up``: when, unless it was taken back.
    """
    if reached is not None and reached.outcome:
        return reached.outcome, reached.at
    if gave_up is not None and is_final(gave_up, min(now, ends_at)):
        return "gave_up", gave_up
    return (_out_of_time(reached), ends_at) if now >= ends_at else None


def removed(how: Removal, at: Ms, reached: Reached | None, starts_at: Ms) -> Ending:
    """How the race ends for a racer who is removed at a time at which it had not `ended`."""
    match how:
        case "kicked":
            return "disqualified"
        case "left":
            return "gave_up" if at >= starts_at else "did_not_start"
        case "stopped":
            return _out_of_time(reached)


def _out_of_time(reached: Reached | None) -> Ending:
    return "timed_out" if reached is not None and reached.moves else "did_not_start"


def is_final(gave_up: Ms, by: Ms) -> bool:
    """Whether giving up could no longer be taken back at a time."""
    return gave_up + TAKE_BACK_WITHIN <= by
