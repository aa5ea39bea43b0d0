"""The commands ``forty-thieves solve`` and ``forty-thieves analyse --record``: moves that win, and possible results."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from fortythieves.bot.par import par
from fortythieves.errors import CannotRead, Refused
from fortythieves.record.race_record import read
from fortythieves.record.reasons import sentence
from fortythieves.record.shape import fault
from fortythieves.rules.analyse import played
from fortythieves.rules.board import Board
from fortythieves.rules.cards import parse_cards
from fortythieves.rules.deal import deck_of_number, parse_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import Move
from fortythieves.solver.analysis import WIDTH, Analysis, Log, analysis, parted
from fortythieves.solver.effort import solve, stars
from fortythieves_client.bot.fairness import fair, judged, left_over
from fortythieves_client.verify import RECORD, load

#: A JSON object.
Object = dict[str, Any]

#: The number of the most costly moves in the answer.
COSTLY: Final = 3


class _Race(NamedTuple):
    """The parts of a record that are needed here."""

    record: Mapping[str, Any]
    logs: Mapping[int, Log]


def solve_deal(key: str, number: str, moves: Sequence[str], effort: int) -> Object:
    """Look for moves that win a numbered deal, after some moves. Raises `Refused`."""
    which, n = game(key), parse_number(number)
    return _solved(played(Board.deal(which, deck_of_number(n)), moves), n, effort)


def solve_record(source: str, seat: int, at: int, effort: int) -> Object:
    """Look for moves that win after ``at`` entries of a racer's log. Raises `CannotRead` and `Refused`."""
    race = _race(source)
    log = _log(race, seat)
    if at > len(log.entries):
        raise CannotRead(f"The log of seat {seat} has only {len(log.entries)} entries.")
    return _solved(_board(log, seat, at), _number(race.record), effort)


def analyse_record(source: str, seats: Sequence[int], width: int = WIDTH) -> Object:
    """The best possible results of some racers of a recorded race, or of all. Raises `CannotRead` and `Refused`."""
    race = _race(source)
    logs = {seat: _log(race, seat) for seat in (seats or race.logs)}
    found: dict[int, Analysis] = {}
    racers = []
    for seat, log in logs.items():
        began = time.perf_counter()
        _board(log, seat, len(log.entries))  # raises an error with the seat
        found[seat] = analysis(log, width)
        racers.append({"seat": seat, **_described(log, found[seat], width), "seconds": _since(began)})
    first, *others = logs
    return {
        "code": race.record["code"],
        "race": race.record["race"],
        "game": race.record["game"],
        "number": _number(race.record),
        "par": par(logs[first].game, logs[first].deck)[0],
        "racers": racers,
        "parted": [_parted(logs, found, first, other) for other in others],
    }


def _race(source: str) -> _Race:
    record = read(load(source, (), RECORD)[0])
    if why_not := fault(record):
        raise CannotRead(sentence("format", why_not.code, why_not.params))
    which, deck, undo = game(record["game"]), parse_cards(record["deck"]), record["settings"]["undo"]
    # Of a deal that was offered as winnable, the solver's line is in the record.
    line = (record.get("winnable") or {}).get("line", ())
    logs = {seat: Log(which, deck, undo, [text for _, text in log], line) for seat, log in record["logs"]}
    return _Race(record, logs)


def _log(race: _Race, seat: int) -> Log:
    if seat not in race.logs:
        raise CannotRead(f"Seat {seat} did not race. The seats are {', '.join(map(str, race.logs))}.")
    return race.logs[seat]


def _board(log: Log, seat: int, at: int) -> Board:
    try:
        return log.board(at)
    except Refused as refused:
        raise CannotRead(f"Seat {seat}, entry {refused.details['at']}: {refused}") from None


def _number(record: Mapping[str, Any]) -> int | None:
    return None if record["number"] is None else int(record["number"])


def _solved(board: Board, number: int | None, effort: int) -> Object:
    began, dealt = time.perf_counter(), not board.moves_made
    solved = solve(board, effort)
    return {
        "game": board.game.key,
        "number": number,
        "moves": _texts(solved.moves) if solved.won else None,
        "home": solved.home,
        "positions": solved.positions,
        "seconds": _since(began),
        "rung": solved.rung,
        # Stars are the difficulty of a whole deal.
        "stars": stars(board.game.key, solved.rung) if solved.rung is not None and dealt else None,
    }


def _described(log: Log, found: Analysis, width: int) -> Object:
    moves = judged(log, found.falls, width)
    win = found.last_win
    return {
        "entries": len(log.entries),
        "home": found.home,
        "possible": found.possible,
        "hindsight": found.hindsight,
        "fair": fair(found.home, moves, left_over(log)),
        "values": list(found.values),
        "points": [point.at for point in found.points],
        "last_win": win and {"at": win.at, "moves": _texts(win.moves)},
        "costly": [
            {
                "at": move.fall.at,
                "move": log.entries[move.fall.at],
                "before": move.fall.before,
                "after": move.fall.after,
                "moves": _texts(move.fall.moves),
                "bot": _texts(move.plan),
                "fair_cost": move.cost,
            }
            for move in moves[:COSTLY]
        ],
        "positions": found.positions,
    }


def _parted(logs: Mapping[int, Log], found: Mapping[int, Analysis], one: int, other: int) -> Object:
    at, seats = parted(logs[one].entries, logs[other].entries), [one, other]
    moves = None if at is None else [logs[seat].entries[at] for seat in seats]
    possible = None if at is None else [found[seat].values[at + 1] for seat in seats]
    return {"seats": seats, "at": at, "moves": moves, "possible": possible}


def _texts(moves: Sequence[Move]) -> list[str]:
    return list(map(str, moves))


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 3)
