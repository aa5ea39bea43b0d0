"""Big answers, sent in pieces: so many at a time to one address and to all, and not to whoever does not read."""

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping

from aiohttp import web

from fortythieves.errors import Refused
from fortythieves_server.prices import Account

#: Bytes of a piece. About twice as much is in memory for each download, and as much again in the system. A client that
#: takes none for a while is cut off (`acceptor.STALLED`).
PIECE = 64 * 1024
#: Downloads at the same time. A school of sixty fetches a record of 100 kB in some ten seconds, ten at a time.
OF_ADDRESS, OF_ALL = 10, 200
#: Seconds that one waits for its turn.
WAIT = 60.0


class Downloads:
    """Whose turn it is. One who has fewer than others comes before them."""

    def __init__(self, of_address: int = OF_ADDRESS, of_all: int = OF_ALL) -> None:
        self._of_address = of_address
        self._of_all = of_all
        self._under_way: defaultdict[str, int] = defaultdict(int)
        self._waiting: defaultdict[str, deque[asyncio.Future[None]]] = defaultdict(deque)

    @contextlib.asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait until one more may be sent to an address. Raises `Refused` ("too-fast") where that takes too long."""
        if self._is_full(address):
            await self._wait(address)
        else:
            self._under_way[address] += 1
        try:
            yield
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]
            self._next()

    def _is_full(self, address: str) -> bool:
        under_way = self._under_way.get(address, 0)
        return under_way >= self._of_address or sum(self._under_way.values()) >= self._of_all

    async def _wait(self, address: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[address].append(turn)
        try:
            async with asyncio.timeout(WAIT):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # It came in the same moment.
                self._under_way[address] -= 1
                self._next()
            if isinstance(error, TimeoutError):
                raise Refused("too-fast") from None
            raise

    def _next(self) -> None:
        """Let in whoever waits and has the fewest under way."""
        for address in sorted(self._waiting, key=lambda address: self._under_way.get(address, 0)):
            queue = self._waiting[address]
            while queue and not self._is_full(address):
                turn = queue.popleft()
                if not turn.done():
                    self._under_way[address] += 1
                    turn.set_result(None)
                    break
            if not queue:
                del self._waiting[address]

    async def send(
        self,
        request: web.Request,
        account: Account,
        headers: Mapping[str, str],
        body: bytes,
        more: AsyncIterator[bytes] | None = None,
    ) -> web.StreamResponse:
        """Answer with these bytes, and with more that are made as they are sent. Raises `Refused` ("too-fast")."""
        async with self.turn(account.address):
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
