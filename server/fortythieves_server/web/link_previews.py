"""The page as messengers read it that show where a link leads: a title, a description, and the address of a picture."""

import gzip
import hashlib
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

from fortythieves.rules.games import game
from fortythieves.times import Ms
from fortythieves_server.core.make_record import racers_of
from fortythieves_server.core.race_words import description, lines, title
from fortythieves_server.core.room_state import Race
from fortythieves_server.web.security_headers import SAFE

_NAME = "Forty Thieves Race"
#: Of a room nothing is told: it may be private, and its code may be a guess.
_INVITATION = "Race your friends on the same secret deal of Forty Thieves."
#: The size of both kinds of pictures.
_WIDTH, _HEIGHT = 1200, 630
#: How many sites of ours are remembered. A client can name any.
_SITES = 8


class _Page(NamedTuple):
    body: bytes
    packed: bytes
    tag: str


class LinkPreviews:
    """Adds tags to a built page. All of it is text, also what is in names."""

    def __init__(self, page: Path) -> None:
        self._before, end, after = page.read_text().partition("</head>")
        self._after = end + after
        self._of_room = lru_cache(_SITES)(self._invitation)

    def room(self, request: web.Request, site: str) -> web.Response:
        """The page of a room, whichever it is. ``site``: our own address."""
        return _answer(request, self._of_room(site))

    def replay(self, request: web.Request, site: str, code: str, race: Race) -> web.Response:
        """The page of the replay of a race that is over."""
        told = lines(list(racers_of(race)), race.starts_at or Ms(0))
        words = title(game(race.settings.game).name, told), description(told)
        return _answer(request, self._page(*words, f"{site}/api/races/{code}/{race.number}.png"))

    def _invitation(self, site: str) -> _Page:
        return self._page(_NAME, _INVITATION, f"{site}/picture.png")

    def _page(self, title: str, description: str, picture: str) -> _Page:
        tags = {
            "og:site_name": _NAME,
            "og:type": "website",
            "og:title": title,
            "og:description": description,
            "og:image": picture,
            "og:image:width": str(_WIDTH),
            "og:image:height": str(_HEIGHT),
            "og:image:alt": description,
            "twitter:card": "summary_large_image",
        }
        written = "".join(f'<meta property="{name}" content="{escape(value)}" />\n' for name, value in tags.items())
        body = (self._before + written + self._after).encode()
        return _Page(body, gzip.compress(body, mtime=0), hashlib.sha256(body).hexdigest()[:16])


def _answer(request: web.Request, page: _Page) -> web.Response:
    headers = {
        **SAFE,
        "Cache-Control": "no-cache",
        "Content-Type": "text/html; charset=utf-8",
        "ETag": f'"{page.tag}"',
        "Vary": "Accept-Encoding",
    }
    if any(known.value == page.tag for known in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return web.Response(body=page.packed, headers={**headers, "Content-Encoding": "gzip"})
    return web.Response(body=page.body, headers=headers)
