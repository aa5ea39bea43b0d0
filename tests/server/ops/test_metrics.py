"""What an operator sees of a server, as Prometheus reads it."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import promql_parser
import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from fortythieves.errors import Refused
from fortythieves_client.client import Client
from fortythieves_server.common.errors import StartError
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.server.process.test_supervisor import serving as serving_by_workers
from tests.server.redises import free_port
from tests.server.stores import SECONDS, pause, until_it_is
from tests.serving import serving

DASHBOARD = Path(__file__).parents[3] / "deploy" / "grafana.json"

Figures = dict[str, float]


async def text_of(port: int) -> str:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
        assert answer.status == 200 and answer.content_type == "text/plain"
        return await answer.text()


async def figures_of(port: int) -> Figures:
    """Each figure by its name, with its labels if it has any."""
    families = text_string_to_metric_families(await text_of(port))
    return {
        sample.name.removeprefix("fortythieves_")
        + "".join(f" {label}" for label in sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


class Watched(NamedTuple):
    """A server, and the port at which it says how it is."""

    address: str
    port: int

    async def figures(self) -> Figures:
        return await figures_of(self.port)

    async def is_ready(self) -> bool:
        """A machine that has much to do keeps a readiness probe waiting."""
        return (await self.figures())["ready"] == 1


@pytest.fixture
async def server(own_redis: EmbeddedRedis, tmp_path: Path) -> AsyncIterator[Watched]:
    port = free_port()
    async with serving(tmp_path / "data", redis=own_redis.url, ops_port=port) as address:
        yield Watched(address, port)


async def test_nothing_has_happened_on_a_server_that_nobody_has_come_to(server: Watched) -> None:
    figures: dict[str, float] = {}

    async def is_ready() -> bool:
        figures.update(await server.figures())
        return figures["ready"] == 1

    await until_it_is(is_ready)
    nothing = ("connections", "rooms", "races", "players", "watchers", "moves_acknowledged_total", "turned_away_total")
    assert {name: figures[name] for name in nothing} == dict.fromkeys(nothing, 0)
    assert figures["redis_up"] == figures["ready"] == 1
    assert 0 < figures["nudge_seconds"] < 1
    assert figures["process_resident_memory_bytes"] > 0


async def test_those_who_say_nothing_there_take_no_descriptors_of_players(server: Watched) -> None:
    loop = asyncio.get_running_loop()
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(100)]
        assert (await server.figures())["connections"] == 0
        lines[0].setblocking(False)
        async with asyncio.timeout(SECONDS):
            assert await loop.sock_recv(lines[0], 1) == b"", "the first of them have made room"


async def test_a_race_is_seen(server: Watched) -> None:
    async with Client(server.address) as ann, Client(server.address) as bob:
        room = await ann.create("Ann", countdown=3, auto_start=False)
        await bob.join("Bob", room.code)
        await ann.start()
        await ann.until(lambda: ann.race)
        for _ in range(3):
            await ann.play("draw")
        with pytest.raises(Refused):
            await bob.kick(1)
        figures = await server.figures()
        assert figures["connections"] == figures["players"] == 2
        assert figures["rooms"] == figures["races"] == 1
        assert figures["moves_acknowledged_total"] == 3
        assert figures["refused_total not-host"] == 1
        assert figures["commit_seconds_count"] == figures["commit_batch_size_count"] > 3
        assert figures["commit_seconds_bucket +Inf"] == figures["commit_seconds_count"]
        assert 0 < figures["slowest_room_seconds"] < 60
        assert figures["commit_batch_size_sum"] >= figures["commit_batch_size_count"]


@pytest.mark.long
async def test_the_loss_of_redis_is_seen(server: Watched, own_redis: EmbeddedRedis) -> None:
    resume = pause(own_redis)

    async def is_away() -> bool:
        figures = await server.figures()
        return figures["redis_up"] == figures["ready"] == 0 and "nudge_seconds" not in figures

    async def is_back() -> bool:
        figures = await server.figures()
        return figures["redis_up"] == figures["ready"] == 1

    try:
        await until_it_is(is_away)
        figures = await server.figures()
        assert figures["commits_oldest_seconds"] > 1, "the readiness probe has waited for longer than it may"
    finally:
        resume()
    await until_it_is(is_back)


async def test_players_find_no_figures_at_their_port(server: Watched) -> None:
    async with ClientSession() as session, session.get(f"{server.address}/metrics") as answer:
        assert answer.status == 404


async def test_figures_name_nobody(server: Watched) -> None:
    async with Client(server.address) as ann:
        room = await ann.create("Annabel")
        said = await text_of(server.port)
        assert "fortythieves_rooms 1.0" in said
        assert [name for name in ("Annabel", room.code, str(ann.token), "127.0.0.1") if name in said] == []


async def test_each_of_several_processes_answers_for_itself(tmp_path: Path) -> None:
    first = free_port(2)
    async with (
        serving_by_workers(tmp_path, 2, "--ops-port", str(first)) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        for _ in range(6):
            await stack.enter_async_context(Client(server.address))
        figures = [await figures_of(port) for port in (first, first + 1)]
        assert sum(one["connections"] for one in figures) == 6


async def test_all_is_there_that_an_operator_has_to_know(server: Watched) -> None:
    async with Client(server.address) as ann:
        await ann.create("Ann")
        with pytest.raises(Refused):
            await ann.kick(1)
        await until_it_is(server.is_ready)
        names = {name.partition(" ")[0] for name in await server.figures()}
    assert names > {
        *("connections", "players", "watchers", "rooms", "races", "moves_acknowledged_total", "refused_total"),
        *("closed_total", "turned_away_total", "outbox_bytes", "outbox_max_bytes", "redis_up", "ready"),
        *("nudge_seconds", "commits_waiting", "commits_oldest_seconds", "commit_seconds_bucket", "info"),
        *("commit_batch_size_bucket", "slowest_room_seconds", "event_loop_late_seconds_bucket"),
        *("process_cpu_seconds_total", "process_resident_memory_bytes"),
    }


def selected_by(query: str) -> set[str]:
    """The metrics that a query reads. Raises if it is none that Prometheus understands."""
    seen, todo = set[str](), [promql_parser.parse(query.replace("$__rate_interval", "1m"))]
    while todo:
        node = todo.pop()
        if isinstance(node, promql_parser.VectorSelector):
            seen.add(node.name or "")
        parts = [getattr(node, part, None) for part in ("lhs", "rhs", "expr", "vector_selector")]
        todo += [part for part in (*parts, *getattr(node, "args", ())) if part is not None]
    return seen


def test_a_query_is_read_to_its_ends() -> None:
    assert selected_by('max(a) + histogram_quantile(0.9, sum by (le) (rate(b{c="d"}[$__rate_interval])))') == {"a", "b"}


async def test_every_query_of_the_dashboard_is_of_metrics_that_there_are(server: Watched) -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += re.findall(r"label_values\((.+), \w+\)", DASHBOARD.read_text())
    assert len(queries) > 20
    await until_it_is(server.is_ready)  # Else the readiness probe has not returned, and has no figure.
    samples = text_string_to_metric_families(await text_of(server.port))
    # What has not happened yet has no sample; its name is known from its family.
    exist = {name for one in samples for name in (*(s.name for s in one.samples), f"{one.name}_total")}
    assert {name for query in queries for name in selected_by(query)} <= exist


async def test_the_dashboard_shows_every_metric_of_the_program(server: Watched) -> None:
    families = [one.name for one in text_string_to_metric_families(await text_of(server.port))]
    shown = DASHBOARD.read_text()
    assert [name for name in families if name.startswith("fortythieves_") and name not in shown] == []


async def test_a_port_that_is_taken_is_said(server: Watched, own_redis: EmbeddedRedis, tmp_path: Path) -> None:
    with pytest.raises(StartError, match="in use; choose another one with --ops-port"):
        async with serving(tmp_path / "other", redis=own_redis.url, ops_port=server.port):
            pass
