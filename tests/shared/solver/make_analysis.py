"""analysis.json: how many cards could still get home at each point of some logs.

Each log is an object:

- ``game`` and ``number``: the deal; ``entries``: the log, with some undos;
- ``width``: the width of the searches;
- ``values``: the most cards home that were possible before the first entry and after each one; ``points``: the
  entries at which a search began.
"""

from collections.abc import Iterator
from typing import Any

from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import Game
from fortythieves.solver.analysis import Log, analysis
from tests.shared.kinds import KINDS
from tests.shared.make_positions import Table
from tests.shared.players import Dice

#: Narrow, so that a test takes milliseconds.
WIDTH = 2


def vectors() -> Iterator[dict[str, Any]]:
    for game in KINDS.values():
        number = 32_001
        log = some_log(game, number, Dice(number), 60)
        found = analysis(log, WIDTH)
        yield {
            "game": game.key,
            "number": number,
            "entries": list(log.entries),
            "width": WIDTH,
            "values": list(found.values),
            "points": [point.at for point in found.points],
        }


def some_log(game: Game, number: int, dice: Dice, most: int) -> Log:
    table = Table(game, deck_of_number(number))
    while len(table.log) < most and table.server.legal_moves and table.server.outcome is None:
        table.step(dice, undo=0.15)
    return Log(game, table.deck, "free", [text for text, _ in table.log])
