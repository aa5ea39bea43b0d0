"""The cards that a player has seen after some moves, computed without the server and without `Board`."""

from collections.abc import Sequence

from fortythieves.rules.games import Game
from fortythieves.rules.move_notation import parse_move


def seen_after_each(game: Game, texts: Sequence[str]) -> list[set[str]]:
    """Which of the 104 cards have been seen before the first entry of a log, after it, after the second, and so on.

    The name of a card is the place where it was dealt, so all names differ. Each entry replays the moves from the deal.
    """
    seen = [_face_up_after(game, [])]
    made: list[str] = []
    for text in texts:
        if text == "undo":
            made.pop()
        else:
            made.append(text)
        seen.append(seen[-1] | _face_up_after(game, made))
    return seen


def _face_up_after(game: Game, moves: Sequence[str]) -> set[str]:
    columns = {c: [f"{c}/{k}" for k in range(height)] for c, height in enumerate(game.heights, 1)}
    hidden = {f"{c}/{k}" for c, down in enumerate(game.downs, 1) for k in range(down)}
    stock, waste, home = [f"stock/{k}" for k in range(game.stock)], list[str](), list[str]()
    for text in moves:
        if text == "draw":
            waste += stock[: game.draw]
            stock = stock[game.draw :]
        elif text == "redeal":
            stock, waste = waste, []
        else:
            source, target, count = parse_move(text)
            pile = waste if source == 0 else columns[source]
            (home if target == -1 else columns[target]).extend(pile[-count:])
            del pile[-count:]
            if pile:
                hidden.discard(pile[-1])
            elif source > 0 and game.empty == "refill":
                if not waste:
                    waste, stock = stock[: game.draw], stock[game.draw :]
                pile += waste[-1:]
                del waste[-1:]
    everything = {card for column in columns.values() for card in column} | set(waste) | set(home)
    return everything - hidden
