"""A model of a Redis server: the commands that the store and its scripts use, its disk, its replicas and its clock.

Nothing waits here: `redis_server` serves a node to clients. A fault is a call of a method. A node answers like a real
Redis (`test_redis_model`), but has no other commands (`Unknown`).
"""

import math
from collections.abc import Callable, Iterable, Sequence, Sized
from copy import copy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from redis.crc import key_slot

from tests.sim.redis_scripts import Scripts
from tests.sim.redis_values import ALWAYS, GROWS, NAMES, READS, WRITES, Data, Error, Status, as_int, flat

#: Seconds after which a silent replica no longer counts for WAIT.
SILENT = 60.0

OK = Status(b"OK")
#: A change, as the command that makes it.
Words = tuple[Any, ...]
#: Delivers a message: the kind ("message", "smessage"), the channel and the data.
Subscriber = Callable[[bytes, bytes, bytes], None]


class Unknown(Exception):
    """The model has no such command."""


class Unit(NamedTuple):
    """The changes of one command or script, and their time (in seconds of the simulation). A crash never splits it."""

    at: float
    effects: tuple[Words, ...]

    @property
    def size(self) -> int:
        """The bytes in the log on disk, about."""
        return sum(8 + (len(word) if isinstance(word, Sized) else 0) for words in self.effects for word in words)


@dataclass(eq=False)
class Slots:
    """Of a cluster: the node of each slot, and which slots move from where to where."""

    owners: list["Node"]
    moving: dict[int, tuple["Node", "Node"]] = field(default_factory=dict)

    @property
    def nodes(self) -> list["Node"]:
        return list(dict.fromkeys(self.owners))


class Node:
    """A server. ``clock``: the seconds of the simulation, as time since the epoch. Public attributes may be changed."""

    def __init__(self, host: str, port: int, clock: Callable[[], float], scripts: Scripts) -> None:
        self.host, self.port = host, port
        self.clock = clock
        #: How many seconds its wall clock is ahead.
        self.ahead = 0.0
        #: How many replicas it needs for a write, and how many seconds ago it must have heard of these.
        self.min_replicas, self.max_lag = 0, 10.0
        #: The error with which it refuses writes, because disk or memory is full.
        self.refusal = ""
        self.up = True
        #: Of its cluster.
        self.slots: Slots | None = None
        self.replicas: list[Node] = []
        # Of a replica: its master, and how many seconds the changes need.
        self.master: Node | None = None
        self.lag = 0.0
        self.reaches: Callable[[Node], bool] = lambda master: True
        self.heard_at = -math.inf
        self._followed = ""
        #: The subscribers of each channel, sharded or not.
        self.subscribers: dict[tuple[bool, bytes], dict[Subscriber, None]] = {}
        #: The name of the history of changes, of which ``first`` are in the base on disk.
        self.history, self.first = f"{host}:{port}/0", 0
        self.data, self._base = Data({}, {}), Data({}, {})
        #: The log on disk: the changes after the base, and how many of them a power failure keeps.
        self.units: list[Unit] = []
        self._synced = 0
        self._scripts = scripts
        self._loaded: dict[bytes, bytes] = {}
        self._effects: list[Words] = []
        self._replays = False
        #: Microseconds of the wall clock, when the running command began.
        self._now = 0
        self._methods: dict[bytes, Callable[..., Any]] = {
            b"GET": lambda key: self._find(key, bytes),
            b"SET": self._set,
            b"EXISTS": lambda *keys: sum(self._kind(key) is not None for key in keys),
            b"TYPE": lambda key: Status(NAMES.get(self._kind(key) or object, b"none")),
            b"DEL": self._delete,
            b"UNLINK": self._delete,
            b"EXPIRE": lambda key, s: self._expire(key, as_int(s) * 1000 + self._now // 1000),
            b"PEXPIRE": lambda key, ms: self._expire(key, as_int(ms) + self._now // 1000),
            b"PEXPIREAT": lambda key, at: self._expire(key, as_int(at)),
            b"RESTORE": self.restore,
            b"FLUSHALL": self._flush,
            b"PING": lambda: Status(b"PONG"),
            b"TIME": lambda: [b"%d" % part for part in divmod(self._now, 1_000_000)],
            b"INFO": self._info,
            b"CONFIG": lambda get, name: {name: b"always"},
            b"EVAL": self._eval,
            b"EVALSHA": self._evalsha,
            b"SCRIPT": self._script,
            b"PUBLISH": self._publish,
            b"SPUBLISH": lambda channel, data: self.deliver(channel, data, sharded=True),
            b"PUBSUB": self._count_subscribers,
        }

    @property
    def name(self) -> str:
        return f"{self.host}:{self.port}"

    # Commands of clients

    def execute(self, words: Sequence[bytes], *, asking: bool = False) -> Any:
        """Run a command of a client. Returns the answer, which may be an `Error`."""
        self.catch_up()
        self._now = int((self.clock() + self.ahead) * 1_000_000)
        try:
            self.redirect(keys_of(words), asking=asking)
            return self._run(words)
        except Error as error:
            return error
        finally:
            self.append()

    def _run(self, words: Sequence[bytes]) -> Any:
        """Run a command of a client, of a script or of the log."""
        name = words[0].upper()
        if (read := READS.get(name)) is not None:
            kind, answer = read
            found = self._find(words[1], kind)
            return answer(kind() if found is None else found, *words[2:])
        if not self._replays and (name in WRITES or name in _WRITES):
            self._check_writing(name)
        if (write := WRITES.get(name)) is not None:
            kind, change = write
            found = self._find(words[1], kind)
            value = kind() if found is None else found
            answer = change(value, *words[2:])
            if answer or name in ALWAYS:
                self._effects.append(tuple(words))
                if value:
                    self.data.values[words[1]] = value
                else:
                    self._forget(words[1])
            return answer
        if name not in self._methods:
            raise Unknown(words)
        return self._methods[name](*words[1:])

    def _check_writing(self, name: bytes) -> None:
        if self.master is not None:
            raise Error("READONLY You can't write against a read only replica.")
        if self.refusal and (name in GROWS or self.refusal.startswith("MISCONF")):
            raise Error(self.refusal)
        if self._effects:  # a script that has written may go on
            return
        if self.min_replicas and self.acknowledged(-1, within=self.max_lag) < self.min_replicas:
            raise Error("NOREPLICAS Not enough good replicas to write.")

    def redirect(self, keys: Sequence[bytes], *, asking: bool = False) -> None:
        """Raise the error of a key that another node of the cluster has."""
        if self.slots is None or not keys:
            return
        slots = {key_slot(key) for key in keys}
        if len(slots) > 1:
            raise Error("CROSSSLOT Keys in request don't hash to the same slot")
        for slot in slots:
            owner, (source, target) = self.slots.owners[slot], self.slots.moving.get(slot, (None, None))
            missing = sum(self._kind(key) is None for key in keys)
            if asking and target is self:
                if missing and len(keys) > 1:
                    raise Error("TRYAGAIN Multiple keys request during rehashing of slot")
            elif owner is not self:
                raise Error(f"MOVED {slot} {owner.name}")
            elif source is self and missing:
                if missing < len(keys):
                    raise Error("TRYAGAIN Multiple keys request during rehashing of slot")
                assert target is not None
                raise Error(f"ASK {slot} {target.name}")

    # The data

    def _kind(self, key: bytes) -> type | None:
        """The type of a value. None if there is none, or if it has expired."""
        until = self.data.expires.get(key)
        if until is not None and self._now // 1000 > until and not self._replays:
            if self.master is None:
                self._forget(key)
                self._effects.append((b"DEL", key))
            return None
        return type(self.data.values[key]) if key in self.data.values else None

    def _find(self, key: bytes, kind: type) -> Any:
        """A value, or None."""
        found = self._kind(key)
        if found not in (None, kind):
            raise Error("WRONGTYPE Operation against a key holding the wrong kind of value")
        return self.data.values[key] if found else None

    def _forget(self, key: bytes) -> None:
        self.data.values.pop(key, None)
        self.data.expires.pop(key, None)

    def _set(self, key: bytes, value: bytes, *options: bytes) -> Status | None:
        words = [option.upper() for option in options]
        if b"NX" in words and self._kind(key) is not None:
            return None
        self._forget(key)
        self.data.values[key] = value
        self._effects.append((b"SET", key, value))
        for name, ms in ((b"EX", 1000), (b"PX", 1)):
            if name in words:
                self._expire(key, as_int(words[words.index(name) + 1]) * ms + self._now // 1000)
        return OK

    def _delete(self, *keys: bytes) -> int:
        found = [key for key in dict.fromkeys(keys) if self._kind(key) is not None]
        for key in found:
            self._forget(key)
            self._effects.append((b"DEL", key))
        return len(found)

    def _expire(self, key: bytes, at: int) -> int:
        if self._kind(key) is None:
            return 0
        self.data.expires[key] = at
        self._effects.append((b"PEXPIREAT", key, b"%d" % at))
        return 1

    def _flush(self) -> Status:
        self._delete(*self.data.values)
        return OK

    def _info(self, *sections: bytes) -> bytes:
        about: dict[bytes, dict[str, object]] = {
            b"server": {"redis_version": "7.4.0"},
            b"memory": {"used_memory": 1_000_000, "maxmemory": 0, "maxmemory_policy": "noeviction"},
            b"persistence": {"aof_enabled": 1},
            b"cluster": {"cluster_enabled": int(self.slots is not None)},
        }
        chosen = [about[section.lower()] for section in sections] or list(about.values())
        lines = [line for each in chosen for line in ("#", *(f"{name}:{x}" for name, x in each.items()), "")]
        return "\r\n".join(lines).encode()

    # Scripts and pub/sub

    def _eval(self, text: bytes, *words: bytes) -> Any:
        sha = self._scripts.compile(text)
        self._loaded[sha] = text
        return self._evalsha(sha, *words)

    def _evalsha(self, sha: bytes, keys: bytes, *words: bytes) -> Any:
        if sha not in self._loaded:
            raise Error("NOSCRIPT No matching script. Please use EVAL.")
        n = as_int(keys)
        kind, answer = self._scripts.run(sha, words[:n], words[n:], self._answer_to_script)
        if kind == "error":
            raise Error(answer.decode())
        return Status(answer) if kind == "status" else answer

    def _answer_to_script(self, words: Sequence[bytes]) -> tuple[Any, ...]:
        """The kind of the answer, and its values."""
        try:
            answer = flat(self._run(words))
        except Error as error:
            return b"error", str(error).encode()
        except (IndexError, TypeError):
            return b"error", b"ERR Wrong number of args calling command from script"
        except ValueError:
            return b"error", b"ERR value is not an integer or out of range"
        if isinstance(answer, Status):
            return b"status", bytes(answer)
        if isinstance(answer, list):
            return b"list", *(False if each is None else each for each in answer)
        return b"value", False if answer is None else answer

    def _script(self, what: bytes) -> Status:
        if what.upper() != b"FLUSH":
            raise Unknown(what)
        self._loaded.clear()
        return OK

    def _publish(self, channel: bytes, data: bytes) -> int:
        nodes = [self] if self.slots is None else self.slots.nodes
        return sum(node.deliver(channel, data, sharded=False) for node in nodes if node.up)

    def deliver(self, channel: bytes, data: bytes, *, sharded: bool) -> int:
        """Deliver a message to the subscribers at this node. Returns their number."""
        receivers = list(self.subscribers.get((sharded, channel), ()))
        for receive in receivers:
            receive(b"smessage" if sharded else b"message", channel, data)
        return len(receivers)

    def _count_subscribers(self, what: bytes, *channels: bytes) -> list[Any]:
        sharded = {b"NUMSUB": False, b"SHARDNUMSUB": True}[what.upper()]
        return [x for channel in channels for x in (channel, len(self.subscribers.get((sharded, channel), ())))]

    # The disk

    def append(self) -> None:
        if self._effects:
            self.units.append(Unit(self.clock(), tuple(self._effects)))
            self._effects.clear()

    @property
    def offset(self) -> int:
        """The number of all changes."""
        return self.first + len(self.units)

    def sync(self) -> None:
        self._synced = len(self.units)

    @property
    def unsynced(self) -> int:
        """The bytes that a power failure may lose."""
        return sum(unit.size for unit in self.units[self._synced :])

    def crash(self, keep: int | None = None) -> None:
        """Stop. ``keep``: how many of the unsynced bytes are on disk; None: all, because only the process has crashed.

        A command that is torn there is lost.
        """
        self._let_replicas_catch_up()
        if keep is not None:
            self._cut(self._synced, keep)
        self.up = False
        self.subscribers.clear()

    def start(self, torn: int = 0) -> None:
        """Start from the disk. ``torn``: how many bytes are missing at the end of the log."""
        if torn:
            self._cut(0, sum(unit.size for unit in self.units) - torn)
        self.data = self._base.copied()
        for unit in self.units:
            self._apply(unit)
        self.sync()
        self._begin()
        self.up, self._followed = True, ""
        self._loaded.clear()

    def _cut(self, first: int, size: int) -> None:
        """Keep this many bytes of the changes from the first one on."""
        for k in range(first, len(self.units)):
            size -= self.units[k].size
            if size < 0:
                del self.units[k:]
                return

    def flush(self) -> None:
        """Delete everything, so that a later torn log brings nothing back."""
        self.execute([b"FLUSHALL"])
        self._copy(self.data, self.offset)

    def _copy(self, data: Data, offset: int) -> None:
        """Begin another log on disk with this data, after this many changes."""
        self.data, self._base, self.first = data.copied(), data.copied(), offset
        self.units = []
        self.sync()

    def _begin(self) -> None:
        """Begin another history with the present data."""
        name, _, n = self.history.rpartition("/")
        self.history = f"{name}/{int(n) + 1}"

    def _apply(self, unit: Unit) -> None:
        self._replays = True
        for words in unit.effects:
            self._run(words)
        self._effects.clear()
        self._replays = False

    # Replicas

    def follow(self, master: "Node") -> None:
        """Become a replica: changes that the master lacks are lost."""
        self.leave()
        self.master, self._followed = master, ""
        master.replicas.append(self)

    def leave(self) -> None:
        if self.master is not None:
            self.master.replicas.remove(self)
            self.master = None

    def promote(self) -> None:
        """Become a master with the changes that have arrived."""
        self.catch_up()
        self.leave()
        self._begin()

    def _let_replicas_catch_up(self) -> None:
        for replica in self.replicas:
            replica.catch_up()

    def catch_up(self) -> None:
        """Take over the master's changes that have arrived by now."""
        master, now = self.master, self.clock()
        if master is None or not (self.up and master.up and self.reaches(master)):
            return
        master.catch_up()
        self.heard_at = now
        if self._followed != master.history or not master.first <= self.offset <= master.offset:
            self._copy(master.data, master.offset)
            self._followed = master.history
            self._begin()
        units, k = master.units, self.offset - master.first
        while k < len(units) and units[k].at + self.lag <= now:
            self._apply(units[k])
            self.units.append(units[k])
            k += 1
        self.sync()

    def acknowledged(self, offset: int, within: float = SILENT) -> int:
        """The number of replicas with this number of changes that were heard of within these seconds."""
        self._let_replicas_catch_up()
        since = self.clock() - within
        return sum(replica.heard_at >= since and replica.offset >= offset for replica in self.replicas)

    # Slots of a cluster

    def move_keys(self, keys: Iterable[bytes], target: "Node") -> None:
        """Move keys to another node."""
        for key in keys:
            target.restore(key, self.data.values[key], self.data.expires.get(key))
            self._delete(key)
        for node in (self, target):
            node.append()
            node.sync()

    def restore(self, key: bytes, value: Any, until: int | None) -> None:
        """Store a value of another node."""
        self.data.values[key] = copy(value)
        self._effects.append((b"RESTORE", key, value, until))
        if until is not None:
            self.data.expires[key] = until

    def keys_in(self, slot: int) -> list[bytes]:
        return [key for key in self.data.values if key_slot(key) == slot]


#: Commands of `Node` that a replica refuses.
_WRITES = {b"SET", b"DEL", b"UNLINK", b"EXPIRE", b"PEXPIRE", b"PEXPIREAT", b"FLUSHALL"}


def keys_of(words: Sequence[bytes]) -> Sequence[bytes]:
    """The keys of a command."""
    match words[0].upper():
        case b"EVAL" | b"EVALSHA":
            return words[3 : 3 + int(words[2])]
        case b"EXISTS" | b"DEL" | b"UNLINK" | b"SSUBSCRIBE":
            return words[1:]
        case b"PING" | b"TIME" | b"INFO" | b"CONFIG" | b"SCRIPT" | b"PUBLISH" | b"PUBSUB" | b"FLUSHALL":
            return ()
    return words[1:2]
