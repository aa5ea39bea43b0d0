"""Which language a page is made in."""

from aiohttp import web

from fortythieves_server.common.texts import best_language

#: What the page keeps there once somebody has chosen a language (client/web/src/browser/language.js).
COOKIE = "language"
#: What an answer in the language of its request depends on.
VARY = "Accept-Encoding, Accept-Language, Cookie"


def language_of(request: web.Request) -> str:
    """The language of the page that answers a request."""
    return best_language(request.cookies.get(COOKIE, ""), request.headers.get("Accept-Language", ""))
