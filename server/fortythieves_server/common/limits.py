"""The limits of one connection, of one address, and of one guest in a room.

`Limits` is the table of all limits, and `prices` has the price of each request. A `Bucket` limits a rate and allows
bursts. Times are seconds of a monotonic clock.
"""

import re
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

_UNITS = {"s": 1, "min": 60, "hour": 3600}
_RATE = re.compile(r"([0-9]{1,9})/(s|min|hour)\+([0-9]{1,9})")


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
    #: Bytes that one address adds to Redis: events, moves, rooms. That is 48 MB in the first hour, and 45 MB in each
    #: other one. Six hundred people who make a move every two seconds need 7,000 a second for these.
    kept: Rate = Rate(12_500, "s", 3_000_000)
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
        if name != "times" and name not in current:
            raise ValueError(f"there is no limit {name!r}, only {', '.join([*current, 'times'])}")
        changes: dict[str, Any] = {}
        if isinstance(current.get(name), Rate):
            changes[name] = Rate.parse(written)
        elif not re.fullmatch("[0-9]{1,9}", written) or int(written) == 0:
            raise ValueError(f"{written!r} is not a whole number from 1 up")
        elif name == "times":
            for each, rate in self.of_address.items():
                changes[each] = rate._replace(amount=rate.amount * int(written), burst=rate.burst * int(written))
            changes["connections"] = self.connections * int(written)
        else:
            changes[name] = int(written)
        return self._replace(**changes)

    @property
    def of_address(self) -> dict[str, Rate]:
        """The rates of an address and of its guests in a room."""
        return {name: rate for name, rate in self._asdict().items() if isinstance(rate, Rate) and name != "messages"}


class Bucket:
    """A token bucket: it holds up to `rate.burst` tokens, and gains `rate.per_second` a second."""

    __slots__ = ("_burst", "_held", "_rate", "_then")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate.per_second
        self._burst = rate.burst
        self._held: float = rate.burst
        self._then: float | None = None

    def take(self, now: float, n: float = 1) -> bool:
        """Take `n` tokens. If there are not enough, take none and return False."""
        then, held = self._then, self._held
        if then is None:
            self._then = now
        elif now > then:
            held = min(held + (now - then) * self._rate, self._burst)
            self._then = now
        self._held = held - n if held >= n else held
        return held >= n


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
