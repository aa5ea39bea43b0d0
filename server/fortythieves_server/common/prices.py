"""What every request costs whoever makes it, and the account of each address that it is taken from.

Two tables name a price for every message to the server and for every route: from which token buckets of `Limits` it
takes one each, and which others must not be empty. The cost of an answer (bytes, time of the processor) is known only
afterwards. It is charged then, and an address that owes something has to wait.

A new message or route without a price fails a test. What is free is so on purpose: it costs us no more than the frame
that it came in, and a connection's own bucket (`Limits.messages`) counts those.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fortythieves.protocol import to_server
from fortythieves_server.common.limits import Limits

#: More addresses than a busy server sees in the time their buckets need to fill up: some 50 MB.
MOST = 100_000
#: Seconds that a debt takes to be paid at most: whoever was expensive once is not kept away for an hour.
LONGEST_DEBT = 60.0


class Price(NamedTuple):
    """What one request takes of its address: one out of each of these buckets."""

    buckets: tuple[str, ...] = ()
    #: Buckets that only must not be empty: others are charged to them.
    needs: tuple[str, ...] = ()
    #: The code of its refusal.
    code: str = "too-fast"

    @property
    def is_free(self) -> bool:
        return not self.buckets and not self.needs


#: What answers cost is charged to these when it is known.
BUDGET = ("bytes", "cpu")

#: Seconds of the processor for what is not measured each time: to take a connection in and to end it, to read a request
#: by HTTP and write the head of its answer, and to have a WebSocket from its upgrade to its end.
ARRIVAL_WORK, REQUEST_WORK, UPGRADE_WORK = 0.0002, 0.0002, 0.001

FREE = Price()
#: What is said at a seat, in a room that somebody is in already.
COMMAND = Price(("commands",), BUDGET)
#: What tells whether there is a room of some code.
_FIND = ("guesses", *BUDGET)

#: Refusals of what has a code in it that tell nothing of whether there is a room of that code. All others are charged
#: as a guess, whichever way it was made.
TELLS_NOTHING = frozenset(
    {
        *("too-fast", "too-many-rooms", "server-full", "store-down", "newer-room", "in-room", "not-in-room"),
        *("bad-name", "bad-settings", "bad-plan", "bad-token", "expired-token", "huge-record"),
    }
)

JOIN = Price(("joins",), _FIND)
#: A room for the deal of a race that was: it is asked for by the code of its room.
PRACTICE = Price(("rooms",), _FIND)
RESUME = Price(("joins", "resumes"), _FIND)

#: Of every message to the server. A `Join` that resumes has the price `RESUME`, see `price_of`.
MESSAGES: Mapping[type[to_server.Said], Price] = MappingProxyType(
    {
        # The connection has been paid for, and says this once.
        to_server.Hello: FREE,
        # These are answered from memory. Moves are what all this is for.
        to_server.Ping: FREE,
        to_server.Move: FREE,
        to_server.Create: Price(("rooms",), BUDGET, "too-many-rooms"),
        to_server.Join: JOIN,
        to_server.Watch: Price(("watches",), _FIND),
        to_server.Look: Price(("looks",), BUDGET),
        to_server.Review: COMMAND,
        to_server.ChangeSettings: COMMAND,
        to_server.Ready: COMMAND,
        to_server.Reveal: COMMAND,
        to_server.Unready: COMMAND,
        to_server.Start: COMMAND,
        to_server.Lock: COMMAND,
        to_server.Kick: COMMAND,
        to_server.HandOver: COMMAND,
        to_server.AddBot: Price(("commands", "bots"), BUDGET, "bots-used-up"),
        to_server.Chat: COMMAND,
        to_server.Mute: COMMAND,
        to_server.Remove: COMMAND,
        to_server.Rename: COMMAND,
        to_server.GiveUp: COMMAND,
        to_server.TakeBack: COMMAND,
        to_server.Rematch: COMMAND,
        to_server.Leave: COMMAND,
        to_server.Enter: COMMAND,
        to_server.ChangePlan: COMMAND,
        to_server.Round: COMMAND,
        to_server.Timer: COMMAND,
        to_server.Judge: COMMAND,
        to_server.Withdraw: COMMAND,
        to_server.CoHost: COMMAND,
        to_server.ShowList: Price(("commands", "exports"), BUDGET),
        to_server.Release: COMMAND,
    }
)


class Share(NamedTuple):
    """What a message takes of what one guest, and all guests of an address, may do in one room."""

    guest: Price
    address: Price


_TALK = Share(Price(("guest_talk",)), Price(("room_talk",)))
_COMING = Share(Price(("guest_returns",)), Price(("room_returns",)))
WATCHER_TALK = Share(Price(("guest_talk",)), Price(("watcher_talk",)))

#: Of every message that adds to the log of a room, and can be said again and again by whoever is no host. Not among
#: them is what ends something: to give up is followed by taking it back, or by nothing.
IN_ROOM: Mapping[type[to_server.Said], Share] = MappingProxyType(
    {
        to_server.Join: _COMING,
        to_server.Watch: _COMING,
        to_server.Chat: _TALK,
        to_server.Rename: _TALK,
        to_server.Ready: _TALK,
        to_server.Unready: _TALK,
        to_server.Rematch: _TALK,
        to_server.TakeBack: _TALK,
        to_server.Enter: _TALK,
    }
)

#: What is hashed, besides the price of the message that says it. The first one is given back for a right password.
PASSWORD = Price(("passwords",))
NEW_PASSWORD = Price(("hashes",))

#: What any connections say, moves among it. So many are paid for at once: a move has no time to pay for itself.
SAID, SAID_AT_ONCE = Price(("said",)), 32

#: A new connection, before anything is said over it.
ARRIVAL = Price(("arrivals",))

#: A page, one of its files, or an address where there is nothing.
FILE = Price(("requests",), BUDGET)
_QUESTION = Price(("requests", "questions"), BUDGET)
_RECORD = Price(("requests", "records"), _FIND)

#: Of every route, by its path as aiohttp writes it. The built files of the client have the price `FILE`.
ROUTES: Mapping[str, Price] = MappingProxyType(
    {
        # Also for an address that was sent too much: what is said over it has its own price.
        "/ws": Price(("requests", "upgrades"), ("cpu",)),
        "/api/rooms": _QUESTION,
        "/api/address": _QUESTION,
        "/api/races/{code}/{number}": _RECORD,
        "/api/races/{code}/{number}.{json}": _RECORD,
        "/api/tournaments/{code}{kind}": Price(("requests", "exports"), _FIND),
        "/api/key": _QUESTION,
        "/api/openapi.json": FILE,
        # Whoever supervises us asks these. They have no bucket that anything else empties, and no budget: an address
        # that owes something may still be the one of our own balancer.
        "/healthz": Price(("health",)),
        "/readyz": Price(("health",)),
        "/": FILE,
        "/r/{code}": FILE,
        "/r/{code}/{page}": FILE,
        "/r/{code}/{number}": FILE,
    }
)


def price_of(message: to_server.Said) -> Price:
    """What a message costs."""
    if isinstance(message, to_server.Join) and message.resume is not None:
        return RESUME
    if isinstance(message, to_server.Create) and "/" in str(message.settings.get("deal", "")):
        return PRACTICE
    return MESSAGES[type(message)]


class Accounts:
    """The buckets of every address, in bounded memory.

    A bucket is one number: when it will be full again (GCRA, the virtual scheduling algorithm of ITU-T I.371). One that
    is full takes no memory, and beyond ``most`` addresses the one that was not heard of for longest is forgotten.
    Times are in seconds of any clock that does not go backwards.
    """

    __slots__ = ("_burst", "_full_at", "_most", "_rate")

    def __init__(self, limits: Limits, most: int = MOST) -> None:
        rates = limits.of_address
        self._rate = {name: rate.per_second for name, rate in rates.items()}
        #: In seconds: how long an empty bucket takes to be full.
        self._burst = {name: rate.burst / rate.per_second for name, rate in rates.items()}
        self._most = most
        self._full_at: OrderedDict[str, dict[str, float]] = OrderedDict()

    def __len__(self) -> int:
        """How many addresses have anything that is not full."""
        return len(self._full_at)

    def pay(self, address: str, price: Price, now: float, n: int = 1) -> float:
        """Take a price out ``n`` times; returns 0.0, or in how many seconds to try again. Then nothing was taken."""
        if price.is_free:
            return 0.0
        wait = 0.0
        for bucket in price.needs:
            wait = max(wait, self.wait(address, bucket, now))
        for bucket in price.buckets:
            wait = max(wait, self.wait(address, bucket, now, n))
        if not wait:
            for bucket in price.buckets:
                self.charge(address, bucket, now, n)
        return wait

    def wait(self, address: str, bucket: str, now: float, n: float = 1) -> float:
        """Seconds until a bucket holds so many."""
        account = self._full_at.get(address)
        full_at = now if account is None else max(now, account.get(bucket, now))
        missing = full_at - now + n / self._rate[bucket] - self._burst[bucket]
        return missing if missing > _EPSILON else 0.0

    def charge(self, address: str, bucket: str, now: float, n: float = 1) -> None:
        """Take so many out of a bucket, and go into debt where there are not so many."""
        account = self._full_at.get(address)
        if account is None:
            self._forget(now)
            account = self._full_at[address] = {}
        self._full_at.move_to_end(address)
        full_at = max(now, account.get(bucket, now)) + n / self._rate[bucket]
        account[bucket] = min(full_at, now + self._burst[bucket] + LONGEST_DEBT)

    def _forget(self, now: float) -> None:
        """Make place for one. Two at most go for each that comes, so no call takes long and idle ones run out."""
        for _ in range(2):
            oldest = next(iter(self._full_at), None)
            if oldest is None or not (
                len(self._full_at) >= self._most or all(at <= now for at in self._full_at[oldest].values())
            ):
                return
            del self._full_at[oldest]


class Account:
    """The account of one address, for whoever deals with somebody there. ``clock`` is that of the limits."""

    __slots__ = ("_accounts", "_clock", "address")

    #: Whether it is the server's own bots'.
    is_house = False

    def __init__(self, accounts: Accounts, address: str, clock: Callable[[], float]) -> None:
        self._accounts = accounts
        self._clock = clock
        self.address = address

    def pay(self, price: Price, n: int = 1) -> float:
        """Take a price out ``n`` times; returns 0.0, or in how many seconds to try again. Then nothing was taken."""
        return self._accounts.pay(self.address, price, self._clock(), n)

    def charge(self, bucket: str, n: float = 1) -> None:
        """Take out what something has cost, though there be not so much: whoever owes has to wait."""
        self._accounts.charge(self.address, bucket, self._clock(), n)

    def charge_work(self, seconds: float) -> None:
        """Take out so much time of the processor."""
        self.charge("cpu", seconds * 1000)


class HouseAccount(Account):
    """That of the server's own bots: nothing is charged. Whoever asks for a bot has paid."""

    __slots__ = ()

    is_house = True

    def __init__(self) -> None:
        self.address = ""

    def pay(self, price: Price, n: int = 1) -> float:
        return 0.0

    def charge(self, bucket: str, n: float = 1) -> None:
        pass


#: Seconds: sums of times that are the same on paper differ by less.
_EPSILON = 1e-6
