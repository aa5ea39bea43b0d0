"""Big answers, sent in pieces: so many at a time to one address and to all, and not to whoever does not read."""

from collections.abc import AsyncIterator, Mapping

from aiohttp import web

from fortythieves.errors import Refused
from fortythieves_server.common.fair_queue import Slots
from fortythieves_server.common.prices import Account

#: Bytes of a piece. About twice as much is in memory for each download, and as much again in the system. A client that
#: takes none for a while is cut off (`acceptor.STALLED`).
PIECE = 64 * 1024
#: Downloads at the same time. A school of sixty fetches a record of 100 kB in some ten seconds, ten at a time.
OF_ADDRESS, OF_ALL = 10, 200
#: Seconds that one waits for its turn.
WAIT = 60.0


class Downloads:
    """Those that are under way in one process."""

    def __init__(self) -> None:
        self._slots = Slots(OF_ALL, OF_ADDRESS)

    async def send(
        self,
        request: web.Request,
        account: Account,
        headers: Mapping[str, str],
        body: bytes,
        more: AsyncIterator[bytes] | None = None,
    ) -> web.StreamResponse:
        """Answer with these bytes, and with more that are made as they are sent. Raises `Refused` ("too-fast")."""
        async with self._slots.turn(account.address, WAIT):
            response = web.StreamResponse(headers=headers)
            if more is None:
                response.content_length = len(body)
            await response.prepare(request)
            if request.method == "HEAD":
                return response
            try:
                await _write(response, account, body)
                if more is not None:
                    async for part in more:
                        await _write(response, account, part)
                await response.write_eof()
            except ConnectionError:
                pass  # The client has gone.
            except Refused:
                # The client must not take what it has for the whole file.
                if request.transport is not None:
                    request.transport.abort()
            return response


async def _write(response: web.StreamResponse, account: Account, body: bytes) -> None:
    """Write all of it, at the pace at which the client reads. One that stops to is cut off by the acceptor."""
    account.charge("bytes", len(body))
    view = memoryview(body)
    for start in range(0, len(view), PIECE):
        await response.write(view[start : start + PIECE])
