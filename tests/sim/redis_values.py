"""The values of Redis, and the commands that read or change one of them."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple


class Error(Exception):
    """The answer to a command that fails. Its text begins with a code."""


class Status(bytes):
    """A simple string."""


class Members(dict[bytes, None]):
    """A set."""


class Scores(dict[bytes, float]):
    """A sorted set."""

    def ordered(self) -> list[bytes]:
        return sorted(self, key=lambda member: (self[member], member))

    def between(self, low: bytes, high: bytes) -> list[bytes]:
        return [member for member in self.ordered() if float(low) <= self[member] <= float(high)]


NAMES: Mapping[type, bytes] = {bytes: b"string", list: b"list", dict: b"hash", Members: b"set", Scores: b"zset"}


class Data(NamedTuple):
    """The values by key, and when keys expire (ms)."""

    values: dict[bytes, Any]
    expires: dict[bytes, int]

    def copied(self) -> "Data":
        return Data({key: copy(value) for key, value in self.values.items()}, dict(self.expires))


def as_int(word: bytes) -> int:
    try:
        return int(word)
    except ValueError:
        raise Error("ERR value is not an integer or out of range") from None


def number(value: float) -> bytes:
    """A number as Redis writes it."""
    return b"%d" % value if abs(value) < 1e17 and value == int(value) else f"{value:.17g}".encode()


def flat(answer: Any) -> Any:
    """An answer as in the second version of the protocol."""
    if isinstance(answer, dict):
        return [flat(word) for pair in answer.items() for word in pair]
    return number(answer) if isinstance(answer, float) else answer


def _part(found: Sequence[bytes], start: bytes, stop: bytes) -> list[bytes]:
    first, last = (k if k >= 0 else k + len(found) for k in map(as_int, (start, stop)))
    return list(found[max(0, first) : max(0, last + 1)])


def _entry(found: Sequence[bytes], index: bytes) -> bytes | None:
    k = as_int(index)
    return found[k] if -len(found) <= k < len(found) else None


def _by_score(found: Scores, low: bytes, high: bytes, *options: bytes) -> list[bytes] | Scores:
    """With scores, the answer is a sorted set."""
    words, members = [option.upper() for option in options], found.between(low, high)
    if b"LIMIT" in words:
        first, most = map(as_int, words[(k := words.index(b"LIMIT")) + 1 : k + 3])
        members = members[first : first + most if most >= 0 else None]
    return Scores({member: found[member] for member in members}) if b"WITHSCORES" in words else members


def _add(found: dict[bytes, Any], new: Mapping[bytes, Any]) -> int:
    before = len(found)
    found.update(new)
    return len(found) - before


def _remove(found: dict[bytes, Any], *names: bytes) -> int:
    gone = [name for name in dict.fromkeys(names) if name in found]
    for name in gone:
        del found[name]
    return len(gone)


def _score(found: Scores, *words: bytes) -> int:
    flag = words[0].upper() if words[0].upper() in (b"NX", b"LT") else b""
    rest = words[1:] if flag else words
    try:
        new = [(member, float(score)) for score, member in zip(rest[::2], rest[1::2], strict=True)]
    except ValueError:
        raise Error("ERR value is not a valid float") from None
    before = len(found)
    for member, score in new:
        if member not in found or not (flag == b"NX" or (flag == b"LT" and score > found[member])):
            found[member] = score
    return len(found) - before


def _push(found: list[bytes], *entries: bytes) -> int:
    found += entries
    return len(found)


#: Commands that read a value: its type, and how they answer. Without a value they read an empty one.
READS: Mapping[bytes, tuple[type, Callable[..., Any]]] = {
    b"LLEN": (list, len),
    b"LINDEX": (list, _entry),
    b"LRANGE": (list, _part),
    b"HGET": (dict, dict.get),
    b"HMGET": (dict, lambda found, *names: [found.get(name) for name in names]),
    b"HGETALL": (dict, dict),
    b"HKEYS": (dict, list),
    b"HLEN": (dict, len),
    b"SISMEMBER": (Members, lambda found, member: int(member in found)),
    b"ZSCORE": (Scores, dict.get),
    b"ZCARD": (Scores, len),
    b"ZRANGE": (Scores, lambda found, start, stop: _part(found.ordered(), start, stop)),
    b"ZREVRANGE": (Scores, lambda found, start, stop: _part(found.ordered()[::-1], start, stop)),
    b"ZRANGEBYSCORE": (Scores, _by_score),
}
#: Commands that change a value. A value that becomes empty is deleted.
WRITES: Mapping[bytes, tuple[type, Callable[..., Any]]] = {
    b"RPUSH": (list, _push),
    b"LPOP": (list, lambda found: found.pop(0) if found else None),
    b"HSET": (dict, lambda found, *pairs: _add(found, dict(zip(pairs[::2], pairs[1::2], strict=True)))),
    b"HSETNX": (dict, lambda found, name, value: 0 if name in found else _add(found, {name: value})),
    b"HDEL": (dict, _remove),
    b"SADD": (Members, lambda found, *members: _add(found, dict.fromkeys(members))),
    b"ZADD": (Scores, _score),
    b"ZREM": (Scores, _remove),
    b"ZREMRANGEBYSCORE": (Scores, lambda found, low, high: _remove(found, *found.between(low, high))),
}
#: Those that Redis refuses at its memory limit.
GROWS = {b"SET", b"RPUSH", b"HSET", b"HSETNX", b"SADD", b"ZADD"}
#: Those that change a value even if they answer 0.
ALWAYS = {b"HSET", b"ZADD"}
