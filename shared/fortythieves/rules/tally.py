"""The result of a racer, computed from the moves and events in a record, which may be wrong anywhere.

During the race, the server computes results by the same `race_rules`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card
from fortythieves.rules.games import Game
from fortythieves.rules.race_rules import Outcome, Removal, ended, is_over_before, outcome_of, play, removed
from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import Undo
from fortythieves.times import Ms


class Happened(NamedTuple):
    """An event that affects a result: when ``name`` (one of `shape.EVENTS`) happened to a seat."""

    at: Ms
    name: str
    seat: int


class Race(NamedTuple):
    """The facts that all racers share."""

    game: Game
    deck: Sequence[Card]
    undo: Undo
    starts_at: Ms
    ends_at: Ms


class Wrong(NamedTuple):
    """Why the entry of a log with index ``at`` is impossible: ``bad-move``, ``illegal-move``, or ``after-end``."""

    code: str
    text: str
    #: How the race had ended before it, or "".
    outcome: Outcome
    at: int


class Run(NamedTuple):
    """The board after a log, up to the first entry that is wrong."""

    home: int
    #: When the number of cards home last changed.
    reached_at: Ms
    outcome: Outcome
    #: When the last entry was made.
    at: Ms
    #: How many entries the log has.
    moves: int
    #: The most cards of the stock and the columns that were revealed at a time.
    revealed: int
    wrong: Wrong | None


def run_of(race: Race, log: Sequence[tuple[Ms, str]]) -> Run:
    """Play a log of (time since the start, move or undo)."""
    board = Board.deal(race.game, race.deck)
    at = reached_at = race.starts_at
    revealed = 0
    wrong: Wrong | None = None
    for n, (ms, text) in enumerate(log):
        home = board.home
        if is_over_before(board, race.undo, text):
            wrong = Wrong("after-end", text, outcome_of(board, race.undo), n)
            break
        try:
            if play(board, race.undo, text):
                revealed = max(revealed, board.revealed)
        except Refused as refused:
            wrong = Wrong("bad-move" if refused.code == "bad-move" else "illegal-move", text, "", n)
            break
        at = race.starts_at + ms
        if board.home != home:
            reached_at = at
    return Run(board.home, reached_at, outcome_of(board, race.undo), at, len(log), revealed, wrong)


class Story(NamedTuple):
    """When each event happened to a seat."""

    started_late: Ms | None = None
    #: Gave up, and did not take it back.
    gave_up: Ms | None = None
    left: Ms | None = None
    kicked: Ms | None = None
    stopped: Ms | None = None
    #: Took giving up back without having given up.
    astray: bool = False


def stories(events: Iterable[Happened]) -> dict[int, Story]:
    """The story of each seat that has events."""
    found: dict[int, Story] = {}
    for at, name, seat in events:
        story = found.get(seat, Story())
        changes: dict[str, Any] = {name: at}
        if name == "took_back":
            changes = {"gave_up": None, "astray": story.astray or story.gave_up is None}
        found[seat] = story._replace(**changes)
    return found


def end_of(race: Race, story: Story, run: Run) -> Result:
    """The end that follows from a log and a story."""
    removals: tuple[tuple[Removal, Ms | None], ...] = (
        ("kicked", story.kicked),
        ("left", story.left),
        ("stopped", story.stopped),
        # The time limit stops all racers without removal.
        ("stopped", race.ends_at),
    )
    how, at = next((how, at) for how, at in removals if at is not None)
    state = ended(run, story.gave_up, race.ends_at, at) or (removed(how, at, run, race.starts_at), at)
    return Result(*state, run.home, run.moves, run.reached_at)
