"""Attacks: pages of other sites, too many requests, guessed passwords."""

import base64
import contextlib
import hashlib
import re
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from fortythieves_server.common.limits import Rate
from tests.integration.raw import guest
from tests.serving import GENEROUS, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

OURS = [ip_network("127.0.0.1")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    limits = GENEROUS._replace(guesses=Rate(1, "hour", 6), rooms=Rate(1, "hour", 2))
    async with serving(tmp_path_factory.mktemp("data"), limits=limits, proxies=OURS) as address:
        yield address


async def test_every_response_forbids_foreign_scripts(address: str) -> None:
    for path in ("/", "/r/KQXWVD", "/healthz", "/readyz", "/api/rooms", "/api/races/KQXWVD/1"):
        async with ClientSession() as session, session.get(address + path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
            scripts = policy.partition("script-src ")[2].partition(";")[0].split()
            inside = re.findall("<script>(.*?)</script>", await answer.text(), re.DOTALL)
            hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in inside]
            is_page = answer.content_type == "text/html"
            assert scripts == (["'self'", *(f"'sha256-{sha}'" for sha in hashes)] if is_page else [])
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert "Set-Cookie" not in answer.headers


async def test_every_kind_of_request_has_a_rate_limit_for_each_address(tmp_path: Path) -> None:
    limits = GENEROUS._replace(points=Rate(1, "hour", 10_000))
    async with serving(tmp_path, limits=limits, proxies=OURS) as address:
        async with guest(address, of="192.0.2.1") as ann:
            code = await ann.create(watching="link")
            looks = [await ann.ask("look", True) for _ in range(20)]
        async with guest(address, of="192.0.2.2") as bob:
            await bob.create()
            commands = [await bob.ask("unready") for _ in range(40)]
        async with contextlib.AsyncExitStack() as stack:
            eves = [await stack.enter_async_context(guest(address, of="192.0.2.3")) for _ in range(12)]
            watched = [await eve.ask("watch", code, "Eve") for eve in eves]
        for answers in (looks, commands, watched):
            assert answers[:2] == ["ok"] * 2 and answers[-1] == "too-fast"
        async with ClientSession() as session:
            paths = (f"/api/races/{code}/1", f"/api/tournaments/{code}.csv", "/api/rooms", "/api/key", "/")
            for number, path in enumerate(paths):
                headers, statuses = {"X-Forwarded-For": f"203.0.113.{number}"}, list[int]()
                while statuses[-1:] != [429]:
                    async with session.get(address + path, headers=headers) as answer:
                        statuses.append(answer.status)
                assert 3 <= len(statuses) <= 200 and int(answer.headers["Retry-After"]) > 1000


async def test_an_address_that_was_sent_too_many_bytes_has_to_wait(tmp_path: Path) -> None:
    limits = GENEROUS._replace(bytes=Rate(1, "hour", 100))
    async with serving(tmp_path, limits=limits) as address, guest(address) as ann:
        code = await ann.create(watching="link")  # A room is more than 100 bytes.
        async with guest(address) as eve:
            assert await eve.ask("watch", code, "Eve") == "too-fast"
        async with ClientSession() as session, session.get(address + "/") as answer:
            assert answer.status == 429
        await ann.send("ping", 1.0)
        assert (await ann.receive("pong"))[1] == 1.0, "free messages are answered"


async def test_an_address_that_used_too_much_cpu_time_has_to_wait(tmp_path: Path) -> None:
    # A connection costs a millisecond, and a hundred answers more than two.
    limits = GENEROUS._replace(cpu=Rate(1, "hour", 3))
    async with serving(tmp_path, limits=limits) as address, guest(address) as ann:
        answers = [await ann.ask("join", "BCDFGH", "Ann") for _ in range(100)]
    assert answers[0] == "unknown-room" and answers[-1] == "too-fast"


async def test_wrong_passwords_from_one_address_do_not_lock_out_others(address: str) -> None:
    async with guest(address, of="192.0.2.1") as host:
        code = await host.create(False, {"entry": "password"}, "open sesame")
        async with guest(address, of="203.0.113.7") as eve, guest(address, of="192.0.2.2") as bob:
            tries = [await eve.ask("join", code, "Eve", None, False, f"{n}") for n in range(9)]
            assert tries == ["wrong-password"] * 6 + ["too-fast"] * 3
            assert await bob.ask("join", code, "Bob", None, False, "open sesame") == "ok"


async def test_an_address_can_open_only_so_many_rooms(address: str) -> None:
    answers = []
    for seeking in (False, True, True, False):
        async with guest(address, of="198.51.100.2") as stranger:
            answers.append(await stranger.ask("create", "Eve", {"seeking": seeking, "public": seeking}))
    assert answers == ["ok", "ok", "too-many-rooms", "too-many-rooms"]


async def test_an_address_can_open_only_so_many_challenges_and_only_to_its_own_races(address: str) -> None:
    async with guest(address, of="198.51.100.7") as ann, guest(address, of="198.51.100.8") as eve:
        code = await ann.create(seats=1, countdown=3)
        assert await ann.ask("start") == "ok"
        await ann.receive("board")
        await ann.move(0)
        assert await ann.ask("end_race") == "ok"
        answers = [await ann.ask("challenge", code, 1, 7) for _ in range(3)]
        assert [await eve.ask("challenge", *which, 7) for which in (("QQQQQQ", 1), (code, 2))] == [
            "unknown-room",
            "not-your-race",
        ]
        assert await eve.ask("try", "Eve") == "not-in-room"
    assert answers == ["ok", "too-many-rooms", "too-many-rooms"]
