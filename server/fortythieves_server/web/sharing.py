"""HTTP routes about where friends can reach this server, and the switch that shares it beyond its network."""

from collections.abc import Callable

from aiohttp import web
from aiohttp.typedefs import Handler

from fortythieves.errors import refuse_if
from fortythieves_server.common.prices import Account
from fortythieves_server.process.accepted_socket import AcceptedSocket
from fortythieves_server.process.tunnel import Tunnel
from fortythieves_server.web.addresses import host_in, is_in_home_network, is_own_machine
from fortythieves_server.web.gateway import Gateway
from fortythieves_server.web.headers import fresh, is_of_another_site, is_of_own_machine, is_operator, json_now
from fortythieves_server.web.server import connection_of

#: The account that a request is charged to.
ACCOUNT = web.RequestKey("account", Account)


def address_of(gateway: Gateway, request: web.Request) -> str:
    """The address under which a client is limited."""
    connection = connection_of(request)
    return gateway.address_of(connection, request.headers.getall("X-Forwarded-For", [])) if connection else ""


def is_own_browser(request: web.Request, connection: AcceptedSocket | None) -> bool:
    """Whether a request is from a browser on this machine, and not through a proxy or from a page of another site."""
    return (
        connection is not None
        and not connection.is_tunnelled
        and is_of_own_machine(request, connection.peer)
        and is_own_machine(host_in(request.host))
        and not is_of_another_site(request)
        and (request.method == "GET" or "Origin" in request.headers)
    )


@web.middleware
async def lead_home(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Lead this machine's own browser to localhost, where it keeps its guest.

    A host with their own invitation would be a stranger: for the browser, an address in the network is another
    site.
    """
    connection = connection_of(request)
    if (
        connection is not None
        and host_in(request.host) == connection.peer == connection.own_address
        and not is_own_machine(connection.peer)
        and "text/html" in request.headers.get("Accept", "")
    ):
        home = request.url.with_host("localhost")
        return web.Response(status=302, headers={**fresh(), "Location": str(home)})
    return await handler(request)


def sharing_routes(
    tunnel: Tunnel, gateway: Gateway, addresses: Callable[[], list[str]], token: str | None
) -> list[web.RouteDef]:
    """``token``: the operators' password, which may turn sharing on and off from anywhere."""

    async def address(request: web.Request) -> web.Response:
        found: dict[str, object] = {"url": tunnel.url, "answers": tunnel.answers}
        if tunnel.choice is not None and is_own_browser(request, connection_of(request)):
            helper = tunnel.choice.helper
            found |= {"on": tunnel.is_on, "helper": helper.name if helper else "", "trouble": tunnel.trouble}
        near = is_in_home_network(host_in(request.host))
        return json_now({"addresses": addresses(), "near": near, "share": found})

    async def switch(request: web.Request) -> web.Response:
        is_allowed = is_own_browser(request, connection_of(request)) or is_operator(request, request[ACCOUNT], token)
        refuse_if(not is_allowed, "only-here")
        refuse_if(tunnel.choice is None or tunnel.choice.helper is None, "no-helper")
        await tunnel.turn(on=request.method == "POST")
        return await address(request)

    switches = [web.post("/api/share", switch), web.delete("/api/share", switch)]
    return [web.get("/api/address", address), *switches]
