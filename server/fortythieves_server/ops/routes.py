"""HTTP routes for operators only: metrics, the dashboard, and actions on a room."""

import hmac
import logging
from collections.abc import Callable, Collection
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from fortythieves.errors import Refused
from fortythieves_server.common.logs import Seldom
from fortythieves_server.common.prices import Accounts
from fortythieves_server.common.texts import text
from fortythieves_server.ops import page
from fortythieves_server.ops.metrics import Metrics
from fortythieves_server.ops.page import CLOSE, LIST, SHARE, UNLIST, UNSHARE
from fortythieves_server.ops.reports import Reports, report_of
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.web.addresses import host_in, is_private_name
from fortythieves_server.web.gateway import Gateway
from fortythieves_server.web.headers import VARY, fresh, is_of_another_site, is_operator, language_of
from fortythieves_server.web.sharing import address_of

log = logging.getLogger(__name__)

#: Bytes of a form: a code, two short words, a token and a reason.
LONGEST_FORM = 4096


def named(names: Collection[str]) -> Middleware:
    """The middleware that refuses requests for a name that is not ours.

    Otherwise, a page of another site could read this port with an operator's browser: the name of that site first leads
    to the page, and then to this machine (DNS rebinding).
    """

    seldom = Seldom(log)

    @web.middleware
    async def check_name(request: web.Request, handler: Handler) -> web.StreamResponse:
        name = request.headers.get("Host")
        # All browsers send it.
        if name is not None and not is_private_name(name) and host_in(name) not in names:
            seldom.warning(
                "a request for the name %r was refused at the operators' port: if it is yours, add it to --ops-names",
                host_in(name)[:100],
            )
            sentence = text(language_of(request), "server.ops.otherName")
            return web.Response(status=HTTPStatus.MISDIRECTED_REQUEST, text=f"{sentence}\n", headers=fresh())
        return await handler(request)

    return check_name


def password_check(
    accounts: Accounts, token: str | None, address_of: Callable[[web.Request], str]
) -> Callable[[web.Request], None]:
    """A function that refuses a request without the operators' password. ``accounts`` limit wrong ones."""

    def check(request: web.Request) -> None:
        if is_operator(request, accounts.of(address_of(request)), token):
            return
        if "Authorization" in request.headers:
            log.warning("a wrong password was refused at the operators' port")
        asked = {"WWW-Authenticate": 'Basic realm="operators", charset="UTF-8"'}
        raise web.HTTPUnauthorized(text="", headers={**fresh(), **asked})

    return check


def operators_routes(
    metrics: Metrics, reports: Reports, gateway: Gateway, accounts: Accounts, token: str | None
) -> list[web.RouteDef]:
    """The routes of the operators' port. Without a ``token`` there are only the metrics.

    ``accounts``: of addresses that connect to this port. They limit wrong passwords.
    """
    service, seldom = gateway.service, Seldom(log)

    check_operator = password_check(accounts, token, partial(address_of, gateway))

    async def all_metrics(request: web.Request) -> web.Response:
        return web.Response(body=await metrics.text(), headers={**fresh(), "Content-Type": CONTENT_TYPE_LATEST})

    async def overview(request: web.Request) -> web.Response:
        check_operator(request)
        found, tunnel = await reports.all(), gateway.tunnel
        return answer_html(page.page(found, reports.now(), language_of(request), tunnel, _form_token(token, "")))

    async def one_room(request: web.Request) -> web.Response:
        check_operator(request)
        code, language = request.query.get("code", ""), language_of(request)
        return (
            await _room(service, reports, token, code, language)
            if code
            else answer_html(page.which_room_page(language))
        )

    async def act(request: web.Request) -> web.Response:
        check_operator(request)
        language = language_of(request)

        def sentence(key: str) -> str:
            return text(language, f"server.ops.{key}") + "\n"

        if is_of_another_site(request):
            seldom.warning(
                "a form from %r was refused at the operators' port, because the request names the host %r: if that "
                "page is yours, let the proxy keep the header Host",
                request.headers.get("Origin", "another site")[:100],
                request.host[:100],
            )
            raise web.HTTPForbidden(text=sentence("form.foreign"), headers=fresh())
        try:
            if (request.charset or "utf-8").lower() != "utf-8":
                raise ValueError("another encoding")  # in some, a character may be none
            posted = await request.post()
        except (ValueError, LookupError):  # an unknown encoding, or no form at all
            raise web.HTTPBadRequest(text=sentence("form.unreadable"), headers=fresh()) from None
        form = {name: value for name, value in posted.items() if isinstance(value, str)}
        code = _code(form.get("code", ""))
        if not hmac.compare_digest(form.get("token", "").encode(), _form_token(token, code).encode()):
            raise web.HTTPForbidden(text=sentence("form.old"), headers=fresh())
        try:
            match form.get("do"):
                case SHARE.name | UNSHARE.name as what:
                    await gateway.tunnel.turn(on=what == SHARE.name)
                    raise web.HTTPSeeOther("/ops", headers=fresh())
                case UNLIST.name | LIST.name as what:
                    await service.unlist(code, unlisted=what == UNLIST.name)
                case CLOSE.name if form.get("sure") == "yes":
                    await service.close_room(code, form.get("reason", ""))
                case _:
                    raise web.HTTPBadRequest(text=sentence("form.empty"), headers=fresh())
        except Refused as refused:
            return await _room(service, reports, token, code, language, refused)
        # Reloading the page must not repeat the action.
        raise web.HTTPSeeOther(f"{page.ROOM_PATH}?{urlencode({'code': code})}", headers=fresh())

    routes = [web.get("/metrics", all_metrics)]
    if token:
        routes += [web.get("/ops", overview), web.post("/ops", act)]
        routes += [web.get(page.ROOM_PATH, one_room), web.post(page.ROOM_PATH, act)]
    return routes


async def _room(
    service: RoomService, reports: Reports, token: str | None, typed: str, language: str, refused: Refused | None = None
) -> web.Response:
    """The page of one room, or an error. ``refused``: why the action was refused."""
    code = _code(typed)
    status = HTTPStatus.OK if refused is None else HTTPStatus.BAD_REQUEST
    try:
        live = await service.registry.stored_room(code)
    except Refused as none:
        status = HTTPStatus.NOT_FOUND if none.code == "unknown-room" else HTTPStatus.SERVICE_UNAVAILABLE
        return answer_html(page.which_room_page(language, none), status)
    acts = [] if live.room.closed else [LIST if live.room.unlisted else UNLIST, CLOSE]
    now = reports.now()
    body = page.room_page(report_of(live, now), acts, _form_token(token, code), now, language, refused)
    return answer_html(body, status)


def _code(typed: str) -> str:
    return typed.strip().upper()[:12]


def _form_token(token: str | None, code: str) -> str:
    """A token that only our page can put into a form about a room. It protects old browsers, too."""
    return hmac.digest((token or "").encode(), f"forty-thieves form of room {code}".encode(), "sha256").hex()


def answer_html(body: bytes, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    # Without a referrer, a browser would not send the origin of its forms.
    headers = {**fresh(), "Content-Security-Policy": page.POLICY, "Referrer-Policy": "same-origin", "Vary": VARY}
    return web.Response(body=body, status=status, content_type="text/html", charset="utf-8", headers=headers)
