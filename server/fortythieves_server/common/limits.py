"""The limits of one connection, of one address, and of one guest in a room.

`Limits` is the table of all limits, and `prices` has the price of each request. A `Bucket` limits a rate and allows
bursts; a `Count` limits how many there are at a time. Times are seconds of a monotonic clock.
"""

import re
from collections import defaultdict
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

_UNITS = {"s": 1, "min": 60, "hour": 3600}
_RATE = re.compile(r"([0-9]{1,9})/(s|min|hour)\+([0-9]{1,9})")
_COUNT = re.compile(r"[0-9]{1,9}")

#: ``times=N`` multiplies every limit of an address.
_TIMES = "times"


class Rate(NamedTuple):
    """An amount per unit of time, and a burst after a pause. Written ``20/hour+10``."""

    amount: int
    unit: str
    burst: int

    @property
    def per_second(self) -> float:
        return self.amount / _UNITS[self.unit]

    def __str__(self) -> str:
        return f"{self.amount}/{self.unit}+{self.burst}"

    @classmethod
    def parse(cls, text: str) -> "Rate":
        match = _RATE.fullmatch(text)
        if not match or int(match[1]) == 0 or int(match[3]) == 0:
            raise ValueError(f"{text!r} is not a rate like 60/s+120, 30/min+10 or 20/hour+10")
        return cls(int(match[1]), match[2], int(match[3]))


class Limits(NamedTuple):
    """All limits with their defaults.

    A fast player makes 3 moves a second, and a pressed "undo" key makes 30. A school shares one address, and all of six
    hundred entrants may be there. They arrive together, and return together after the server restarts.
    The bursts are large enough for them; the rates stop a client that never pauses. A number without another source is
    an estimate for these six hundred.
    """

    #: Points for the requests of one address (`prices`); the last quarter is kept for messages and moves. In an arena,
    #: 600 guests go to a race and back each minute and make a move a second: 16,000 points a second. A first visit
    #: costs about 1,500 points, so 600 people can come at the same time.
    points: Rate = Rate(20_000, "s", 3_000_000)
    #: Stored moves of one address. Each takes 23 bytes of Redis (measured), so an address fills 64 MB in an hour, and
    #: then 41 MB in each. Six hundred people make a move every second or two: 1.6 million an hour.
    moves: Rate = Rate(500, "s", 1_000_000)
    #: Bytes of large answers to one address: rooms, boards, records, files. The record of a race of 600 has about 1 MB.
    bytes: Rate = Rate(5_000_000, "s", 600_000_000)
    #: Milliseconds of CPU time for the answers to one address. When six hundred return, that takes half of the burst.
    cpu: Rate = Rate(100, "s", 3000)
    #: New rooms of one address.
    rooms: Rate = Rate(20, "hour", 10)
    #: Wrong room codes of one address, and wrong passwords. There are 20^6 codes (64 million), so at this rate a
    #: stranger finds no room. Simultaneous attempts with one password each take one until the first proves to be right.
    guesses: Rate = Rate(30, "min", 120)
    #: Open connections of one address; idle ones are closed first.
    connections: int = 1500
    #: Chat, names and `ready` of one guest in one room; also reactions, and returns, which count as three. A connection
    #: that breaks every three seconds is not usable anyway.
    guest_in_room: Rate = Rate(60, "min", 120)
    #: The same for all guests of one address together; chat of spectators counts as ten. All entrants become ready at
    #: the same moment. After a restart they all return, perhaps twice, and 600 of them return to an arena each minute.
    address_in_room: Rate = Rate(600, "min", 3000)
    #: Messages of one connection; a faster client is disconnected.
    messages: Rate = Rate(60, "s", 120)
    #: Bytes of one message. The longest sensible one (chat) has about 1,300.
    frame: int = 16 * 1024
    #: Seconds until a new client must send `hello`.
    hello: int = 10

    def changed(self, text: str) -> "Limits":
        """These limits with one change: ``rooms=100/hour+50``, or ``times=10`` for all. Raises `ValueError`."""
        name, _, written = text.partition("=")
        current = self._asdict()
        if name != _TIMES and name not in current:
            raise ValueError(f"there is no limit {name!r}, only {', '.join([*current, _TIMES])}")
        value: Any
        if isinstance(current.get(name), Rate):
            value = Rate.parse(written)
        elif _COUNT.fullmatch(written) and int(written) > 0:
            value = int(written)
        else:
            raise ValueError(f"{written!r} is not a whole number from 1 up")
        return self._times(value) if name == _TIMES else self._replace(**{name: value})

    @property
    def of_address(self) -> dict[str, Rate]:
        """The rates of an address and of its guests in a room."""
        rates = {name: value for name, value in self._asdict().items() if isinstance(value, Rate)}
        return {name: rate for name, rate in rates.items() if name != "messages"}

    def _times(self, many: int) -> "Limits":
        changed: dict[str, Any] = {
            name: Rate(rate.amount * many, rate.unit, rate.burst * many) for name, rate in self.of_address.items()
        }
        return self._replace(**changed, connections=self.connections * many)


class Bucket:
    """A token bucket: it holds up to `burst` tokens, and gains `rate` tokens a second."""

    __slots__ = ("_burst", "_held", "_rate", "_then")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._held = burst
        self._then: float | None = None

    @classmethod
    def of(cls, rate: Rate) -> "Bucket":
        return cls(rate.per_second, rate.burst)

    def take(self, now: float, n: float = 1) -> bool:
        """Take `n` tokens. If there are not enough, take none and return False."""
        held = self._filled(now) - n
        if held < 0:
            return False
        self._held = held
        return True

    def _filled(self, now: float) -> float:
        then = self._then
        if then is None:
            self._then = now
        elif now > then:
            held = self._held + (now - then) * self._rate
            self._held = held if held < self._burst else self._burst
            self._then = now
        return self._held


class Count:
    """How many there are at a time, for each key. Each `enter` needs a `leave`."""

    __slots__ = ("_inside", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: defaultdict[str, int] = defaultdict(int)

    def may_enter(self, key: str) -> bool:
        return self._inside.get(key, 0) < self._most

    def enter(self, key: str) -> bool:
        if not self.may_enter(key):
            return False
        self._inside[key] += 1
        return True

    def leave(self, key: str) -> None:
        self._inside[key] -= 1
        if self._inside[key] <= 0:
            del self._inside[key]

    def __len__(self) -> int:
        """How many keys are in use."""
        return len(self._inside)


def key_of(address: str) -> str:
    """The key under which an address is limited.

    A user with one IPv6 address has 2^64 of them, so a /64 counts as one address. An IPv4 address has the same key in
    both of its notations.
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return f"{IPv6Address(int(ip) >> 64 << 64)}/64"
