"""A client as its room sees it: where it sits, what it has been sent, and where to send more."""

from hashlib import blake2b

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.prices import Account
from fortythieves_server.core import views
from fortythieves_server.rooms.send_queue import SendQueue


class Peer:
    """The other end of one connection."""

    __slots__ = (
        *("account", "address", "counts", "entries_sent", "events_sent", "guest", "name", "seat"),
        *("send_queue", "via", "view_sent"),
    )

    def __init__(
        self, via: str, send_queue: SendQueue, counts: Counters, address: str = "", account: Account | None = None
    ) -> None:
        self.via = via
        #: The hash of where it comes from (`Guests.address_hash`).
        self.address = address
        self.send_queue = send_queue
        self.counts = counts
        #: Who pays for what is big.
        self.account = account
        #: 0: none, or a watcher, who goes by ``name``.
        self.seat = 0
        self.name = ""
        self.guest = ""
        #: How many entries of its own log it was sent; None before it has its board.
        self.entries_sent: int | None = None
        #: The view that it has, and after how many events.
        self.view_sent: views.View = {}
        self.events_sent = 0

    def address_in(self, code: str) -> str:
        """The hash of its address for one room, so that nobody can join what two rooms know of their guests."""
        return blake2b(self.address.encode(), key=code.encode(), digest_size=8).hexdigest() if self.address else ""

    def send(self, message: to_client.Said) -> None:
        """Queue a message for this client alone."""
        match message:
            case to_client.Moved():
                self.counts.moves += 1
            case to_client.Unmoved(code=code) | to_client.Refused(code=code):
                self.counts.refused[code] += 1
        self.send_queue.put(encode(message))

    def send_big(self, frame: bytes) -> None:
        """Queue a frame that may be big, and charge it to the client's address."""
        self.charge(0.0, frame)
        self.send_queue.put(frame)

    def charge(self, seconds: float, frame: bytes) -> None:
        """Charge a frame, which took so many seconds to make, to the client's address."""
        if self.account is not None:
            self.account.charge("bytes", len(frame))
            self.account.charge_work(seconds)
