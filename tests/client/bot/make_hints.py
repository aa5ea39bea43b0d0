"""hints.json: the moves of the house bots in the positions of positions.json, in the same order.

The web client gives the same hints. Each is the text of a plan: its moves with a space between them, or "" if no series
of moves is better than none.
"""

from fortythieves.bot.search import Effort, best_plan
from fortythieves.rules.games import game
from fortythieves_client.race import OwnRace
from tests.shared.vectors import read

#: Deep and wide enough for several moves ahead, and all positions still take only a second.
EFFORT = Effort(depth=4, width=8, positions=200)


def vectors() -> list[str]:
    boards = (
        OwnRace(1, game(one["game"]), ["".join(column) for column in one["start"]], one["moves"]).board
        for one in read("positions")
    )
    return [" ".join(map(str, best_plan(board, EFFORT))) for board in boards]
