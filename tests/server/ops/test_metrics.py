"""The metrics of a server, read like Prometheus."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import promql_parser
import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from fortythieves.errors import Refused
from fortythieves_client.client import Client
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.server.ops.test_routes import Operated, operated
from tests.server.stores import SECONDS, pause, until_it_is

DASHBOARD = Path(__file__).parents[3] / "deploy" / "grafana.json"

Metrics = dict[str, float]


async def text_of(ops: str) -> str:
    async with ClientSession(ops) as session, session.get("/metrics") as answer:
        assert answer.status == 200 and answer.content_type == "text/plain"
        return await answer.text()


async def metrics_of(ops: str) -> Metrics:
    families = text_string_to_metric_families(await text_of(ops))
    return {
        sample.name.removeprefix("fortythieves_")
        + "".join(f" {label}" for label in sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


async def is_ready(server: Operated) -> bool:
    return (await metrics_of(server.ops))["ready"] == 1


@pytest.fixture
async def server(url: str, tmp_path: Path) -> AsyncIterator[Operated]:
    async with operated(tmp_path, redis=url) as server:
        yield server


async def test_idle_connections_to_the_operators_port_are_closed(server: Operated) -> None:
    loop, port = asyncio.get_running_loop(), urlsplit(server.ops).port
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(100)]
        assert (await metrics_of(server.ops))["connections"] == 0
        lines[0].setblocking(False)
        async with asyncio.timeout(SECONDS):
            assert await loop.sock_recv(lines[0], 1) == b""


async def test_metrics_count_a_race_and_contain_no_names_or_secrets(server: Operated) -> None:
    await until_it_is(lambda: is_ready(server))
    metrics = await metrics_of(server.ops)
    nothing = ("connections", "rooms", "races", "players", "watchers", "moves_acknowledged_total", "turned_away_total")
    assert {name: metrics[name] for name in nothing} == dict.fromkeys(nothing, 0)
    assert metrics["redis_up"] == metrics["ready"] == 1
    assert 0 < metrics["notification_seconds"] < 1
    assert metrics["process_resident_memory_bytes"] > 0
    async with Client(server.address) as ann, Client(server.address) as bob:
        room = await ann.create("Annabel", countdown=3, auto_start=False)
        await bob.join("Bob", room.code)
        await ann.start()
        await ann.until(lambda: ann.race)
        for _ in range(3):
            await ann.play("draw")
        with pytest.raises(Refused):
            await bob.kick(1)
        metrics = await metrics_of(server.ops)
        assert metrics["connections"] == metrics["players"] == 2
        assert metrics["rooms"] == metrics["races"] == 1
        assert metrics["moves_acknowledged_total"] == 3
        assert metrics["refused_total not-host"] == 1
        assert metrics["commit_seconds_count"] == metrics["commit_batch_size_count"] > 3
        assert metrics["commit_seconds_bucket +Inf"] == metrics["commit_seconds_count"]
        assert 0 < metrics["slowest_room_seconds"] < 60
        assert metrics["commit_batch_size_sum"] >= metrics["commit_batch_size_count"]
        said = await text_of(server.ops)
        assert [name for name in ("Annabel", room.code, str(ann.token), "127.0.0.1") if name in said] == []
    async with ClientSession() as session, session.get(f"{server.address}/metrics") as answer:
        assert answer.status == 404, "at the port of players"


@pytest.mark.long
async def test_metrics_show_a_failure_of_redis(own_redis: EmbeddedRedis, tmp_path: Path) -> None:
    async with operated(tmp_path / "data", redis=own_redis.url) as server:
        resume = pause(own_redis)

        async def is_away() -> bool:
            metrics = await metrics_of(server.ops)
            return metrics["redis_up"] == metrics["ready"] == 0 and "notification_seconds" not in metrics

        try:
            await until_it_is(is_away)
            assert (await metrics_of(server.ops))["commits_oldest_seconds"] > 1
        finally:
            resume()

        async def is_back() -> bool:
            metrics = await metrics_of(server.ops)
            return metrics["redis_up"] == metrics["ready"] == 1

        await until_it_is(is_back)


def selected_by(query: str) -> set[str]:
    seen, todo = set[str](), [promql_parser.parse(query.replace("$__rate_interval", "1m"))]
    while todo:
        node = todo.pop()
        if isinstance(node, promql_parser.VectorSelector):
            seen.add(node.name or "")
        parts = [getattr(node, part, None) for part in ("lhs", "rhs", "expr", "vector_selector")]
        todo += [part for part in (*parts, *getattr(node, "args", ())) if part is not None]
    return seen


async def test_the_dashboard_reads_existing_metrics_and_shows_all_of_the_program(server: Operated) -> None:
    assert selected_by('max(a) + histogram_quantile(0.9, sum by (le) (rate(b{c="d"}[$__rate_interval])))') == {"a", "b"}
    dashboard = json.loads(DASHBOARD.read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += re.findall(r"label_values\((.+), \w+\)", DASHBOARD.read_text())
    assert len(queries) > 20
    await until_it_is(lambda: is_ready(server))
    families = [*text_string_to_metric_families(await text_of(server.ops))]
    # A counter without a sample is known from its family.
    exist = {name for one in families for name in (*(s.name for s in one.samples), f"{one.name}_total")}
    assert {name for query in queries for name in selected_by(query)} <= exist
    ours = [one.name for one in families if one.name.startswith("fortythieves_")]
    assert [name for name in ours if name not in DASHBOARD.read_text()] == []
