"""The picture of a finished race, for messengers: the results as text, and a small chart. It shows no card."""

import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from fortythieves.record.race_record import Racer
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, parse_cards
from fortythieves.rules.games import game as game_of
from fortythieves.rules.move_notation import parse_move
from fortythieves.rules.race_rules import UNDO
from fortythieves_server.common import texts
from fortythieves_server.core.finished_race import ENDS, NAMED, ResultRow, result_rows

#: As messengers want it.
WIDTH, HEIGHT = 1200, 630
_MARGIN = 64

_FELT, _PAPER, _SOFT, _GOLD = "#14443d", "#f1f7f5", "#b3cdc6", "#ffd479"
#: Of the lines of the chart, the first place first: as many as are named.
_LINES = ("#ffd479", "#8fd6c4", "#8db4ff", "#f08bc4", "#ffae6b")
#: Where the chart lies, and how many entries of a log one line is drawn of. The longest logs are mostly draws.
_CHART = (700, 250, WIDTH - _MARGIN, HEIGHT - 90)
_ENTRIES = 3000


def drawn(record: Mapping[str, Any], language: str) -> bytes:
    """The picture of a record, as PNG."""

    def say(key: str, **parameters: object) -> str:
        # Our font has the letters of English. Romanian can be read without its accents; Hindi can only be English.
        return plain(texts.text(language, key, **parameters)) or texts.text(texts.FIRST, key, **parameters)

    ends = {state: say(f"server.end.{state}") for state in ENDS}
    rows = result_rows([Racer(**racer) for racer in record["racers"]], record["starts_at"], ends)
    image = Image.new("RGB", (WIDTH, HEIGHT), _FELT)
    pen = ImageDraw.Draw(image)
    _text(pen, (_MARGIN, 52), say("front.site"), 30, _SOFT)
    name, english = (texts.game_name(tag, record["game"]) for tag in (language, texts.FIRST))
    title = say("server.picture.race", game=plain(name) or english, race=record["race"])
    _text(pen, (_MARGIN, 96), _shortened(title, 64, WIDTH - 2 * _MARGIN), 64, _PAPER)
    for nth, row in enumerate(rows[:NAMED]):
        name = plain(row.name) or say("server.picture.player", seat=row.seat)
        _row(pen, 226 + nth * 66, row, name, _LINES[nth])
    if len(rows) > NAMED:
        _text(pen, (_MARGIN, 226 + NAMED * 66), f"+{len(rows) - NAMED}", 28, _SOFT)
    _chart(pen, record, rows[:NAMED], say("server.picture.chart"))
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG")
    return file.getvalue()


def _row(pen: ImageDraw.ImageDraw, y: int, row: ResultRow, name: str, colour: str) -> None:
    pen.rectangle((_MARGIN, y + 10, _MARGIN + 8, y + 44), fill=colour)
    _text(pen, (_MARGIN + 26, y), row.place, 42, _SOFT)
    _text(pen, (_MARGIN + 86, y), _shortened(name, 42, 290), 42, _PAPER)
    _text(pen, (_MARGIN + 600, y + 6), row.result, 36, _GOLD if row.place == "1" else _SOFT, anchor="ra")


def _chart(pen: ImageDraw.ImageDraw, record: Mapping[str, Any], rows: Sequence[ResultRow], label: str) -> None:
    """How many cards lay on the foundations over time."""
    left, top, right, low = _CHART
    pen.line((left, top, left, low, right, low), fill=_SOFT, width=2)
    _text(pen, (left, top - 40), label, 24, _SOFT)
    logs, homes = dict(record["logs"]), {racer["seat"]: racer["home"] for racer in record["racers"]}
    took = max(1, record["over_at"] - record["starts_at"])
    for nth, row in reversed(list(enumerate(rows))):
        way = [
            (left + (right - left) * min(ms, took) / took, low - (low - top) * home / len(PACKS))
            for ms, home in [*_progress(record, logs.get(row.seat, ())), (took, homes[row.seat])]
        ]
        steps = [corner for (x, y), (to, up) in pairwise(way) for corner in ((x, y), (to, y), (to, up))]
        pen.line(steps, fill=_LINES[nth], width=4)


def _progress(record: Mapping[str, Any], log: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """How many cards lay on the foundations, and since when (ms since the start): first, and whenever it changed."""
    board = Board.deal(game_of(record["game"]), parse_cards(record["deck"]))
    before = board.home
    yield 0, before
    for ms, text in log[:_ENTRIES]:
        if text == UNDO:
            board.undo()
        else:
            board.play(parse_move(text))
        if board.home != before:
            before = board.home
            yield ms, before


# Text


def plain(text: str) -> str:
    """A text as the font can write it: accents may be missing. Empty if it is in other letters."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return bare if bare.strip() and all(_has(c) for c in bare) else ""


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    """Whether the font has it. Missing ones would be a box."""
    return character == " " or bytes(_font(20).getmask(character)) != _box()


@cache
def _box() -> bytes:
    return bytes(_font(20).getmask("\uffff"))


def _shortened(text: str, size: int, width: int) -> str:
    if _font(size).getlength(text) <= width:
        return text
    while text and _font(size).getlength(text + "\N{HORIZONTAL ELLIPSIS}") > width:
        text = text[:-1]
    return text.rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def _text(pen: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, colour: str, anchor: str = "la") -> None:
    pen.text(at, text, fill=colour, font=_font(size), anchor=anchor)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """The one that Pillow carries: Aileron by Sora Sagano (CC0), of which it has the letters of English."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
