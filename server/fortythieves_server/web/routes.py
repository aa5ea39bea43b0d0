"""The HTTP routes for players: the page, its files, and data about rooms, races and the server."""

import asyncio
import gzip
import math
import mimetypes
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from fortythieves.errors import Refused, refuse_if
from fortythieves_server import __version__
from fortythieves_server.common.prices import FILE, HEALTH, KEPT, PREVIEW, REQUEST_WORK, ROUTES, TELLS_NOTHING
from fortythieves_server.common.texts import LANGUAGES, best_language
from fortythieves_server.core import room_list
from fortythieves_server.process.tunnel import Tunnel
from fortythieves_server.rooms.days import Days
from fortythieves_server.rooms.records import AS_JSON, PAR, PICTURE, Records
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.winnable_pool import NEEDED
from fortythieves_server.web.addresses import is_private_name
from fortythieves_server.web.downloads import Downloads
from fortythieves_server.web.gateway import Gateway
from fortythieves_server.web.headers import VARY, Kept, fresh, json_now, language_of, safe_file, safe_page
from fortythieves_server.web.key_rotation import Rings, published_keys
from fortythieves_server.web.link_previews import LinkPreviews
from fortythieves_server.web.sharing import ACCOUNT, address_of, sharing_routes

CLIENT = Path(__file__).parents[1] / "client"
#: The documentation of all this, for programs.
DESCRIPTION = Path(__file__).parents[1] / "openapi.json"

#: The forms that the build writes beside each file where they are smaller, the smallest first, and their suffixes.
PACKED = {"br": ".br", "gzip": ".gz"}
#: The names of files under assets/ contain a hash of their content.
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

#: A host with or without a port (RFC 3986, 3.2.2, without its rare forms). A DNS name has at most 253 characters.
_HOST = re.compile(r"([a-zA-Z0-9_.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:[0-9]{1,5})?")

#: Seconds in which the body of a request must arrive.
ARRIVES_IN = 20.0

#: Of the number of a race.
_DIGITS = 6

#: These addresses serve the same page, which reads its address. The pages of rooms have a preview in their head.
#: Each page has a file for each language, such as front.en.html.
PAGES = {"/": "front", "/practice": "index", "/series": "index", "/me": "index"}

#: The HTTP status of refusals that are not a bad request.
STATUS = {
    "unknown-race": 404,
    "unknown-room": 404,
    "bad-token": 401,
    "expired-token": 401,
    "not-over-yet": 409,
    "huge-record": 422,
    "store-down": 503,
    "only-here": 403,
    "too-fast": 429,
}


def charged(gateway: Gateway) -> Middleware:
    """The middleware that charges each request to its address: the price before the answer, the cost after it."""
    accounts, share = gateway.accounts, gateway.services.share

    @web.middleware
    async def charge(request: web.Request, handler: Handler) -> web.StreamResponse:
        account = request[ACCOUNT] = accounts.of(address_of(gateway, request))
        resource = request.match_info.route.resource
        price = ROUTES.get("" if resource is None else resource.canonical, FILE)
        payer = account
        if price is HEALTH:
            payer = accounts.of(f"health {account.address}")  # so that no other request can use it up
        else:
            await share.turn(account.address)
        if wait := payer.pay(price):
            gateway.counts.turned_away += 1
            response = _too_fast(request)
            response.headers["Retry-After"] = str(math.ceil(wait))
            # A client that keeps asking has to reconnect, which costs us less than a request.
            response.force_close()
            return response
        account.charge_work(REQUEST_WORK)
        share.spend(REQUEST_WORK)
        answering = cast("Coroutine[Any, Any, web.StreamResponse]", handler(request))
        try:
            answer = await share.do(account, answering)
        except Refused as refused:
            answer = _missed(request, refused)
        except ConnectionError:
            if request.transport is not None and not request.transport.is_closing():
                raise
            return web.Response()  # the client has left
        if isinstance(answer, web.Response) and isinstance(answer.body, bytes):
            account.charge("bytes", len(answer.body))
        if request.body_exists or "Content-Length" in request.headers:
            answer.force_close()  # as `HttpConnection` does
        return answer

    return charge


def _too_fast(request: web.Request) -> web.Response:
    if request.path.startswith(("/api/", "/healthz", "/readyz")):
        return _refusal(Refused("too-fast"))
    return web.Response(status=429, text="Too many requests from this address. Wait a moment.\n", headers=fresh())


def routes(
    service: RoomService,
    gateway: Gateway,
    records: Records,
    rings: Rings,
    addresses: Callable[[], list[str]],
    public_url: str | None,
    tunnel: Tunnel,
    token: str | None,
    days: Days | None = None,
) -> list[web.RouteDef]:
    """All routes, each with a price. ``public_url``: the address that players use. None: that of the request.

    ``token``: the operators' password.
    """
    downloads = Downloads()
    pages = {tag: CLIENT / f"index.{tag}.html" for tag in LANGUAGES}
    previews = LinkPreviews(pages) if all(page.exists() for page in pages.values()) else None

    def site_of(request: web.Request) -> str:
        return public_url or tunnel.url or _here(request) or addresses()[0]

    def guest(request: web.Request) -> str:
        """The guest, from the token in a header that no link and no other site can set. "" without one."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return gateway.services.guests.guest_of(token.strip()) if scheme.lower() == "bearer" else ""

    async def rooms(request: web.Request) -> web.Response:
        try:
            today = await days.today() if days is not None else None
            return json_now({"rooms": await service.front_page.rooms(), "day": today})
        except StoreDown:
            return json_now({"rooms": [], "day": None}, 503)

    async def all_days(request: web.Request) -> web.Response:
        found = await days.archive() if days is not None else []
        over = [(day["day"], day["key"]) for day in found if day.get("key")][:1]  # with it, the earlier ones are known
        links = dict([rings.first_day_link, *over]) if days is not None else {}
        body = msgspec.json.encode({"days": found, "links": links})
        return web.Response(body=body, content_type="application/json", headers=fresh())

    async def day_page(request: web.Request) -> web.Response:
        """A link that leads to the deal of each day."""
        today = await days.today() if days is not None else None
        return web.Response(status=302, headers={**fresh(), "Location": f"/r/{today['code']}/c" if today else "/"})

    async def door(request: web.Request) -> web.Response:
        live = await service.registry.room(request.match_info["code"].upper(), request[ACCOUNT])
        return json_now(room_list.preview(live.room, guest(request)))

    async def winnable(request: web.Request) -> web.Response:
        pool = service.store.pool
        return json_now({"needed": NEEDED, "ready": await pool.counts() if pool.is_filled else {}})

    async def race(request: web.Request) -> web.StreamResponse:
        code, number = request.match_info["code"].upper(), int(request.match_info["number"])
        account = request[ACCOUNT]
        form: tuple[str, ...] = ()
        headers = {**_saved(f"{code}-{number}.ftr"), "Content-Type": "application/msgpack"}
        if "json" in request.match_info:
            form, headers = (AS_JSON,), {**fresh(), "Content-Type": "application/json"}
        elif "par" in request.match_info:
            form, headers = (PAR,), {**fresh(), "Content-Type": "application/json"}
        elif "png" in request.match_info:
            # A messenger fetches it once, in the language of the sender, and shows it to all recipients.
            language = best_language(request.query.get("language", ""), request.headers.get("Accept-Language", ""))
            form, headers = (PICTURE, language), {**fresh(), "Content-Type": "image/png"}
        file = await records.record(code, number, account, guest(request), form)
        return await downloads.send(request, account, headers, file)

    async def tournament(request: web.Request) -> web.StreamResponse:
        code, kind = request.match_info["code"].upper(), request.match_info["kind"]
        account, site = request[ACCOUNT], site_of(request)
        file = await records.tournament(code, kind, site, account, guest(request))
        headers = {**_saved(file.name), "Content-Type": f"{file.content_type}; charset=utf-8"}
        return await downloads.send(request, account, headers, file.body, file.more)

    async def carry(request: web.Request) -> web.Response:
        """Keep what a guest takes to another device. The answer is the code that gets it, together with the guest."""
        who, code = guest(request), secrets.token_hex(16)
        refuse_if(not who, "bad-token")
        data = await _body(request)
        refuse_if(request[ACCOUNT].pay(KEPT) > 0, "too-fast")
        refuse_if(await service.store.is_short(), "server-full")
        request[ACCOUNT].charge("kept", len(data))
        await service.store.directory.carry(code, who, data)
        return json_now({"code": code})

    async def carried(request: web.Request) -> web.Response:
        found = await service.store.directory.take_carried((await _body(request)).decode(errors="replace"))
        if found is None:
            raise Refused("expired-token")
        token, data = gateway.services.guests.token(found[0]), found[1].decode(errors="replace")
        return json_now({"token": token, "data": data})

    async def key(request: web.Request) -> web.Response:
        # The key with which this process signs now. It switches a few seconds late.
        return json_now({**published_keys(rings.records, service.clock.now()), "key": records.public_key})

    async def health(request: web.Request) -> web.Response:
        up = service.store.up
        return json_now({"ok": up, "version": __version__, "redis": "up" if up else "away"}, 200 if up else 503)

    async def ready(request: web.Request) -> web.Response:
        # A client whose process has lost Redis asks whether another one can serve its room.
        room = request.query.get("room")
        back = (not room or service.store.serves(room)) and await service.store.readiness_probe.returns()
        return json_now({"ok": back}, 200 if back else 503)

    def room_pages(previews: LinkPreviews) -> list[web.RouteDef]:
        async def room(request: web.Request) -> web.Response:
            return previews.room(request, site_of(request))

        async def replay(request: web.Request) -> web.Response:
            # A client over its limits gets the page without a preview.
            code, number = request.match_info["code"].upper(), request.match_info["number"]
            if len(number) > _DIGITS or not service.store.up or request[ACCOUNT].pay(PREVIEW):
                return await room(request)
            try:
                found = await service.finished.race(code, int(number), account=request[ACCOUNT])
                return previews.replay(request, site_of(request), code, found)
            except Refused as refused:
                _missed(request, refused)
                return await room(request)

        return [
            web.get("/r/{code}{end:/?}", room),
            web.get("/r/{code}/{page:[wpoc]}{end:/?}", room),
            web.get(r"/r/{code}/{number:\d+}{end:/?}", replay),
        ]

    return [
        web.get("/api/rooms", rooms),
        web.get(r"/api/rooms/{code:[A-Za-z]{6}}", door),
        web.get("/api/days", all_days),
        web.get("/day", day_page),
        *sharing_routes(tunnel, gateway, addresses, token),
        web.get("/api/winnable", winnable),
        web.get(r"/api/races/{code:[A-Za-z]{6}}/{number:[1-9][0-9]{0,5}}", race),
        web.get(r"/api/races/{code:[A-Za-z]{6}}/{number:[1-9][0-9]{0,5}}.{json:json}", race),
        web.get(r"/api/races/{code:[A-Za-z]{6}}/{number:[1-9][0-9]{0,5}}.{par:par}", race),
        web.get(r"/api/races/{code:[A-Za-z]{6}}/{number:[1-9][0-9]{0,5}}.{png:png}", race),
        web.get(
            r"/api/tournaments/{code:[A-Za-z]{6}}{kind:\.json|\.bundle\.json|\.csv|-results\.csv|-teams\.csv|\.ics}",
            tournament,
        ),
        web.post("/api/carry", carry),
        web.post("/api/carried", carried),
        web.get("/api/key", key),
        web.get("/api/openapi.json", _file(DESCRIPTION, "openapi.json")),
        web.get("/healthz", health),
        web.get("/readyz", ready),
        *_client(lambda name: service.store.client_files.get(name)),
        *(room_pages(previews) if previews else []),
    ]


async def _body(request: web.Request) -> bytes:
    """The body of a request, which is charged like an answer. `HttpConnection` ends one that is too long."""
    try:
        async with asyncio.timeout(ARRIVES_IN):
            data = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except RuntimeError as closed:  # aiohttp raises it when the connection is gone
        raise ConnectionResetError from closed
    request[ACCOUNT].charge("bytes", len(data))
    return data


def _here(request: web.Request) -> str | None:
    """Our address as the client sees it, for links. None if that is a name that a stranger may have made up."""
    is_ours = _HOST.fullmatch(request.host) and is_private_name(request.host)
    return f"{request.scheme}://{request.host}" if is_ours else None


def _missed(request: web.Request, refused: Refused) -> web.Response:
    """Answer a refusal. One about a room code costs as much as a failed join, because it may have been a guess."""
    if refused.code not in TELLS_NOTHING:
        request[ACCOUNT].charge("guesses")
    return _refusal(refused)


def _refusal(refused: Refused) -> web.Response:
    error = {"code": refused.code, "message": str(refused), "parameters": refused.parameters}
    answer = json_now({"error": error}, STATUS.get(refused.code, 400))
    if answer.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _saved(name: str) -> dict[str, str]:
    return {**fresh(), "Content-Disposition": f'attachment; filename="forty-thieves-{name}"'}


def shared_files() -> dict[str, bytes]:
    """The files of this build whose names contain a hash, with gzip, for processes with other builds."""
    found: dict[str, bytes] = {}
    for path in (CLIENT / "assets").glob("*"):
        if path.suffix not in PACKED.values():
            packed = path.with_name(path.name + PACKED["gzip"])
            found[path.name] = packed.read_bytes() if packed.exists() else gzip.compress(path.read_bytes(), mtime=0)
    return found


def _client(of_any_build: Callable[[str], Awaitable[bytes | None]]) -> list[web.RouteDef]:
    """The built web client: a few files, read once. ``of_any_build`` gives a shared file."""
    paths = (path for path in CLIENT.rglob("[!.]*") if path.is_file() and path.suffix not in PACKED.values())
    files = {path.relative_to(CLIENT).as_posix(): path for path in paths}
    found = [web.get(f"/{name}", _file(path, name)) for name, path in files.items() if not name.endswith(".html")]
    pages = {path: _page(name, files) for path, name in PAGES.items() if f"{name}.en.html" in files}
    if pages:
        pages["/{path:.*}"] = mistyped = _mistyped(pages["/"])
        found.append(web.get("/assets/{name}", _of_other_build(of_any_build, mistyped)))
    return found + [web.get(path, page) for path, page in pages.items()]


def _of_other_build(get: Callable[[str], Awaitable[bytes | None]], otherwise: Handler) -> Handler:
    async def serve(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        try:
            packed = await get(name)
        except StoreDown:
            packed = None
        if packed is None:
            return await otherwise(request)
        return Kept.of(gzip.decompress(packed), {"gzip": packed}).answer(request, _headers(f"assets/{name}"))

    return serve


def _mistyped(front: Callable[[web.Request], Any]) -> Callable[[web.Request], Any]:
    """Serve the front page for a mistyped address, because it asks for the code. Programs get a plain 404."""

    async def mistyped(request: web.Request) -> web.Response:
        if "text/html" not in request.headers.get("Accept", ""):
            raise web.HTTPNotFound
        answer: web.Response = await front(request)
        answer.set_status(404)
        answer.headers.pop("ETag", None)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return mistyped


def _page(name: str, files: Mapping[str, Path]) -> Callable[[web.Request], Any]:
    serve = {tag: _file(files[f"{name}.{tag}.html"], f"{name}.{tag}.html") for tag in LANGUAGES}

    async def in_language(request: web.Request) -> web.Response:
        answer: web.Response = await serve[language_of(request)](request)
        answer.headers["Vary"] = VARY
        return answer

    return in_language


def _file(path: Path, name: str) -> Callable[[web.Request], Any]:
    """Serve a file from memory, in the smallest form, and not to clients that already have it.

    aiohttp's own `FileResponse` takes five times the CPU (210 us instead of 40, measured with the largest file and
    eight clients), and makes ETags from file times, which differ between the servers behind a load balancer.
    """
    body = path.read_bytes()
    beside = {coding: path.with_name(path.name + suffix) for coding, suffix in PACKED.items()}
    packed = {coding: form.read_bytes() for coding, form in beside.items() if form.exists()}
    kept = Kept.of(body, packed)
    headers = _headers(name) | (safe_page(body.decode()) if name.endswith(".html") else {})

    async def serve(request: web.Request) -> web.Response:
        return kept.answer(request, headers)

    return serve


def _headers(name: str) -> dict[str, str]:
    """The headers of a file of the client."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return {
        **safe_file(name),
        "Cache-Control": FOREVER if name.startswith("assets/") else ASK_AGAIN,
        "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        "Vary": "Accept-Encoding",
    }
