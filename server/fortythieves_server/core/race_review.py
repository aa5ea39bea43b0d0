"""What may interest a host in a finished race: seats with the same address, and seats that only looked at the cards.

Neither proves cheating: a school has one address, and some players give up early. So only the host sees it, and it is
in no record. Pure.
"""

from collections import defaultdict
from collections.abc import Iterable

from fortythieves.rules.games import Game
from fortythieves.rules.moves import DRAW, REDEAL
from fortythieves.rules.race_rules import UNDO
from fortythieves_server.core.room_state import Race

#: Up to this many moves are "hardly any". In ten deals of each game, the weakest house bot, which overlooks every third
#: chance, made at least 7 moves before its stock was empty (measured). This is less than half of that.
HARDLY_ANY = 3

_DRAW, _REDEAL = str(DRAW), str(REDEAL)


def of_one_address(race: Race) -> list[tuple[int, ...]]:
    """The groups of seats that shared an address at any time during the race. House bots have no address."""
    seats: defaultdict[str, list[int]] = defaultdict(list)
    for seat, racer in race.racers.items():
        for address in racer.addresses:
            seats[address].append(seat)
    return sorted({tuple(sorted(group)) for group in seats.values() if len(group) > 1})


def read_up_to(game: Game) -> int:
    """How many entries of a log are enough to tell whether its seat drew through the stock, with undos."""
    return 2 * (_draws(game) + HARDLY_ANY + 1)


def only_drew(entries: Iterable[str], game: Game) -> bool:
    """Whether a seat drew all of its stock, and had hardly moved a card by then. What is undone is no draw."""
    made: list[str] = []
    drawn = moved = 0
    for entry in entries:
        if entry == UNDO:
            drawn -= bool(made) and made.pop() == _DRAW
            continue
        made.append(entry)
        drawn += entry == _DRAW
        moved += entry not in {_DRAW, _REDEAL}
        if moved > HARDLY_ANY:
            return False
        if drawn >= _draws(game):
            return True
    return False


def _draws(game: Game) -> int:
    """How many draws empty the stock."""
    return -(-game.stock // game.draw)
