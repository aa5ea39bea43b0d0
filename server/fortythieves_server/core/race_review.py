"""What a host may want to know of a race that is over: seats of one address, and seats that only looked at the cards.

Neither proves anything: a school is one address, and some give up early. So it is for the host alone, and in no record.
Pure.
"""

from collections import defaultdict
from collections.abc import Iterable

from fortythieves.rules.games import Game
from fortythieves.rules.moves import DRAW, REDEAL
from fortythieves.rules.race_rules import UNDO
from fortythieves_server.core.room_state import Race

#: So many moves of cards are hardly any. In ten deals of each game the weakest house bot, which overlooks every third
#: chance, made 7 at least before its stock was empty; this is less than half of that.
HARDLY_ANY = 3

_DRAW, _REDEAL = str(DRAW), str(REDEAL)


def of_one_address(race: Race) -> list[tuple[int, ...]]:
    """The groups of seats that were served at one address, at any time of the race. House bots are known by none."""
    seats: defaultdict[str, list[int]] = defaultdict(list)
    for seat, racer in race.racers.items():
        for address in racer.addresses:
            seats[address].append(seat)
    return sorted({tuple(sorted(group)) for group in seats.values() if len(group) > 1})


def read_up_to(game: Game) -> int:
    """How many entries of a log say whether its seat drew through the stock first; with as many to take them back."""
    return 2 * (_draws(game) + HARDLY_ANY + 1)


def only_drew(entries: Iterable[str], game: Game) -> bool:
    """Whether a seat drew all of its stock, and had moved hardly any card when it was empty for the first time.

    ``entries`` are its log: a draw that is taken back does not count, a move of a card does.
    """
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
