"""Middleware that charges each HTTP request to its address: the price before the answer, the cost after it."""

import math
from collections.abc import Callable, Coroutine
from typing import Any, cast

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from fortythieves_server.common.counters import Counters
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import FILE, HEALTH, REQUEST_WORK, ROUTES, Account, Accounts

ACCOUNT = web.RequestKey("account", Account)


def charging(
    accounts: Accounts,
    share: LoopShare,
    counts: Counters,
    address_of: Callable[[web.Request], str],
    refuse: Callable[[web.Request], web.Response],
) -> Middleware:
    """The middleware. ``refuse`` makes the answer for an address that has to wait."""

    @web.middleware
    async def charge(request: web.Request, handler: Handler) -> web.StreamResponse:
        account = accounts.of(address_of(request))
        request[ACCOUNT] = account
        path = path_of(request)
        price = ROUTES.get(path, FILE)
        payer = account
        if price is HEALTH:
            payer = accounts.of(f"health {account.address}")  # so that no other request can use it up
        else:
            await share.turn(account.address)
        if wait := payer.pay(price):
            counts.turned_away += 1
            response = refuse(request)
            response.headers["Retry-After"] = str(math.ceil(wait))
            # A client that keeps asking has to reconnect, which costs us less than a request.
            response.force_close()
            return response
        account.charge_work(REQUEST_WORK)
        share.spend(REQUEST_WORK)
        answering = cast("Coroutine[Any, Any, web.StreamResponse]", handler(request))
        try:
            answer = await share.do(account, answering)
        except ConnectionError:
            if request.transport is not None and not request.transport.is_closing():
                raise
            return web.Response()  # the client has left
        if isinstance(answer, web.Response) and isinstance(answer.body, bytes):
            account.charge("bytes", len(answer.body))
        return answer

    return charge


def path_of(request: web.Request) -> str:
    """The path of the request's route, as in `ROUTES`. "" if there is none."""
    resource = request.match_info.route.resource
    return "" if resource is None else resource.canonical
