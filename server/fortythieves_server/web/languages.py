"""Which language a page is made in."""

from aiohttp import web

from fortythieves_server.common.texts import best_language

#: The page stores the chosen language there (client/web/src/browser/language.js).
COOKIE = "language"
#: The headers that choose the language of an answer.
VARY = "Accept-Encoding, Accept-Language, Cookie"


def language_of(request: web.Request) -> str:
    """The language of the page that answers a request."""
    return best_language(request.cookies.get(COOKIE, ""), request.headers.get("Accept-Language", ""))
