"""A client from the view of its room: its seat, what it has been sent, and its send queue."""

from dataclasses import dataclass, field
from hashlib import blake2b

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core import views
from fortythieves_server.rooms.send_queue import SendQueue


@dataclass(slots=True, eq=False)
class Peer:
    via: str
    send_queue: SendQueue
    counts: Counters
    #: The hash of its address (`Guests.address_hash`).
    address: str = ""
    #: The account that pays for large messages.
    account: Account = NOBODY
    #: The code of the room that its client names in the address, "" if none.
    named: str = ""
    #: 0: none, or a spectator called ``name``.
    seat: int = 0
    name: str = ""
    guest: str = ""
    #: How many entries of its own log it has been sent. None before it has its board.
    entries_sent: int | None = None
    #: The view that it has, and the number of events in it.
    view_sent: views.View = field(default_factory=dict)
    events_sent: int = 0
    #: Up to which step it has been sent progress (`Peers`).
    steps_sent: int = 0

    def address_in(self, code: str) -> str:
        """The hash of its address for one room. It differs per room, so two rooms cannot compare their guests."""
        return blake2b(self.address.encode(), key=code.encode(), digest_size=8).hexdigest() if self.address else ""

    def send(self, message: to_client.Said) -> None:
        """Queue a message for this client only."""
        if isinstance(message, to_client.Moved):
            self.counts.moves += 1
        elif isinstance(message, to_client.Unmoved | to_client.Refused):
            self.counts.refused[message.code] += 1
        self.send_queue.put(encode(message))

    def send_big(self, frame: bytes) -> None:
        """Queue a frame that may be large, and charge it to the client's address."""
        self.charge(0.0, frame)
        self.send_queue.put(frame)

    def charge(self, seconds: float, frame: bytes) -> None:
        """Charge the client's address for a frame, and for the seconds that it took to make."""
        self.account.charge("bytes", len(frame))
        self.account.charge_work(seconds)
