"""Describe a position in the terms of GAMES.md, as JSON: for ``forty-thieves analyse`` and ``forty-thieves deal``."""

import json
from collections.abc import Sequence
from typing import Any

from fortythieves.errors import Refused, refuse_if, shown
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, card_name
from fortythieves.rules.deal import commitment, deck_of_number, deck_of_secret, parse_deck, parse_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import parse_move

#: A JSON object.
Object = dict[str, Any]

_KEYS = ("game", "deck", "number", "moves")


def analyse(request: object) -> Object:
    """Deal a deck, play moves on it, and describe the board. Raises only `Refused`, whatever the JSON value is.

    A request is ``{"game": key, "deck": [104 names], "moves": [texts]}``. ``"number": n`` may replace the deck, and the
    moves are optional.
    """
    if not isinstance(request, dict):
        raise Refused("bad-json")
    for key in request:
        if key not in _KEYS:
            raise Refused("bad-request", detail=f"A request has {', '.join(_KEYS)}, but no {shown(key)}.")
    refuse_if("game" not in request, "bad-request", detail="Which game?")
    which = game(request["game"])
    deck = _deck(request)
    moves = request.get("moves", [])
    refuse_if(not isinstance(moves, list), "bad-request", detail="The moves are a list of texts.")
    return _description(played(Board.deal(which, deck), moves))


def answer(line: str | bytes) -> Object:
    """Answer one line of JSON: with the description of a board, or with an error. Never raises."""
    try:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            raise Refused("bad-json") from None
        return analyse(request)
    except Refused as refused:
        at = {name: value for name, value in refused.details.items() if name == "at"}
        return {"error": {"code": refused.code, "message": str(refused), **at}}


def deal_object(
    game_key: str, number: int | str | None = None, secret: str | None = None, nonces: Sequence[str] = ()
) -> Object:
    """The deck of a numbered deal, or of a secret and the nonces (in hexadecimal, sorted by seat). Raises `Refused`."""
    which = game(game_key)
    if secret is None and number is not None and not nonces:
        return {"game": which.key, "deck": _names(_numbered(number))}
    if secret is not None and number is None:
        try:
            secret_bytes, nonce_bytes = bytes.fromhex(secret), [bytes.fromhex(nonce) for nonce in nonces]
        except ValueError:
            raise Refused("bad-secret") from None
        deck = deck_of_secret(secret_bytes, nonce_bytes)
        return {"game": which.key, "deck": _names(deck), "commitment": commitment(secret_bytes)}
    raise Refused("bad-request", detail="A deal has either a number or a secret, and nonces only with a secret.")


def _deck(request: Object) -> list[Card]:
    if ("deck" in request) == ("number" in request):
        raise Refused("bad-request", detail="A request has either a deck or a number.")
    if "number" in request:
        return _numbered(request["number"])
    refuse_if(not isinstance(request["deck"], list), "bad-request", detail="A deck is a list of names.")
    return parse_deck(request["deck"])


def _numbered(number: object) -> list[Card]:
    """The deck of a number. It may be a text, because many JSON parsers have no whole numbers beyond 2^53."""
    if isinstance(number, str):
        return deck_of_number(parse_number(number))
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused("bad-number")
    return deck_of_number(number)


def played(board: Board, moves: Sequence[str]) -> Board:
    """The board after these moves. Raises `Refused` with ``at`` for a wrong one."""
    for at, text in enumerate(moves):
        try:
            board.play(parse_move(text))
        except Refused as refused:
            raise Refused(refused.code, **refused.details, at=at) from None
    return board


def _description(board: Board) -> Object:
    return {
        "legal": sorted(map(str, board.legal_moves)),
        "columns": [_names(column) for column in board.columns],
        "waste": _names(board.waste),
        "stock": board.stock_count,
        "redeals": board.redeals_left,
        "home": board.home,
        "outcome": board.outcome,
    }


def _names(cards: Sequence[Card]) -> list[str]:
    return list(map(card_name, cards))
