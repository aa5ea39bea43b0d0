"""How much of everything one connection or one address may use.

`Limits` is the table of all limits. A `Bucket` limits a rate and allows bursts; a `Count` limits how many there are at
a time. Both get the time from their caller, in seconds of any clock that never goes backwards.
"""

import re
from collections import defaultdict
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

_UNITS = {"s": 1, "min": 60, "hour": 3600}
_RATE = re.compile(r"([0-9]{1,9})/(s|min|hour)\+([0-9]{1,9})")
_COUNT = re.compile(r"[0-9]{1,9}")

#: Limits of each single connection.
_OF_CONNECTION = {"messages", "chat"}
#: ``times=N`` multiplies every limit of an address.
_TIMES = "times"


class Rate(NamedTuple):
    """So many per unit of time, and so many at once after a pause. Written ``20/hour+10``."""

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
    """All limits with their defaults. `prices` says which request counts against which of them.

    A fast player makes 3 moves a second, and a held "undo" key makes 30. A school or an office shares one address, and
    several hundred entrants of a tournament may all sit there. They all arrive together, and return together after the
    server restarts. The bursts are large enough for them; the rates stop those who never pause. Where a number has no
    other source, it is an estimate for 600 such people.
    """

    #: Messages of any kind from one connection. A faster connection is closed as "too fast".
    messages: Rate = Rate(60, "s", 120)
    #: Chat messages from one connection.
    chat: Rate = Rate(1, "s", 5)
    #: Messages of any kind, including moves, from all connections of one address. Six hundred fast racers make 1,800
    #: moves a second. Messages beyond the limit wait.
    said: Rate = Rate(6000, "s", 60_000)
    #: Of these, moves that are kept. Each takes 23 bytes of Redis (measured), so an address fills 64 MB in an hour, and
    #: then 41 MB in each. Six hundred people make a move every second or two: 1.6 million an hour.
    moves: Rate = Rate(500, "s", 1_000_000)
    #: New rooms from one address.
    rooms: Rate = Rate(20, "hour", 10)
    #: Joins from one address: every entrant twice at once, because people who come by a link often reload the page. In
    #: an arena everybody joins the room of a race and then that of the arena again: 600 guests of a school each minute.
    joins: Rate = Rate(1200, "min", 1500)
    #: Joins that resume a broken connection. Each reads a log.
    resumes: Rate = Rate(300, "min", 1200)
    #: Spectators who arrive from one address.
    watches: Rate = Rate(300, "min", 1200)
    #: Racers who finished and now watch. When the time is up, all entrants do so at once.
    looks: Rate = Rate(300, "min", 1200)
    #: Unknown room codes, however they are tried. There are 20^6 codes (64 million), so at one a second nobody finds
    #: a room.
    guesses: Rate = Rate(60, "min", 120)
    #: Wrong passwords from one address. Simultaneous attempts each take one until the first proves to be right.
    passwords: Rate = Rate(30, "min", 120)
    #: Passwords that hosts at one address may set, because hashing one is expensive.
    hashes: Rate = Rate(10, "min", 20)
    #: House bots that hosts at one address may add.
    bots: Rate = Rate(60, "hour", 30)
    #: What one guest may add to the log of one room: chat, names, ready and unready, and other changes of mind.
    guest_talk: Rate = Rate(60, "min", 120)
    #: How often one guest may enter one room. A connection that breaks every three seconds is not usable anyway.
    guest_returns: Rate = Rate(20, "min", 60)
    #: How often all guests of one address may enter one room: after a restart, all entrants twice at once; and 600 of
    #: them who come back to an arena each minute.
    room_returns: Rate = Rate(600, "min", 1800)
    #: What all seated guests of one address may say in one room. All entrants become ready at the same moment.
    room_talk: Rate = Rate(600, "min", 3000)
    #: What all spectators of one address may say in one room. They need no seat for that.
    watcher_talk: Rate = Rate(60, "min", 300)
    #: Reactions of one guest in one room, and of all guests of one address together.
    guest_reactions: Rate = Rate(60, "min", 10)
    room_reactions: Rate = Rate(600, "min", 200)
    #: All other commands of seated players and in tournaments. All become ready at the same moment.
    commands: Rate = Rate(100, "s", 3000)
    #: Messages of more than 2,000 bytes, and parts of those that are too long for a frame. The plan with the longest
    #: entry list has seven.
    parts: Rate = Rate(60, "min", 80)
    #: New connections from one address. A browser opens up to six per page, and hundreds of people may open the page
    #: at once.
    arrivals: Rate = Rate(50, "s", 6000)
    #: Of these, new WebSockets. After a restart, all of them return at once. To go to another room is one, too.
    upgrades: Rate = Rate(1200, "min", 2000)
    #: HTTP requests of any kind. A first visit makes about 15; later visits load no files again.
    requests: Rate = Rate(100, "s", 12_000)
    #: Of these, requests for data. The front page asks for the rooms every ten seconds.
    questions: Rate = Rate(20, "s", 1200)
    #: Health checks, as a supervisor or a load balancer makes them.
    health: Rate = Rate(20, "s", 200)
    #: Records of races. A racer fetches one, and perhaps another.
    records: Rate = Rate(120, "min", 1200)
    #: Words and pictures of replays. Messengers ask for both when somebody sends a link.
    previews: Rate = Rate(120, "min", 1200)
    #: Tournament files: tables, calendars, bundles.
    exports: Rate = Rate(60, "min", 300)
    #: Bytes sent to one address in large answers: rooms, boards, records, files. The record of a race of 600 has
    #: about 1 MB.
    bytes: Rate = Rate(5_000_000, "s", 600_000_000)
    #: Milliseconds of CPU time for the answers to one address: a tenth of a core, or three seconds at once. When six
    #: hundred return, that takes half of those.
    cpu: Rate = Rate(100, "s", 3000)
    #: Open connections of one address. Idle ones are closed first.
    connections: int = 1500
    #: Bytes of one message. The longest sensible one (chat) has about 1,300.
    frame: int = 16 * 1024
    #: Seconds in which a new connection must send hello.
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
        """The rates that all connections of an address share."""
        rates = {name: value for name, value in self._asdict().items() if isinstance(value, Rate)}
        return {name: rate for name, rate in rates.items() if name not in _OF_CONNECTION}

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
