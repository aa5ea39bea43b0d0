"""The page as messengers read it that show where a link leads: a title, a description, and the address of a picture."""

import gzip
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from pathlib import Path

from aiohttp import web

from fortythieves.times import Ms
from fortythieves_server.common.texts import game_name, text
from fortythieves_server.core.finished_race import ENDS, description, racers_of, result_rows, title
from fortythieves_server.core.room_state import Race
from fortythieves_server.web.headers import VARY, Kept, language_of, safe_page

#: The size of both kinds of pictures.
_WIDTH, _HEIGHT = 1200, 630
#: How many sites of ours are remembered, each in each language. A client can name any.
_SITES = 8
_HEADERS = {"Cache-Control": "no-cache", "Content-Type": "text/html; charset=utf-8", "Vary": VARY}


class LinkPreviews:
    """Adds tags to a built page. Names are escaped, as all text."""

    def __init__(self, pages: Mapping[str, Path]) -> None:
        built = {tag: page.read_text() for tag, page in pages.items()}
        self._headers = {tag: {**safe_page(page), **_HEADERS} for tag, page in built.items()}
        self._pages = {tag: page.partition("</head>") for tag, page in built.items()}
        self._of_room = lru_cache(_SITES * len(pages))(self._invitation)

    def room(self, request: web.Request, site: str) -> web.Response:
        """The page of a room, whichever it is. ``site``: our own address."""
        language = language_of(request)
        return self._of_room(language, site).answer(request, self._headers[language])

    def replay(self, request: web.Request, site: str, code: str, race: Race) -> web.Response:
        """The page of the replay of a race that is over."""
        language = language_of(request)
        ends = {state: text(language, f"server.end.{state}") for state in ENDS}
        told = result_rows(list(racers_of(race)), race.starts_at or Ms(0), ends)
        words = title(game_name(language, race.settings.game), told), description(told)
        picture = f"{site}/api/races/{code}/{race.number}.png?language={language}"
        return self._page(language, *words, picture).answer(request, self._headers[language])

    def _invitation(self, language: str, site: str) -> Kept:
        # The preview of a room names no details: it may be private, and its code may be a guess.
        said = text(language, "front.site"), text(language, "server.page.description")
        return self._page(language, *said, f"{site}/picture.png")

    def _page(self, language: str, title: str, description: str, picture: str) -> Kept:
        tags = {
            "og:site_name": text(language, "front.site"),
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
        before, end, after = self._pages[language]
        body = (before + written + end + after).encode()
        return Kept.of(body, {"gzip": gzip.compress(body, mtime=0)})
