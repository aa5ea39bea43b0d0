"""Large answers, sent in pieces. Their number is limited in total and per address, and slow readers are cut off."""

from collections.abc import AsyncIterator, Mapping

from aiohttp import web

from fortythieves.errors import Refused
from fortythieves_server.common.fair_queue import Slots
from fortythieves_server.common.prices import Account

#: Bytes of a piece. Each download takes about twice as much memory, and some more in the system
#: (`acceptor.SEND_BUFFER`). A client that hardly reads is disconnected (`acceptor.STALLED`).
PIECE = 64 * 1024
#: Concurrent downloads per address and in total. At ten at a time, a school of sixty fetches a record of 100 kB in
#: about ten seconds.
OF_ADDRESS, OF_ALL = 10, 200
#: Seconds to wait for a slot.
WAIT = 60.0


class Downloads:
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
        """Answer with ``body``, and then with ``more`` as it is made. Raises `Refused` ("too-fast")."""
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
                pass  # the client has left
            except Refused:
                # The client must not mistake a part for the whole file.
                if request.transport is not None:
                    request.transport.abort()
            return response


async def _write(response: web.StreamResponse, account: Account, body: bytes) -> None:
    """Write all of ``body`` as fast as the client reads. The acceptor closes a client that stops reading."""
    account.charge("bytes", len(body))
    view = memoryview(body)
    for start in range(0, len(view), PIECE):
        await response.write(view[start : start + PIECE])
