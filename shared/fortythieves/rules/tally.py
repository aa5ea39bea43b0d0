"""How a race went for one racer, worked out from the log of moves and from what else happened to the seat.

The server works it out while the race is on; this does it again afterwards, from a record, which may be wrong anywhere.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card
from fortythieves.rules.games import Game
from fortythieves.rules.moves import parse_move

UNDO = "undo"

#: How long giving up can be taken back, in ms. Within this time a log is closed that somebody is done with.
TAKE_BACK_WITHIN = 10_000


class Happened(NamedTuple):
    """Something that bears on a result: at what time ``name`` (of `shape.EVENTS`) happened to a seat."""

    at: int
    name: str
    seat: int


class Race(NamedTuple):
    """What holds for all racers alike; times in ms since the epoch."""

    game: Game
    deck: Sequence[Card]
    undo: str
    starts_at: int
    ends_at: int


class Wrong(NamedTuple):
    """Why an entry of a log cannot have been made, and which: the first one is 0."""

    reason: str
    at: int


class Run(NamedTuple):
    """What a log makes of a board, up to the first entry that is wrong."""

    home: int
    #: When the number of cards at home changed last.
    reached_at: int
    #: "solved", "stuck" or "".
    outcome: str
    #: When the last entry was made.
    at: int
    entries: int
    wrong: Wrong | None


def run_of(race: Race, log: Sequence[tuple[int, str]]) -> Run:
    """Play a log of (ms since the start, move or undo)."""
    board = Board.deal(race.game, race.deck)
    at = reached_at = race.starts_at
    outcome = ""
    wrong: Wrong | None = None
    # Where cards are moved later, the board was not stuck before; to ask it each time takes most of the time.
    last_move = max((n for n, (_, text) in enumerate(log) if "-" in text), default=-1)
    for n, (ms, text) in enumerate(log):
        home = board.home
        reason = f"{text} comes when the board is {outcome}" if outcome else _played(board, race.undo, text)
        if reason:
            wrong = Wrong(reason, n)
            break
        at = race.starts_at + ms
        if board.home != home:
            reached_at = at
        outcome = _outcome(board, race.undo) if n >= last_move or board.home == len(race.deck) else ""
    return Run(board.home, reached_at, outcome, at, len(log), wrong)


def _played(board: Board, undo: str, text: str) -> str | None:
    """Make an entry of a log, or say why it cannot be made."""
    if text == UNDO:
        if not _may_undo(board, undo):
            return "undo is not allowed there"
        board.undo()
        return None
    try:
        board.play(parse_move(text))
    except Refused as refused:
        return f"{text} is not {'a move' if refused.code == 'bad-move' else 'allowed there'}"
    return None


def _may_undo(board: Board, undo: str) -> bool:
    """``turned``: not past a move that turned a card, for what was seen stays seen."""
    return board.moves_made > 0 and (undo == "free" or (undo == "turned" and not board.last_turned))


def _outcome(board: Board, undo: str) -> str:
    """How the race ends here, if it does; on a stuck board it does unless an undo is allowed."""
    if board.outcome == "won":
        return "solved"
    return "stuck" if board.outcome == "stuck" and not _may_undo(board, undo) else ""


class Story(NamedTuple):
    """What happened to a seat, and when."""

    started_late: int | None = None
    #: Gave up and did not take it back.
    gave_up: int | None = None
    left: int | None = None
    kicked: int | None = None
    stopped: int | None = None
    #: Took back what there was not to be taken back.
    astray: bool = False


def stories(events: Iterable[Happened]) -> dict[int, Story]:
    """By seat; who is not there has no story."""
    told: dict[int, Story] = {}
    for at, name, seat in events:
        told[seat] = _told(told.get(seat, Story()), at, name)
    return told


def _told(story: Story, at: int, name: str) -> Story:
    match name:
        case "started_late":
            return story._replace(started_late=at)
        case "gave_up":
            return story._replace(gave_up=at)
        case "took_back":
            return story._replace(gave_up=None, astray=story.astray or story.gave_up is None)
        case "left":
            return story._replace(left=at)
        case "kicked":
            return story._replace(kicked=at)
        case "stopped":
            return story._replace(stopped=at)
    raise ValueError(f"{name} does not bear on a result")


class End(NamedTuple):
    """How the race ended for a racer. The names are those of the record."""

    state: str
    when: int
    home: int
    moves: int
    reached_at: int


def end_of(race: Race, story: Story, result: Run) -> End:
    """What a run and a story come to."""
    return End(*_how(race, story, result), result.home, result.entries, result.reached_at)


def _how(race: Race, story: Story, result: Run) -> tuple[str, int]:
    if result.outcome:
        # Nobody loses a win by leaving, or by the clock, in the moment after it.
        return result.outcome, result.at
    if story.kicked is not None:
        return "disqualified", story.kicked
    if story.left is not None:
        return ("gave_up" if story.left >= race.starts_at else "did_not_start"), story.left
    if story.stopped is not None:
        return ("timed_out" if result.entries else "did_not_start"), story.stopped
    if story.gave_up is not None and is_final(story.gave_up, race.ends_at):
        return "gave_up", story.gave_up
    return ("timed_out" if result.entries else "did_not_start"), race.ends_at


def is_final(gave_up: int, ends_at: int) -> bool:
    """Whether it could not be taken back any more when the time was up."""
    return gave_up + TAKE_BACK_WITHIN <= ends_at
