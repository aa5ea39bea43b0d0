"""The rules of Forty Thieves and its eight variants, and the protocol that players, bots and servers share.

Everything here is pure: it uses no socket, no clock, and no randomness except what its caller passes in. To read the
code, start at `rules.cards`. GAMES.md in the parent folder describes the rules in words.

The names below are enough to deal and play a game. Messages are in `protocol`, records of races in `record`, and the
formats of tournaments in `tournament`.
"""

from fortythieves.errors import Invalid, Refused
from fortythieves.rules.board import Board, LegalMoves
from fortythieves.rules.cards import HIDDEN, Card, card_name, parse_card
from fortythieves.rules.deal import deck_of_number, deck_of_secret, parse_deck
from fortythieves.rules.games import GAMES, Game, game
from fortythieves.rules.moves import DRAW, REDEAL, Move, parse_move
from fortythieves.rules.settings import Settings

__all__ = [
    "DRAW",
    "GAMES",
    "HIDDEN",
    "REDEAL",
    "Board",
    "Card",
    "Game",
    "Invalid",
    "LegalMoves",
    "Move",
    "Refused",
    "Settings",
    "card_name",
    "deck_of_number",
    "deck_of_secret",
    "game",
    "parse_card",
    "parse_deck",
    "parse_move",
]
