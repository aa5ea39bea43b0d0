"""The price of each request, and the accounts that pay.

A price takes an amount from some of the limits of an address (`Limits`), mostly points. Other limits only must not be
used up. The cost of an answer (bytes, CPU time) is known after it. It is charged then, and an address in debt has to
wait. There is one way to pay: `Account.pay`.

A test fails for a new route without a price. A free message costs no more than the frame in which it
arrived, for which its address has paid (`MESSAGE`).
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fortythieves.protocol import to_server
from fortythieves_server.common.limits import Limits

#: More addresses than a busy server sees while their limits refill. They take about 50 MB.
MOST = 100_000
#: The most seconds of debt. An address with one expensive request is not kept away for an hour.
LONGEST_DEBT = 60.0
#: The share of its points that an address keeps for messages and moves. So racers play on while others of the same
#: address load pages.
RESERVE = 0.25
#: Seconds. Sums of floats that should be equal differ by less.
_EPSILON = 1e-6


class Price(NamedTuple):
    """The price of one request: an amount of each of these limits."""

    costs: Mapping[str, float]
    #: Limits that must not be used up. They are charged later.
    needs: tuple[str, ...] = ()
    #: The error code if an address cannot pay.
    code: str = "too-fast"
    #: The share of the points that must be left.
    reserve: float = RESERVE


def price(points: float = 0, *, needs: tuple[str, ...] = (), code: str = "too-fast", **others: float) -> Price:
    costs = {"points": points, **others} if points else others
    return Price(costs, needs, code)


#: Charged with the cost of an answer.
BUDGET = ("bytes", "cpu")
#: The same for a request that adds to the log of a room. It is charged with the bytes that were added.
_ADDS = (*BUDGET, "kept")
#: A request that reveals whether a room code exists.
_FIND = ("guesses", *BUDGET)

#: Estimated seconds of CPU time for work that is not measured each time: to accept and close a connection; to read an
#: HTTP request and write the head of its answer; to upgrade and end a WebSocket.
ARRIVAL_WORK, REQUEST_WORK, UPGRADE_WORK = 0.0002, 0.0002, 0.001

#: Refusals that do not reveal whether a room code exists. All other refusals with a code are charged as a guess,
#: whichever request it was.
TELLS_NOTHING = {
    *("too-fast", "too-many-rooms", "server-full", "store-down", "in-room", "not-in-room"),
    *("bad-name", "bad-settings", "bad-plan", "bad-token", "expired-token", "huge-record", "only-here", "no-helper"),
}

#: A new connection, before its first message. A browser opens up to six for a page.
ARRIVAL = price(100)
#: Any message, including moves. They are paid in advance, 32 at a time, because a move has no time to pay.
MESSAGE, MESSAGES_AT_ONCE = Price({"points": 10}, reserve=0), 32
#: A message of more than 2,000 bytes, or a part of one that is too long for a frame. The plan with the longest entry
#: list has seven.
PART = price(20_000)
#: Whatever is stored. It is charged with its bytes.
KEPT = price(needs=("kept",))
#: The bytes of a stored move (measured), and how many of a seat are charged together. A refused move costs nothing.
MOVE_BYTES, MOVES_KEPT_AT_ONCE = 23, 32
#: How many times as much each stored byte costs when Redis is nearly full. Then eight addresses that move, or leave and
#: return, all the time need an hour for the last fifth of 512 MB. Three hundred people of one address still finish a
#: race.
IF_SHORT = 4
#: An attempt with a password, on top of its message. It is refunded if the password is right.
PASSWORD = price(guesses=1)
#: A process that a visitor of a demo kills: ten at first, and then one in 15 seconds.
BREAK = price(300_000)
#: A new password, on top of its message. To hash one is expensive.
NEW_PASSWORD = price(100_000)

FREE = price()
#: A command of a seat in its own room.
COMMAND = price(200, needs=_ADDS)
JOIN = price(200, needs=(*_FIND, "kept"))
#: It reads a log.
RESUME = price(400, needs=(*_FIND, "kept"))

#: The price of every message to the server, mostly that of a command. `price_of` knows the exceptions.
MESSAGES: Mapping[type[to_server.Message], Price] = {
    **dict.fromkeys(to_server.MESSAGES, COMMAND),
    # The connection has been paid for, and sends this once.
    to_server.Hello: FREE,
    # These are answered from memory. Stored moves are paid for (`KEPT`).
    to_server.Ping: FREE,
    to_server.Move: FREE,
    to_server.Create: price(rooms=1, needs=_ADDS, code="too-many-rooms"),
    to_server.Challenge: price(600, rooms=1, needs=(*_FIND, "kept"), code="too-many-rooms"),
    to_server.Found: price(600, rooms=1, needs=_ADDS, code="too-many-rooms"),
    to_server.Try: price(2_000, needs=_ADDS),
    to_server.Join: JOIN,
    to_server.Watch: price(400, needs=_FIND),
    to_server.Look: price(400, needs=BUDGET),
    to_server.AddBot: price(50_000, needs=BUDGET, code="bots-used-up"),
    to_server.ShowList: price(3_000, needs=BUDGET),
}


class RoomPrice(NamedTuple):
    """The second price of a message in a room: for its guest, and for all guests of its address together."""

    #: Each kind has its own account. So spectators that chat do not stop the racers of their school, and a guest with
    #: many chat messages can return.
    kind: str
    guest: Price
    address: Price


#: A spectator needs no seat to chat, so that one person can send many.
SPECTATOR_TALK = RoomPrice("spectators", price(guest_in_room=1), price(address_in_room=10))

#: To join a circle, because each guest stays in its list.
JOINS_CIRCLE = RoomPrice("members", price(guest_in_room=30), price(address_in_room=60))

#: Every message that adds to the log of a room, or is sent to all others in it, and that guests other than the host can
#: repeat. Messages that end something are not here: after giving up, a guest can only take it back.
IN_ROOM: Mapping[type[to_server.Message], RoomPrice] = {
    **dict.fromkeys(
        (to_server.Join, to_server.Watch, to_server.Try, to_server.Membership, to_server.ChangeCircle),
        RoomPrice("entry", price(guest_in_room=3), price(address_in_room=1)),
    ),
    **dict.fromkeys(
        (
            *(to_server.Chat, to_server.Rename, to_server.Ready, to_server.Unready, to_server.Rematch, to_server.Team),
            *(to_server.TakeBack, to_server.Enter, to_server.HalfBye, to_server.CheckIn),
            *(to_server.AgreeToEnd, to_server.StandAside),
        ),
        RoomPrice("talk", price(guest_in_room=1), price(address_in_room=1)),
    ),
    # A guest has one in each race, and a school watches from one address.
    to_server.Predict: RoomPrice("predictions", price(guest_in_room=30), price(address_in_room=60)),
    to_server.React: RoomPrice("reactions", price(guest_in_room=1), price(address_in_room=1)),
}

#: How many more messages of their connection chat and reactions take: five and ten of them without a pause.
EXTRA_MESSAGES: Mapping[type[to_server.Message], int] = {to_server.Chat: 24, to_server.React: 12}

#: A page, one of its files, or an address that does not exist. A first visit makes about 15 of these requests.
FILE = price(40, needs=BUDGET)
#: A preview of a replay for a messenger: the words in its page, on top of the price of the page.
PREVIEW = price(600, needs=_FIND)
#: A health check. It needs no budget, because an address in debt may be that of our own load balancer.
HEALTH = price(1_000)

#: The price of every route, by its aiohttp path. The built files of the client have the price `FILE`.
ROUTES: Mapping[str, Price] = {
    # Needs no budget of bytes: each message of the connection has its own price.
    "/ws": price(200, needs=("cpu",)),
    **dict.fromkeys(("/api/rooms", "/api/days", "/api/address", "/api/winnable", "/api/key"), price(200, needs=BUDGET)),
    "/api/rooms/{code}": price(200, needs=_FIND),
    # It starts or ends a program, on this machine or with the operators' password.
    "/api/share": price(100_000, needs=BUDGET),
    **dict.fromkeys(("/api/carry", "/api/carried"), price(600, needs=BUDGET)),
    **dict.fromkeys(("/api/races/{code}/{number}", "/api/races/{code}/{number}.{json}"), price(600, needs=_FIND)),
    "/api/races/{code}/{number}.{par}": PREVIEW,
    "/api/races/{code}/{number}.{png}": PREVIEW,
    "/api/tournaments/{code}{kind}": price(3_000, needs=_FIND),
    **dict.fromkeys(("/healthz", "/readyz"), HEALTH),
    **dict.fromkeys(("/", "/practice", "/series", "/me", "/assets/{name}", "/{path}", "/api/openapi.json"), FILE),
    **dict.fromkeys(("/r/{code}{end}", "/r/{code}/{page}{end}", "/r/{code}/{number}{end}", "/day"), FILE),
}


def price_of(message: to_server.Message) -> Price:
    if isinstance(message, to_server.Join) and message.resume is not None:
        return RESUME
    return MESSAGES[type(message)]


class Accounts:
    """The accounts of all addresses, in bounded memory.

    A limit of an address is one number: the time at which it will be full (GCRA, the virtual scheduling algorithm of
    ITU-T I.371). A full one takes no memory. Beyond `MOST` accounts, the least recently used one is forgotten.
    """

    __slots__ = ("_burst", "_clock", "_full_at", "_rate")

    def __init__(self, limits: Limits, clock: Callable[[], float] | None = None) -> None:
        rates = limits.of_address
        self._rate = {name: rate.per_second for name, rate in rates.items()}
        #: The seconds that an empty limit takes to fill.
        self._burst = {name: rate.burst / rate.per_second for name, rate in rates.items()}
        self._clock = clock or time.monotonic
        self._full_at: OrderedDict[str, dict[str, float]] = OrderedDict()

    def __len__(self) -> int:
        """How many accounts are not full."""
        return len(self._full_at)

    def of(self, address: str) -> "Account":
        return Account(self, address)

    def pay(self, address: str, price: Price, n: int) -> float:
        now, wait = self._clock(), 0.0
        for limit in price.needs:
            wait = max(wait, self._wait(address, limit, now, 1))
        for limit, cost in price.costs.items():
            wait = max(wait, self._wait(address, limit, now, cost * n, price.reserve if limit == "points" else 0))
        if not wait:
            for limit, cost in price.costs.items():
                self.charge(address, limit, cost * n)
        return wait

    def _wait(self, address: str, limit: str, now: float, n: float, reserve: float = 0) -> float:
        """Seconds until there is so much left of a limit, besides a reserve."""
        account = self._full_at.get(address)
        full_at = now if account is None else max(now, account.get(limit, now))
        # An operator may set a limit below one price. That price is then all of the limit.
        usable = self._burst[limit] * (1 - reserve)
        missing = full_at - now + min(n / self._rate[limit], usable) - usable
        return missing if missing > _EPSILON else 0.0

    def charge(self, address: str, limit: str, n: float) -> None:
        now, account = self._clock(), self._full_at.get(address)
        if account is None:
            self._forget(now)
            account = self._full_at[address] = {}
        self._full_at.move_to_end(address)
        full_at = max(now, account.get(limit, now)) + n / self._rate[limit]
        account[limit] = min(full_at, now + self._burst[limit] + LONGEST_DEBT)

    def _forget(self, now: float) -> None:
        """Make room for one address. At most two go per new one, so no call takes long and idle addresses disappear."""
        for _ in range(2):
            oldest = next(iter(self._full_at), None)
            if oldest is None or (len(self._full_at) < MOST and any(at > now for at in self._full_at[oldest].values())):
                return
            del self._full_at[oldest]


@dataclass(slots=True, eq=False)
class Account:
    """The account of one address, or of one guest in a room. Without `Accounts`, it is never charged."""

    _accounts: Accounts | None = None
    address: str = ""
    #: Whether it belongs to the server's own bots. The host has paid for them.
    is_house: bool = field(default=False, kw_only=True)

    def pay(self, price: Price, n: int = 1) -> float:
        """Pay a price ``n`` times. Returns 0.0, or the seconds until it can be paid; then nothing was taken."""
        return 0.0 if self._accounts is None else self._accounts.pay(self.address, price, n)

    def charge(self, limit: str, n: float = 1) -> None:
        """Take from a limit, into debt if need be. An address in debt has to wait."""
        if self._accounts is not None:
            self._accounts.charge(self.address, limit, n)

    def charge_work(self, seconds: float) -> None:
        self.charge("cpu", seconds * 1000)


NOBODY = Account()
