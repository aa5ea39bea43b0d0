"""The model of Redis answers like a real one, and its disk and replicas lose what real ones can lose."""

import datetime
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio.connection import DefaultParser
from redis.exceptions import RedisError

from fortythieves_server.core.playthrough import NO_LOG
from fortythieves_server.store import scripts
from fortythieves_server.store.redis_connection import RedisConnection
from fortythieves_server.store.schema import PUBLIC, of_pool, of_process, of_room
from tests.examples import examples
from tests.server import redises
from tests.server.tables import CODE
from tests.sim.redis_model import Node, View
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_values import Error, flat

SCRIPTS = scripts.load()
START = 1_795_258_800
#: k: a key, f: a field, v: a value, i, s: a number. The keys have values of any type.
POOL = ("claims", "claimed", "ready:1", "ready:2", "ready:3")
parse_error: Any = DefaultParser.parse_error
FORMS = """GET k|SET k v|SET k v NX|SET k v EX 5|SET k v PX 1500 NX|EXISTS k k|TYPE k|DEL k|UNLINK k|EXPIRE k 3
PEXPIRE k 900|RPUSH k v v|LPOP k|LLEN k|LINDEX k i|LRANGE k i i|HSET k f v f v|HDEL k f f|HGET k f|HMGET k f f
HGETALL k|HKEYS k|HLEN k|HINCRBY k f i|SADD k f f|SISMEMBER k f|ZADD k s f|ZADD k NX s f s f|ZADD k LT s f|ZREM k f
ZSCORE k f|ZCARD k|ZRANGE k i i|ZREVRANGE k i i|ZRANGEBYSCORE k -inf s LIMIT 0 2|ZRANGEBYSCORE k s s WITHSCORES
ZREMRANGEBYSCORE k -inf s|PING|PUBSUB NUMSUB f|PUBLISH f v|SCRIPT FLUSH|FLUSHALL"""
IN_LUA = ("return redis.call(unpack(ARGV))", "return {redis.pcall(unpack(ARGV)), 2.7, false, 1}", "return ARGV[1] + {}")


def plain(answer: Any) -> Any:
    """An answer to compare: of an error, only the code."""
    if isinstance(answer, Exception):
        error: Any = answer if isinstance(answer, RedisError) else parse_error(str(answer))
        code = str(error).partition(" ")[0]
        return type(error).__name__, code if code.isupper() else ""
    return [plain(each) for each in answer] if isinstance(answer, list) else flat(answer)


class Clients:
    """Draws commands: the scripts of the store, and others."""

    def __init__(self, random: Random, node: Node) -> None:
        self.random, self.node = random, node

    def commands(self, most: int) -> Iterator[tuple[Any, ...]]:
        for _ in range(most):
            script = self.random.random() < 0.7
            yield self.script(self.random.choice(list(SCRIPTS))) if script else self.other()

    def other(self) -> tuple[Any, ...]:
        draw = {
            "k": "abcd",
            "f": "xyz",
            "v": ["1", "7", "", "v\r\n"],
            "i": ["-2", "0", "1", "3"],
            "s": ["-1", "2.5", "3"],
        }
        form = self.random.choice(FORMS.replace("\n", "|").split("|")).split()
        words = [self.random.choice(draw[word]) if word in draw else word for word in form]
        if self.random.random() < 0.3 and form[0] not in ("SCRIPT", "FLUSHALL"):
            return "EVAL", self.random.choice(IN_LUA), 0, *words
        return tuple(words)

    def script(self, name: str) -> tuple[Any, ...]:
        random = self.random
        meta, log, notify = (of_room(CODE, what) for what in ("meta", "log", "notify"))
        seats, race = random.sample([1, 2, 3], random.randint(1, 3)), 1
        names = [of_room(CODE, "moves", race, seat) for seat in seats]
        rows = of_room(CODE, "progress", race)
        epoch = random.choice(["e1"] * 9 + ["e2"])
        n = len(self.node.data.values.get(log.encode(), ())) + random.choice([0, 0, 0, 0, -1, 1])
        entries = self.node.data.values.get(log.encode(), [])
        last = entries[n - 1].split(b" ")[0].decode() if 0 < n <= len(entries) else str(START)
        lengths = [len(self.node.data.values.get(key.encode(), ())) for key in names]
        stored = self.node.data.values.get(rows.encode(), {})
        hashes = [stored.get(b"%d" % seat, NO_LOG.encode()).split(b" ")[-1].decode() for seat in seats]
        keys: Sequence[str]
        words: Sequence[object]
        match name:
            case "create":
                keys, words = [meta, log], [epoch, "id", "created", "0.8"]
            case "commit":
                checks = [word for k, seat in enumerate(seats[1:], 1) for word in (lengths[k], f"sealed:1:{seat}")]
                keys = [meta, log, *(names[1:] if random.random() < 0.2 else [])]
                words = [
                    epoch,
                    n,
                    last,
                    random.choice("pqr"),
                    notify,
                    "one room",
                    2,
                    "a",
                    "b",
                    *checks[: len(keys) * 2],
                ]
            case "moves":
                late = random.choice([2**53] * 5 + [0])
                moves = [
                    f"{seat} {length - (random.random() < 0.1)} {held} {random.choice('tu')} 4 5 {length % 2} 63 1 -"
                    for seat, length, held in zip(seats, lengths, hashes, strict=True)
                ]
                common = f"{epoch} 0 {late} {race} {n} {last} {notify} one {random.choice([-1, 0])}"
                keys, words = [meta, rows, log, *names], [common, *moves]
            case "renew":
                known = zip(seats, lengths, hashes, strict=True)
                keys, words = (
                    [meta, log, rows, *names],
                    [epoch, "e3", n, last, *(word for one in known for word in one)],
                )
            case "mend":
                each = zip(seats, lengths, strict=True)
                keys, words = [meta, rows, *names], [epoch, race, *(word for s, k in each for word in (s, k, "row -"))]
            case "seat_log":
                keys, words = [names[0], rows], [random.randint(0, 3), seats[0]]
            case "delete":
                keys, words = [meta, log, rows, *names], [epoch, n, last]
            case "publish":
                keys, words = [notify], ["one reactions 1 2"]
            case "confirm":
                keys, words = [meta], []
            case "refused_commands":
                keys, words = [of_process("one")], [15, "HSET", "PUBSUB NUMSUB"]
            case "swap":
                keys, words = ["a"], ["1", "7"]
            case "readiness_probe":
                keys, words = [of_process("one")], [15, "1"]
            case "list":
                row = "address", CODE, START, START * random.randint(500, 2000), "{}"
                keys, words = PUBLIC, [START * 1000, 1, *row]
            case "listed":
                keys, words = PUBLIC, [START * 1000, 5]
            case "refused_commands":
                keys, words = (
                    [of_process("one")],
                    [15, "HSET", "LRANGE", "PUBSUB NUMSUB", "SADD", "ZADD", "TIME", "INFO"],
                )
            case "pool_quota":
                keys, words = ["quota"], [random.choice("xyz"), 2, 2000]
            case _:
                keys = [of_pool("game", what) for what in (*POOL, "done")]
                deal = f"{random.choice('ab')}{random.choice('cd')} {random.randint(1, 3)} 1-2"
                owner, some = random.choice("xyz"), random.random() < 0.5
                words = (
                    [owner, 2, 2, random.choice([0, 0, 1]), *([deal] if some else [])]
                    if name == "pool_claim"
                    else [owner, 1, *(["ac"] if some else [])]
                    if name == "pool_settle"
                    else [deal[3], deal, 3, 1]
                    if name == "pool_add"
                    else [random.choice([0, 1500]), 2]
                )
        form = SCRIPTS[name].plain
        how = ("EVAL", form.text) if random.random() < 0.8 else ("EVALSHA", form.sha)
        return *how, len(keys), *keys, *words


class Frozen:
    """A real Redis with a clock that a test sets."""

    def __init__(self, folder: Path) -> None:
        self.setting = folder / "setting"
        fake = redises.clock(FAKETIME_TIMESTAMP_FILE=str(self.setting), FAKETIME_NO_CACHE="1", TZ="UTC")
        self.node = redises.Node(folder / "redis", {"save": "''"}, environment=fake)
        self.set(START)

    def set(self, seconds: float) -> None:
        new = self.setting.with_suffix(".new")
        new.write_text(f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%d %H:%M:%S}")
        new.replace(self.setting)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def frozen(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Frozen]:
    frozen = Frozen(tmp_path_factory.mktemp("redis"))
    async with frozen.node:
        yield frozen


@pytest.mark.skipif(redises.LIBFAKETIME is None, reason="libfaketime has wheels for few machines")
@pytest.mark.asyncio(loop_scope="module")
@examples(40)
@given(st.integers(0, 2**32))
async def test_the_model_answers_like_a_real_redis(frozen: Frozen, seed: int) -> None:
    random = Random(seed)
    now = float(START)
    node = Node("redis", 6379, lambda: now, Scripts())
    real = await RedisConnection.open(frozen.node.redis)
    await real.execute([("FLUSHALL",), ("SCRIPT", "FLUSH")])
    clients = Clients(random, node)
    for _ in range(4):
        frozen.set(now)
        for command in clients.commands(20):
            answer = node.execute([str(word).encode() for word in command])
            # Alone, because the time of Redis goes on while it runs commands together.
            [expected] = await real.execute([command])
            assert plain(answer) == plain(expected), command
        now += random.choice([0, 1, 2, 5, -3])
    real.close()


def a_node(port: int = 1) -> tuple[Node, list[float]]:
    """A node, and its clock, to be changed."""
    now = [float(START)]
    return Node("redis", port, lambda: now[0], Scripts()), now


def push(node: Node, *entries: str) -> object:
    return node.execute([b"RPUSH", b"log", *(entry.encode() for entry in entries)])


def entries(node: Node) -> object:
    return node.execute([b"LRANGE", b"log", b"0", b"-1"])


@pytest.mark.parametrize("always", [True, False])
def test_a_crash_loses_only_what_was_not_synced(always: bool) -> None:
    for keep in range(0, 66, 3):
        node, now = a_node()
        node.syncs_always = always
        push(node, "a")
        node.sync()
        before = node.backup()
        now[0] += 2
        push(node, "b")
        push(node, "c")
        assert node.unsynced == 66
        node.crash(keep)
        node.start()
        assert entries(node) == [b"a", b"b"][: 1 + keep // 33]
        node.start(before)
        assert entries(node) == [b"a"] * always


def test_a_process_that_is_killed_leaves_all_to_its_system() -> None:
    node, _ = a_node()
    push(node, "a", "b")
    node.crash()
    node.start()
    assert entries(node) == [b"a", b"b"]
    push(node, "c")
    node.start(torn=1)
    assert entries(node) == [b"a", b"b"]


def test_a_failover_loses_what_has_not_reached_the_replica() -> None:
    (master, now), (replica, _) = a_node(1), a_node(2)
    replica.clock = master.clock
    replica.follow(master)
    replica.catch_up()
    replica.lag, master.min_replicas, master.max_lag = 1.0, 1, 2.0
    push(master, "a")
    assert master.acknowledged(master.offset) == 0
    now[0] += 1
    assert master.acknowledged(master.offset) == 1
    push(master, "b")
    assert str(push(replica, "c")).startswith("READONLY")
    replica.catch_up()
    replica.linked = False
    now[0] += 1
    assert push(master, "c") == 3
    now[0] += 2
    assert str(push(master, "d")).startswith("NOREPLICAS")
    replica.promote()
    assert push(replica, "e") == 2
    master.follow(replica)
    assert entries(master) == [b"a", b"e"]


def test_a_slot_that_moves_is_at_two_nodes() -> None:
    (one, _), (other, _) = a_node(1), a_node(2)
    view = one.view = other.view = View([one] * 16384)
    slot = 15495  # of the key a
    for key in (b"{a}1", b"{a}2"):
        one.execute([b"SET", key, b"1"])
    view.moving[slot] = one, other
    one.move_keys([b"{a}1"], other)

    def codes(*keys: bytes) -> list[str]:
        command = [b"EXISTS", *keys]
        found = one.execute(command), other.execute(command), other.execute(command, asking=True)
        return [" ".join(str(each).split(" ")[:: 2 if isinstance(each, Error) else 1][:2]) for each in found]

    assert codes(b"{a}2") == ["1", "MOVED redis:1", "0"]
    assert codes(b"{a}1") == ["ASK redis:2", "MOVED redis:1", "1"]
    assert codes(b"{a}1", b"{a}2") == ["TRYAGAIN keys", "MOVED redis:1", "TRYAGAIN keys"]


def test_a_full_memory_refuses_what_grows() -> None:
    node, _ = a_node()
    push(node, "a" * 1000)
    node.maxmemory = node.used
    assert str(push(node, "b")).startswith("OOM")
    assert node.execute([b"DEL", b"log"]) == 1
    assert push(node, "b") == 1
