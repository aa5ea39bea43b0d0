"""Races on winnable deals leak no deal of the pool, and the record proves the deal."""

import asyncio
import io
import logging
from collections.abc import Iterator
from contextlib import AsyncExitStack, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, encode_basic_auth

from fortythieves.record import proof, race_record
from fortythieves.rules.deal import nonce_commitment
from fortythieves_client.verify import TRUE, run_verify
from fortythieves_server.process.winnable_filler import MachineLock, name_of_redis
from tests.integration.raw import RawClient, guest
from tests.server.redises import free_port, in_a_hurry
from tests.server.stores import opened, until_it_is
from tests.server.winnable import GAME, NUMBERS, fill, ready, solved
from tests.serving import HASTY, serving

TOKEN = "a-token-that-nobody-guesses"


#: The deals of the pool.
DEALS = NUMBERS[:20]


@pytest.fixture
def said() -> Iterator[io.StringIO]:
    root, text = logging.getLogger(), io.StringIO()
    handler, level = logging.StreamHandler(text), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield text
    root.setLevel(level)
    root.removeHandler(handler)


def named_in(data: bytes) -> list[int]:
    """The deals that some bytes contain, by secret or by the first winning moves."""
    return [
        number
        for number, (secret, line, _) in zip(DEALS, map(solved, DEALS), strict=True)
        if secret.hex().encode() in data
        or secret in data
        or any(separator.join(line[:12]).encode() in data for separator in (" ", ",", '", "', '","'))
        or b"".join(bytes([0xA0 + len(text)]) + text.encode() for text in line[:12]) in data
    ]


def files(folder: Path, other: Path | None = None) -> bytes:
    paths = [path for path in folder.rglob("*") if path.is_file() and other not in path.parents]
    return b"".join(path.read_bytes() for path in paths)


async def test_no_deal_of_the_pool_leaks_and_the_record_proves_the_dealt_one(tmp_path: Path, said: io.StringIO) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(in_a_hurry(tmp_path / "redis"))
        lock = MachineLock(f"filler-{name_of_redis(url)}")
        assert lock.take(), "nobody else fills this pool"
        stack.callback(lock.release)
        store = await stack.enter_async_context(opened(url))
        await fill(store.pool, DEALS)
        server = serving(tmp_path, redis=url, winnable=16, ops_port=port, ops_token=TOKEN, times=HASTY)
        address = await stack.enter_async_context(server)
        ann, bob, cem = [await stack.enter_async_context(guest(address)) for _ in range(3)]
        session = await stack.enter_async_context(ClientSession())

        headers = {"Authorization": encode_basic_auth("ops", TOKEN)}

        async def seen() -> bytes:
            answers = []
            for path in ("/", "/api/rooms", f"/api/rooms/{ann.code}", "/api/winnable", f"/api/races/{ann.code}/1"):
                async with session.get(f"{address}{path}") as answer:
                    answers.append(await answer.read())
            for path in ("/metrics", "/ops"):
                async with session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer:
                    assert answer.status == 200
                    answers.append(await answer.read())
            return b"".join(answers)

        code = await ann.create(game=GAME, deal="winnable", auto_start=False, watch="open", public=True, countdown=3)
        assert await bob.ask("join", code, "Bob", None) == "ok"
        assert await cem.ask("watch", code, "Cem") == "ok"
        nonces = [bytes([seat]) * 16 for seat in (1, 2)]
        for client, nonce in zip((ann, bob), nonces, strict=True):
            assert await client.ask("ready", nonce_commitment(nonce)) == "ok"
        before = await seen()
        assert await ann.ask("start") == "ok"
        counting = await seen()
        for client, nonce in zip((ann, bob), nonces, strict=True):
            assert await client.ask("reveal", nonce.hex()) == "ok"
        for client in (ann, bob):
            await client.receive("board")
            for n in range(5):
                await client.move(n)
        racing = await seen()
        frames = b"".join(one.frame for client in (ann, bob, cem) for one in client.received)
        assert named_in(before + counting + racing + frames) == []
        assert named_in(files(tmp_path / "redis")) and named_in(files(tmp_path, other=tmp_path / "redis")) == []
        assert await ann.ask("end_race") == "ok"
        await over(ann)

        async with session.get(f"{address}/api/races/{code}/1") as answer:
            assert answer.status == 200
            packed = await answer.read()
        record = race_record.read(packed)
        assert all(check.ok for check in proof.verify(record))
        assert record["winnable"] is not None
        found = [number for number in DEALS if solved(number).secret.hex() == record["secret"]]
        for name in ("", ".json"):
            async with session.get(f"{address}/api/races/{code}/1{name}") as answer:
                assert named_in(await answer.read()) == found
        frames = b"".join(one.frame for client in (ann, bob, cem) for one in client.received)
        assert set(named_in(frames + await seen() + said.getvalue().encode())) <= set(found)
        assert named_in(said.getvalue().encode()) == []
        out = io.StringIO()
        with redirect_stdout(out):
            assert await asyncio.to_thread(run_verify, f"{address}/r/{code}/1", []) == TRUE

        async def settled() -> bool:
            return await ready(store.pool) == 19

        await until_it_is(settled)


async def over(client: RawClient) -> None:
    while not any(_is_over(one.message) for one in client.received):
        await client.receive("patch")


def _is_over(message: list[Any]) -> bool:
    return message[0] == "patch" and (message[2].get("race") or {}).get("over_at") is not None
