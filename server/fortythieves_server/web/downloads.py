"""Large answers, sent in pieces. Their number is limited in total and per address, and slow readers are cut off."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

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
#: While others wait, the slowest downloads are cut off: none in its first seconds, in which anyone on 1 Mbit/s gets a
#: record of 1 MB. And the seconds between two looks.
SAFE, LOOK = 10.0, 1.0


@dataclass(slots=True, eq=False)
class _Download:
    request: web.Request
    address: str
    began: float
    sent: int = 0

    def speed(self, now: float) -> float:
        return self.sent / max(now - self.began, 0.001)


class Downloads:
    """``of_all``: the most at a time. ``safe``: the seconds in which none is cut off."""

    def __init__(self, of_all: int = OF_ALL, safe: float = SAFE) -> None:
        self._slots = Slots(of_all, OF_ADDRESS)
        self._safe = safe
        self._running: dict[_Download, None] = {}
        #: The next look for slow downloads, as long as requests wait.
        self._look: asyncio.Handle | None = None

    async def send(
        self,
        request: web.Request,
        account: Account,
        headers: Mapping[str, str],
        body: bytes,
        more: AsyncIterator[bytes] | None = None,
    ) -> web.StreamResponse:
        """Answer with ``body``, and then with ``more`` as it is made. Raises `Refused` ("too-fast")."""
        async with self._turn(request, account) as download:
            response = web.StreamResponse(headers=headers)
            if more is None:
                response.content_length = len(body)
            await response.prepare(request)
            if request.method == "HEAD":
                return response
            try:
                await _write(response, account, download, body)
                if more is not None:
                    async for part in more:
                        await _write(response, account, download, part)
                await response.write_eof()
            except ConnectionError:
                pass  # the client has left
            except Refused:
                # The client must not mistake a part for the whole file.
                _abort(request)
            return response

    @contextlib.asynccontextmanager
    async def _turn(self, request: web.Request, account: Account) -> AsyncIterator[_Download]:
        now = asyncio.get_running_loop().time
        if self._look is None:
            self._look = asyncio.get_running_loop().call_soon(self._cut_off)
        async with self._slots.turn(account.address, WAIT):
            self._running[download := _Download(request, account.address, now())] = None
            try:
                yield download
            finally:
                del self._running[download]

    def _cut_off(self) -> None:
        """Cut off a download for each address that waits: the slowest of the addresses that have most.

        While these are safe, no other is cut off: many new downloads would otherwise end a single old one.
        """
        self._look = None
        if waiting := self._slots.waiting:
            loop = asyncio.get_running_loop()
            now = loop.time()
            order = sorted(self._running, key=lambda one: (-self._slots.taken_by(one.address), one.speed(now)))
            for download in order[:waiting]:
                if now - download.began > self._safe:
                    _abort(download.request)
            self._look = loop.call_later(LOOK, self._cut_off)


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


async def _write(response: web.StreamResponse, account: Account, download: _Download, body: bytes) -> None:
    """Write all of ``body`` as fast as the client reads. The acceptor closes a client that stops reading."""
    account.charge("bytes", len(body))
    view = memoryview(body)
    for start in range(0, len(view), PIECE):
        await response.write(view[start : start + PIECE])
        download.sent += PIECE
