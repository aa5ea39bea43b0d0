"""Decks with the cards of a test in the places that it needs."""

from collections.abc import Mapping

from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, Card, parse_cards, rank
from fortythieves.rules.games import game


def deck_with(key: str, columns: Mapping[int, str] | None = None, stock: str = "", last: str = "") -> list[Card]:
    """A deck: its columns end in the given cards, the top last, and its stock begins and ends with the given ones.

    The other cards are dealt from the highest to the lowest, so that nothing else fits by accident too often.
    """
    which = game(key)
    wanted = {number: parse_cards(text) for number, text in (columns or {}).items()}
    first_drawn, last_drawn = parse_cards(stock), parse_cards(last)
    others = sorted(PACKS, key=rank)
    if which.bases_out:
        others = [card for card in others if rank(card) != which.base]
    for card in [card for cards in [*wanted.values(), first_drawn, last_drawn] for card in cards]:
        others.remove(card)
    tableau: list[Card] = []
    for row in range(max(which.heights)):
        for number, height in enumerate(which.heights, 1):
            cards = wanted.get(number, ())
            place = row - (height - len(cards))
            tableau.append(cards[place] if place >= 0 else others.pop())
    lifted_out = [card for card in PACKS if which.bases_out and rank(card) == which.base]
    return [*tableau, *first_drawn, *others[::-1], *last_drawn, *lifted_out]


def board_with(key: str, columns: Mapping[int, str] | None = None, stock: str = "", last: str = "") -> Board:
    return Board.deal(game(key), deck_with(key, columns, stock, last))
