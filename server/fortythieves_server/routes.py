"""What is served over HTTP: the page, its files, and a few questions about the server."""

import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from fortythieves_server import __version__
from fortythieves_server.hub import Hub
from fortythieves_server.limits import key_of
from fortythieves_server.store import StoreDown
from fortythieves_server.ws import Door

CLIENT = Path(__file__).parent / "client"

#: Nothing runs or loads on the page but what this server serves; colours and places are set by script.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

SAFE = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

#: Files under assets/ have a hash of their content in their names.
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


def routes(hub: Hub, door: Door, addresses: Callable[[], list[str]], proxies: int) -> list[web.RouteDef]:
    """All routes; ``proxies``: how many of our own stand in front and can be believed about addresses."""

    def address_of(request: web.Request) -> str:
        hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
        if proxies and len(hops) >= proxies:
            return key_of(hops[-proxies])
        return key_of(request.remote or "")

    async def ws(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            return web.Response(status=403, text="This page is from another site.\n")
        return await door.serve(request, address_of(request))

    async def rooms(request: web.Request) -> web.Response:
        try:
            return web.json_response({"rooms": await hub.public_rooms()}, headers=_fresh())
        except StoreDown:
            return web.json_response({"rooms": []}, status=503, headers=_fresh())

    async def address(request: web.Request) -> web.Response:
        return web.json_response({"addresses": addresses()}, headers=_fresh())

    async def health(request: web.Request) -> web.Response:
        up = hub.store.up
        answer = {"ok": up, "version": __version__, "redis": "up" if up else "away"}
        return web.json_response(answer, status=200 if up else 503, headers=_fresh())

    return [
        web.get("/ws", ws),
        web.get("/api/rooms", rooms),
        web.get("/api/address", address),
        web.get("/healthz", health),
        *_client(),
    ]


def _fresh() -> dict[str, str]:
    return {**SAFE, "Cache-Control": "no-store"}


def _client() -> list[web.RouteDef]:
    """The built web client: a few files, read once."""
    files = {path.relative_to(CLIENT).as_posix(): path for path in CLIENT.rglob("*") if path.is_file()}
    found = [web.get(f"/{name}", _file(path, name)) for name, path in files.items() if name != "index.html"]
    if "index.html" in files:
        page = _file(files["index.html"], "index.html")
        found += [web.get("/", page), web.get("/r/{code}", page)]
    return found


def _file(path: Path, name: str) -> Callable[[web.Request], Any]:
    body = path.read_bytes()
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    cache = FOREVER if name.startswith("assets/") else ASK_AGAIN
    text = kind.startswith("text/") or kind in {"application/javascript", "application/json", "image/svg+xml"}

    async def serve(request: web.Request) -> web.Response:
        response = web.Response(body=body, content_type=kind, headers={**SAFE, "Cache-Control": cache})
        if text:
            response.charset = "utf-8"
            response.enable_compression()
        return response

    return serve
