"""HTTP headers: security, caching and others of every answer, and the language that a request asks for."""

import base64
import hashlib
import hmac
import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from aiohttp import web

from fortythieves_server.common.prices import PASSWORD, Account
from fortythieves_server.common.texts import best_language, text
from fortythieves_server.web.addresses import is_of_host, is_own_machine

#: The page only runs and loads files of this server. Scripts set colours and positions.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
#: For data that a page fetches. It has no scripts, so this is stricter, and shorter.
SAFE_DATA = {
    **SAFE_PART,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
#: The page stores the chosen language there (client/web/src/browser/language.js).
COOKIE = "language"
_INLINE = re.compile("<script>(.*?)</script>", re.DOTALL)
#: The headers that choose the language of an answer.
VARY = "Accept-Encoding, Accept-Language, Cookie"


def language_of(request: web.Request) -> str:
    return best_language(request.cookies.get(COOKIE, ""), request.headers.get("Accept-Language", ""))


def safe_file(name: str) -> dict[str, str]:
    """The headers of a file of the web client. A worker has the policies that its own script came with."""
    is_part = name.startswith("assets/") and name.endswith((".js", ".css")) and "-worker-" not in name
    return SAFE_PART if is_part else SAFE


def safe_page(page: str) -> dict[str, str]:
    """The headers of a built page. It may run the scripts that the build has written into it, and no others."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()) for script in _INLINE.findall(page)]
    allowed = "".join(f" 'sha256-{sha.decode()}'" for sha in hashes)
    return {**SAFE, "Content-Security-Policy": POLICY.replace("script-src 'self'", f"script-src 'self'{allowed}")}


def fresh() -> dict[str, str]:
    return {**SAFE, "Cache-Control": "no-store"}


def has_token(authorization: str, token: str) -> bool:
    """Whether the header `Authorization` has the token as its password, with any name or none.

    Basic authentication, because no link and no script can steal it: there is no cookie, no session, and no token in
    an address. No library fits: aiohttp's `BasicAuth` is deprecated, and the comparison of aiohttp-remotes (1.4) takes
    longer the more of the password is right.
    """
    scheme, _, credentials = authorization.partition(" ")
    try:
        password = base64.b64decode(credentials, validate=True).partition(b":")[2]
    except ValueError:
        return False
    return scheme.lower() == "basic" and bool(token) and hmac.compare_digest(password, token.encode())


def json_now(answer: object, status: int = 200) -> web.Response:
    """Data for a page, as it is at the moment."""
    return web.json_response(answer, status=status, headers={**SAFE_DATA, "Cache-Control": "no-store"})


def is_operator(request: web.Request, account: Account, token: str | None) -> bool:
    """Whether a request has the operators' password. An attempt costs a guess, and a right one gets it back.

    Raises `HTTPTooManyRequests`.
    """
    given = request.headers.get("Authorization")
    if given is None:
        return False
    if wait := account.pay(PASSWORD):
        sentence = text(language_of(request), "refused.too-fast")
        raise web.HTTPTooManyRequests(text=f"{sentence}\n", headers={**fresh(), "Retry-After": str(math.ceil(wait))})
    is_right = has_token(given, token or "")
    if is_right:
        account.charge("guesses", -1)
    return is_right


def is_of_another_site(request: web.Request) -> bool:
    """Whether a page of another site sent a request, according to the browser, which sends passwords by itself."""
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin")
    return site not in {"same-origin", "none"} or not (origin is None or is_of_host(origin, request.host))


def is_of_own_machine(request: web.Request, peer: str) -> bool:
    """Whether a program on this machine sent a request. A tunnel or a proxy here speaks for others."""
    return is_own_machine(peer) and request.headers.keys().isdisjoint({"X-Forwarded-For", "Forwarded", "Via"})


class Kept(NamedTuple):
    """An answer that is kept in memory: its body, smaller forms of it by encoding, and its tag."""

    body: bytes
    packed: Mapping[str, bytes]
    tag: str

    @classmethod
    def of(cls, body: bytes, packed: Mapping[str, bytes]) -> "Kept":
        return cls(body, packed, hashlib.sha256(body).hexdigest()[:16])

    def answer(self, request: web.Request, headers: Mapping[str, str]) -> web.Response:
        """The answer in the first form that the client takes, or none if the client already has it."""
        headers = {**headers, "ETag": f'"{self.tag}"'}
        if any(known.value == self.tag for known in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        for coding, small in self.packed.items():
            if coding in request.headers.get("Accept-Encoding", ""):
                return web.Response(body=small, headers={**headers, "Content-Encoding": coding})
        return web.Response(body=self.body, headers=headers)
