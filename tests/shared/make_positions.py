"""positions.json: positions of all games with all their properties.

Each position is an object:

- ``game``: the key of the game; ``deck``: the deck as one text, two letters a card;
- ``start``: what the player sees at the start, a list of cards for every column;
- ``moves``: the log, each entry a pair: the move (or "undo"), and the cards that it revealed, as one text;
- ``legal``: the texts of all legal moves, sorted;
- ``columns``; ``waste``, its top last; ``stock`` and ``home``: how many cards; ``redeals``: how many are left;
- ``foundations``: for clubs, spades, hearts and diamonds the heights of both piles, the higher one first;
- ``outcome``: "won", "stuck" or null, from the cards that the player knows; ``judged``: the same from all cards.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, Card, card_name, names, rank
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES, Game
from fortythieves.rules.move_notation import REDEAL
from tests.shared.kinds import KINDS
from tests.shared.players import Dice, any_deck, easy_deck, greedy_move, hard_deck

Vector = dict[str, Any]


class Table:
    def __init__(self, game: Game, deck: list[Card]) -> None:
        self.deck = deck
        self.server = Board.deal(game, deck)
        self.start = self.server.start()
        self.player = Board.of_start(game, self.start)
        self.log: list[tuple[str, str]] = []

    def step(self, dice: Dice, undo: float = 0.0) -> None:
        if self.server.moves_made and (dice.happens(undo) or not self.server.legal_moves):
            self.server.undo()
            self.player.undo()
            self.log.append(("undo", ""))
        else:
            move = greedy_move(self.server, dice)
            turned = self.server.play(move)
            self.player.play(move, turned)
            self.log.append((str(move), names(turned)))

    def vector(self) -> Vector:
        board = self.player
        return {
            "game": board.game.key,
            "deck": names(self.deck),
            "start": [list(map(card_name, column)) for column in self.start],
            "moves": [list(entry) for entry in self.log],
            "legal": sorted(map(str, board.legal_moves)),
            "columns": [list(map(card_name, column)) for column in board.columns],
            "waste": list(map(card_name, board.waste)),
            "stock": board.stock_count,
            "redeals": board.redeals_left,
            "home": board.home,
            "foundations": [list(heights) for heights in board.foundations],
            "outcome": board.outcome,
            "judged": self.server.outcome,
        }


class Wanted(NamedTuple):
    """A kind of position, the decks to search with, the number of positions, and the games that have such positions.

    After ``within`` log entries, the search tries another deck.
    """

    reached: Callable[[Board], bool]
    deck: Callable[[Game, Dice], list[Card]]
    times: int = 2
    games: Callable[[Game], bool] = lambda _: True
    within: int = 220


def easier(swaps: int) -> Callable[[Game, Dice], list[Card]]:
    return lambda game, dice: easy_deck(game, dice, swaps)


WANTED = {
    "an empty column": Wanted(lambda board: not all(board.columns), easier(12)),
    "a long run": Wanted(
        lambda board: any("x3" in str(move) for move in board.legal_moves),
        easier(12),
        games=lambda game: game.unit != "card",
    ),
    "the end of the stock": Wanted(lambda board: board.stock_count == 0, easier(12), times=1),
    "a redeal to be made": Wanted(
        lambda board: REDEAL in board.legal_moves, easier(12), games=lambda game: game.redeals > 0
    ),
    "a later pass": Wanted(
        lambda board: board.redeals_left < board.game.redeals and len(board.waste) > 5,
        easier(12),
        games=lambda game: game.redeals > 0,
    ),
    "the last pass": Wanted(lambda board: board.redeals_left == 0, easier(12), games=lambda game: game.redeals > 0),
    "stuck": Wanted(lambda board: board.outcome == "stuck", hard_deck, times=3, within=90),
    "stuck as everybody can see": Wanted(
        lambda board: board.outcome == "stuck" and not board.legal_moves,
        lambda game, dice: hard_deck(game, dice, 0),
        within=120,
    ),
    "nearly won": Wanted(lambda board: board.home > 95, easier(3), times=1),
    "won": Wanted(lambda board: board.outcome == "won", easier(2), times=1),
}


def vectors() -> Iterator[Vector]:
    for game in GAMES.values():
        # Separate dice for each game, so a new game does not change the positions of the others.
        yield from positions(game, Dice(int.from_bytes(game.key.encode(), "big")), few=game.key not in KINDS)


def blocked_decks(game: Game) -> Iterator[list[Card]]:
    """Three decks: nothing moves; only a card on a column, which goes home; only the last card of the stock."""
    by_rank = sorted(PACKS, key=rank)
    aces, others = (by_rank[:8], by_rank[8:]) if game.bases_out else ([], by_rank)
    next_lowest, kings = others[8 : game.columns], others[-8:]
    others = others[:8] + others[-16:-8] + others[game.columns : -16]
    below = sum(game.heights) - game.columns
    deck = [*others[:below], *next_lowest, *kings, *others[below:], *aces]
    yield deck
    for buried, place in ((0, below), (8, 103 - len(aces))):
        moving = [*deck]
        moving[buried], moving[place] = deck[place], deck[buried]
        yield moving


def positions(game: Game, dice: Dice, few: bool = False) -> Iterator[Vector]:
    for number in (32001, 10**20):
        yield Table(game, deck_of_number(number)).vector()

    for _ in range(2 if few else 8):
        table = Table(game, any_deck(dice))
        for _ in range(5 + dice.below(40)):
            table.step(dice, undo=0.2)
        yield table.vector()

    for wanted in WANTED.values():
        found = 0
        for _ in range(40 * wanted.games(game)):
            table = Table(game, wanted.deck(game, dice))
            while not wanted.reached(table.server) and table.server.legal_moves and len(table.log) < wanted.within:
                table.step(dice)
            if wanted.reached(table.server):
                yield table.vector()
                found += 1
                if found == (1 if few else wanted.times):
                    break

    # After an undo, the board still knows the drawn cards, but does not show them.
    table = Table(game, easy_deck(game, dice))
    for _ in range(12):
        table.step(dice)
    for _ in range(12):
        table.step(dice, undo=1.0)
    yield table.vector()
    for _ in range(5):
        table.step(dice)
    yield table.vector()

    for deck in blocked_decks(game) if game.columns > 8 and not few else ():
        yield Table(game, deck).vector()
