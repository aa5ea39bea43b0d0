"""How much of everything one connection or one address may have.

The table of all limits is `Limits`. What it means to be within one is a `Bucket` (a rate, with some in reserve) or a
`Count` (so many at a time). Both are told the time, in seconds of any clock that does not go backwards.
"""

import re
from collections import defaultdict
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

_UNITS = {"s": 1, "min": 60, "hour": 3600}
_RATE = re.compile(r"([0-9]{1,9})/(s|min|hour)\+([0-9]{1,9})")
_COUNT = re.compile(r"[0-9]{1,9}")

#: Limits that each connection has for itself.
_OF_CONNECTION = {"messages", "chat"}
#: What is written for so many times everything that an address may.
_TIMES = "times"


class Rate(NamedTuple):
    """So many in a unit of time, and so many at once after a pause. Written ``20/hour+10``."""

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
    """All limits with their defaults. Which request takes from which of them, `prices` says.

    A player who races fast makes 3 moves a second and a held "undo" key 30. A school or an office shares one address,
    and the entrants of a tournament, several hundred, may all sit there: all of them come, and all come back when a
    server restarts. What is "at once" below is for them; what is "a minute" is for whoever never stops.
    """

    #: Messages of any kind from one connection. Whoever is faster is closed as "too fast".
    messages: Rate = Rate(60, "s", 120)
    #: Chat messages from one connection.
    chat: Rate = Rate(1, "s", 5)
    #: Messages of any kind, moves among them, from all connections of one address. Six hundred who race fast make
    #: 1,800 moves a second. What comes beyond that waits.
    said: Rate = Rate(6000, "s", 60_000)
    #: New rooms from one address.
    rooms: Rate = Rate(20, "hour", 10)
    #: Joins from one address: every entrant twice at once, for whoever comes by a link often loads the page again.
    joins: Rate = Rate(600, "min", 1500)
    #: Joins that go on where a connection broke: each of them reads a log.
    resumes: Rate = Rate(300, "min", 1200)
    #: Watchers that come from one address.
    watches: Rate = Rate(300, "min", 1200)
    #: Those who have finished and look on. When time is up, all entrants do at once.
    looks: Rate = Rate(300, "min", 1200)
    #: Codes of rooms that are not there, by whatever way they are tried. At one a second nobody finds a room: there are
    #: 20^6 codes, 64 million.
    guesses: Rate = Rate(60, "min", 120)
    #: Wrong passwords from one address. Who comes in at once takes one each until the first is known to be right.
    passwords: Rate = Rate(30, "min", 120)
    #: Passwords that the hosts at one address may set.
    hashes: Rate = Rate(10, "min", 20)
    #: House bots that hosts at one address add.
    bots: Rate = Rate(60, "hour", 30)
    #: What one guest may say in one room that its log keeps: chat, names, ready and not ready, changes of mind.
    guest_talk: Rate = Rate(60, "min", 120)
    #: How often one guest may come to one room: a line that breaks every three seconds is no line.
    guest_returns: Rate = Rate(20, "min", 60)
    #: How often all guests of one address may come to one room: all entrants twice at once, when a server restarts.
    room_returns: Rate = Rate(180, "min", 1800)
    #: What all guests of one address may say in one room at their seats: all entrants are ready in the same moment.
    room_talk: Rate = Rate(600, "min", 3000)
    #: What all guests of one address who watch a room may say in it. They need no seat for that.
    watcher_talk: Rate = Rate(60, "min", 300)
    #: Everything else that is said by people at their seats and in tournaments: all are ready in the same moment.
    commands: Rate = Rate(100, "s", 3000)
    #: New connections from one address. A browser opens up to six for a page; all do so at once where hundreds are told
    #: to come.
    arrivals: Rate = Rate(50, "s", 6000)
    #: Of these, those that become WebSockets. All of them come back at once when a server restarts.
    upgrades: Rate = Rate(300, "min", 2000)
    #: Requests by HTTP of any kind: a first visit takes about 15, and none of the files again.
    requests: Rate = Rate(100, "s", 12_000)
    #: Of these, questions to the server: the front page asks for the rooms every ten seconds.
    questions: Rate = Rate(20, "s", 1200)
    #: Whether it is alive, as whoever supervises it asks.
    health: Rate = Rate(20, "s", 200)
    #: Records of races. Whoever has raced fetches one, and perhaps another's.
    records: Rate = Rate(120, "min", 1200)
    #: Files of tournaments: tables, calendars, bundles.
    exports: Rate = Rate(60, "min", 300)
    #: Bytes that one address is sent of what is big: rooms, boards, records, files. The record of a race of 600 has a
    #: megabyte.
    bytes: Rate = Rate(5_000_000, "s", 600_000_000)
    #: Milliseconds of the processor that answers to one address may take: a tenth of it, three seconds at once. When
    #: six hundred come back, that takes half of those.
    cpu: Rate = Rate(100, "s", 3000)
    #: Connections that one address may have open. Those that are idle go first.
    connections: int = 1500
    #: Bytes of one message. The longest one that makes sense (chat) has about 1,300.
    frame: int = 16 * 1024
    #: Seconds until a new connection must have said hello.
    hello: int = 10

    def changed(self, text: str) -> "Limits":
        """These limits with one changed, written ``rooms=100/hour+50`` or ``connections=500``.

        ``times=10`` gives each address ten times as much of everything. Raises ValueError with a sentence.
        """
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
            raise ValueError(f"{written!r} is not a number from 1 on")
        return self._times(value) if name == _TIMES else self._replace(**{name: value})

    @property
    def of_address(self) -> dict[str, Rate]:
        """The rates that all connections of an address share."""
        rates = {name: value for name, value in self._asdict().items() if isinstance(value, Rate)}
        return {name: rate for name, rate in rates.items() if name not in _OF_CONNECTION}

    def _times(self, many: int) -> "Limits":
        changed: dict[str, Any] = {
            name: Rate(rate.amount * many, rate.unit, rate.burst * many) for name, rate in self.of_address.items()
        }
        return self._replace(**changed, connections=self.connections * many)


class Bucket:
    """A token bucket: holds `burst` when full, fills up by `rate` a second."""

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
        """Take `n` out, or nothing where there are not so many."""
        held = self._filled(now) - n
        if held < 0:
            return False
        self._held = held
        return True

    def _filled(self, now: float) -> float:
        """How much it holds by now."""
        then = self._then
        if then is None:
            self._then = now
        elif now > then:
            held = self._held + (now - then) * self._rate
            self._held = held if held < self._burst else self._burst
            self._then = now
        return self._held


class Count:
    """So many at a time for each key. What entered must leave."""

    __slots__ = ("_inside", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: defaultdict[str, int] = defaultdict(int)

    def enter(self, key: str) -> bool:
        if self._inside.get(key, 0) >= self._most:
            return False
        self._inside[key] += 1
        return True

    def leave(self, key: str) -> None:
        self._inside[key] -= 1
        if self._inside[key] <= 0:
            del self._inside[key]

    def __len__(self) -> int:
        """How many keys have something inside."""
        return len(self._inside)


def key_of(address: str) -> str:
    """The key under which an address is limited.

    Who has one IPv6 address has 2^64 of them, so they count as one; an IPv4 address is the same in either notation.
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
