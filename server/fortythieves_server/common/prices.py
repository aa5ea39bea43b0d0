"""What each request costs its address, and the account from which it is taken.

Two tables give a price to every message and to every route. A price names the token buckets of `Limits` from which the
request takes one token each, and other buckets that must not be empty. The cost of an answer (bytes, CPU time) is only
known afterwards. It is charged then, and an address in debt has to wait.

A test fails for a new message or route without a price. What is free costs no more than the frame in which it arrived,
and the connection's own bucket (`Limits.messages`) counts those.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from fortythieves.protocol import to_server
from fortythieves_server.common.limits import Limits

#: More addresses than a busy server sees while their buckets refill. They take about 50 MB.
MOST = 100_000
#: The most seconds of debt. An address with one expensive request is not kept away for an hour.
LONGEST_DEBT = 60.0


class Price(NamedTuple):
    """What one request takes from its address: a token from each of these buckets."""

    buckets: tuple[str, ...] = ()
    #: Buckets that only must not be empty. They are charged later.
    needs: tuple[str, ...] = ()
    code: str = "too-fast"

    @property
    def is_free(self) -> bool:
        return not self.buckets and not self.needs


#: Charged with the cost of an answer, once it is known.
BUDGET = ("bytes", "cpu")

#: Estimated seconds of CPU time for work that is not measured each time: to accept and close a connection; to read an
#: HTTP request and write the head of its answer; to upgrade and end a WebSocket.
ARRIVAL_WORK, REQUEST_WORK, UPGRADE_WORK = 0.0002, 0.0002, 0.001

FREE = Price()
#: A command of a seat in its own room.
COMMAND = Price(("commands",), BUDGET)
#: A request that reveals whether a room code exists.
_FIND = ("guesses", *BUDGET)

#: Refusals that do not reveal whether a room code exists. All other refusals with a code are charged as a guess,
#: whichever request it was.
TELLS_NOTHING = {
    *("too-fast", "too-many-rooms", "server-full", "store-down", "newer-room", "in-room", "not-in-room"),
    *("bad-name", "bad-settings", "bad-plan", "bad-token", "expired-token", "huge-record"),
}

JOIN = Price(("joins",), _FIND)
#: A practice room for the deal of an earlier race, which is named by its room code.
PRACTICE = Price(("rooms",), _FIND)
RESUME = Price(("joins", "resumes"), _FIND)

#: The price of every message to the server. A `Join` that resumes has the price `RESUME`, see `price_of`.
MESSAGES: Mapping[type[to_server.Said], Price] = {
    # The connection has been paid for, and sends this once.
    to_server.Hello: FREE,
    # These are answered from memory. Moves are what the server is for: only those that are kept are paid for (`KEPT`).
    to_server.Ping: FREE,
    to_server.Move: FREE,
    to_server.Create: Price(("rooms",), BUDGET, "too-many-rooms"),
    to_server.Join: JOIN,
    to_server.Watch: Price(("watches",), _FIND),
    to_server.Look: Price(("looks",), BUDGET),
    to_server.React: Price(("commands",), BUDGET),
    to_server.AddBot: Price(("commands", "bots"), BUDGET, "bots-used-up"),
    to_server.ShowList: Price(("commands", "exports"), BUDGET),
    **dict.fromkeys(
        (
            *(to_server.Review, to_server.ChangeSettings, to_server.Ready, to_server.Reveal, to_server.Unready),
            *(to_server.Start, to_server.Lock, to_server.Kick, to_server.HandOver, to_server.Chat, to_server.Mute),
            *(to_server.Remove, to_server.Rename, to_server.GiveUp, to_server.TakeBack, to_server.Rematch),
            *(to_server.Leave, to_server.Enter, to_server.ChangePlan, to_server.Round, to_server.Timer),
            *(to_server.Judge, to_server.Withdraw, to_server.CoHost, to_server.Release, to_server.AgreeToEnd),
            *(to_server.EndRace, to_server.StandAside, to_server.RenameEntrant, to_server.Correct),
            *(to_server.ReplayMatch, to_server.Swap, to_server.Announce, to_server.Undo),
            *(to_server.HalfBye, to_server.CheckIn, to_server.Registration, to_server.Team),
        ),
        COMMAND,
    ),
}


class Share(NamedTuple):
    """What a message takes from the shares of its guest, and of all guests of its address, in one room."""

    guest: Price
    address: Price


_TALK = Share(Price(("guest_talk",)), Price(("room_talk",)))
_COMING = Share(Price(("guest_returns",)), Price(("room_returns",)))
_REACTION = Share(Price(("guest_reactions",)), Price(("room_reactions",)))
WATCHER_TALK = Share(Price(("guest_talk",)), Price(("watcher_talk",)))

#: Every message that adds to the log of a room, or is sent to all others in it, and that guests other than the host can
#: repeat. Messages that end something are not here: after giving up, a guest can only take it back.
IN_ROOM: Mapping[type[to_server.Said], Share] = {
    **dict.fromkeys((to_server.Join, to_server.Watch), _COMING),
    **dict.fromkeys((to_server.Chat, to_server.Rename, to_server.Ready, to_server.Unready), _TALK),
    **dict.fromkeys((to_server.Rematch, to_server.TakeBack, to_server.Enter, to_server.HalfBye), _TALK),
    **dict.fromkeys((to_server.CheckIn, to_server.Team), _TALK),
    to_server.React: _REACTION,
    **dict.fromkeys((to_server.AgreeToEnd, to_server.StandAside), _TALK),
}

#: For a hash, on top of the price of its message. `PASSWORD` is refunded if the password is right.
PASSWORD = Price(("passwords",))
NEW_PASSWORD = Price(("hashes",))

#: All messages, including moves. They are paid in advance, 32 at a time, because a move has no time to pay.
SAID, SAID_AT_ONCE = Price(("said",)), 32

#: Moves that are kept, and how many of a seat are charged at once. One that is refused costs nothing.
KEPT, KEPT_AT_ONCE = Price(needs=("moves",)), 32

#: A part of a message that is too long for a frame.
PART = Price(("parts",))

#: A new connection, before its first message.
ARRIVAL = Price(("arrivals",))

#: A page, one of its files, or an address that does not exist.
FILE = Price(("requests",), BUDGET)
_QUESTION = Price(("requests", "questions"), BUDGET)
_RECORD = Price(("requests", "records"), _FIND)
#: For what a messenger shows of a replay: the words in its page, on top of the price of the page.
PREVIEW = Price(("previews",), _FIND)

#: The price of every route, by its aiohttp path. The built files of the client have the price `FILE`.
ROUTES: Mapping[str, Price] = {
    # Needs no budget of bytes: what is sent over the connection has its own price.
    "/ws": Price(("requests", "upgrades"), ("cpu",)),
    "/api/rooms": _QUESTION,
    "/api/rooms/{code}": Price(("requests", "questions"), _FIND),
    "/api/address": _QUESTION,
    "/api/winnable": _QUESTION,
    "/api/races/{code}/{number}": _RECORD,
    "/api/races/{code}/{number}.{json}": _RECORD,
    "/api/races/{code}/{number}.{png}": Price(("requests", "previews"), _FIND),
    "/api/tournaments/{code}{kind}": Price(("requests", "exports"), _FIND),
    "/api/key": _QUESTION,
    "/api/openapi.json": FILE,
    # Supervisors and load balancers ask these. No other request empties their bucket, and they need no budget: an
    # address in debt may still be that of our own load balancer.
    "/healthz": Price(("health",)),
    "/readyz": Price(("health",)),
    "/": FILE,
    "/practice": FILE,
    "/series": FILE,
    "/r/{code}{end}": FILE,
    "/r/{code}/{page}{end}": FILE,
    "/r/{code}/{number}{end}": FILE,
    "/{path}": FILE,
}


def price_of(message: to_server.Said) -> Price:
    if isinstance(message, to_server.Join) and message.resume is not None:
        return RESUME
    if isinstance(message, to_server.Create) and "/" in str(message.settings.get("deal", "")):
        return PRACTICE
    return MESSAGES[type(message)]


class Accounts:
    """The buckets of every address, in bounded memory.

    A bucket is one number: the time at which it is full again (GCRA, the virtual scheduling algorithm of ITU-T I.371).
    A full bucket takes no memory. Beyond ``most`` addresses, the least recently seen one is forgotten. Times are in
    seconds of any clock that never goes backwards.
    """

    __slots__ = ("_burst", "_full_at", "_most", "_rate")

    def __init__(self, limits: Limits, most: int = MOST) -> None:
        rates = limits.of_address
        self._rate = {name: rate.per_second for name, rate in rates.items()}
        #: The seconds that an empty bucket takes to fill.
        self._burst = {name: rate.burst / rate.per_second for name, rate in rates.items()}
        self._most = most
        self._full_at: OrderedDict[str, dict[str, float]] = OrderedDict()

    def __len__(self) -> int:
        """How many addresses have a bucket that is not full."""
        return len(self._full_at)

    def pay(self, address: str, price: Price, now: float, n: int = 1) -> float:
        """Pay a price ``n`` times. Returns 0.0, or the seconds until it can be paid; then nothing was taken."""
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
        """Seconds until a bucket holds ``n`` tokens."""
        account = self._full_at.get(address)
        full_at = now if account is None else max(now, account.get(bucket, now))
        missing = full_at - now + n / self._rate[bucket] - self._burst[bucket]
        return missing if missing > _EPSILON else 0.0

    def charge(self, address: str, bucket: str, now: float, n: float = 1) -> None:
        """Take ``n`` tokens from a bucket, into debt if need be."""
        account = self._full_at.get(address)
        if account is None:
            self._forget(now)
            account = self._full_at[address] = {}
        self._full_at.move_to_end(address)
        full_at = max(now, account.get(bucket, now)) + n / self._rate[bucket]
        account[bucket] = min(full_at, now + self._burst[bucket] + LONGEST_DEBT)

    def _forget(self, now: float) -> None:
        """Make room for one address. At most two go per new one, so no call takes long and idle addresses disappear."""
        for _ in range(2):
            oldest = next(iter(self._full_at), None)
            if oldest is None or not (
                len(self._full_at) >= self._most or all(at <= now for at in self._full_at[oldest].values())
            ):
                return
            del self._full_at[oldest]


class Account:
    """The account of one address. ``clock`` is that of the limits."""

    __slots__ = ("_accounts", "_clock", "address")

    #: Whether it belongs to the server's own bots.
    is_house = False

    def __init__(self, accounts: Accounts, address: str, clock: Callable[[], float]) -> None:
        self._accounts = accounts
        self._clock = clock
        self.address = address

    def pay(self, price: Price, n: int = 1) -> float:
        """Pay a price ``n`` times. Returns 0.0, or the seconds until it can be paid; then nothing was taken."""
        return self._accounts.pay(self.address, price, self._clock(), n)

    def charge(self, bucket: str, n: float = 1) -> None:
        """Take ``n`` tokens, into debt if need be. An address in debt has to wait."""
        self._accounts.charge(self.address, bucket, self._clock(), n)

    def charge_work(self, seconds: float) -> None:
        self.charge("cpu", seconds * 1000)


class FreeAccount(Account):
    """An account that is never charged. ``is_house``: of the server's own bots. Whoever added the bot has paid."""

    __slots__ = ("is_house",)

    def __init__(self, *, is_house: bool = False) -> None:
        self.address = ""
        self.is_house = is_house

    def pay(self, price: Price, n: int = 1) -> float:
        return 0.0

    def charge(self, bucket: str, n: float = 1) -> None:
        pass


NOBODY = FreeAccount()

#: Seconds. Sums of floats that should be equal differ by less.
_EPSILON = 1e-6
