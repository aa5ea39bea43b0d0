"""Games for tests that take long: each value of each field of a row occurs in one of them."""

from fortythieves.rules.games import FAVOURITES, GAMES, Game

_OTHERS = ("congress", "deuces", "little-napoleon", "napoleons-shoulder", "quadrangle", "red-and-black")

KINDS: dict[str, Game] = {key: GAMES[key] for key in (*FAVOURITES, *_OTHERS)}
