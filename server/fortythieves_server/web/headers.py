"""HTTP headers: security, caching and others of every answer, and the language that a request asks for."""

from aiohttp import web

from fortythieves_server.common.texts import best_language

#: The page only runs and loads files of this server. Scripts set colours and positions.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

SAFE = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

#: For a script or a style sheet. All else in `SAFE` is 380 bytes, and browsers ignore it there: it is up to the
#: document or the worker that loads them.
SAFE_PART = {"X-Content-Type-Options": "nosniff"}
#: The page stores the chosen language there (client/web/src/browser/language.js).
COOKIE = "language"
#: The headers that choose the language of an answer.
VARY = "Accept-Encoding, Accept-Language, Cookie"


def language_of(request: web.Request) -> str:
    return best_language(request.cookies.get(COOKIE, ""), request.headers.get("Accept-Language", ""))


def safe_file(name: str) -> dict[str, str]:
    """The headers of a file of the web client. A worker has the policies that its own script came with."""
    is_part = name.startswith("assets/") and name.endswith((".js", ".css")) and "-worker-" not in name
    return SAFE_PART if is_part else SAFE


def fresh() -> dict[str, str]:
    return {**SAFE, "Cache-Control": "no-store"}
