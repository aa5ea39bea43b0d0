"""The answers of the server over HTTP, except for files."""

import asyncio
import gzip
import json
import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import psutil
import pytest
from aiohttp import ClientError, ClientResponse, ClientSession

from fortythieves.bot.par import par
from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.rules.cards import parse_cards
from fortythieves.rules.games import game
from fortythieves.times import Ms
from fortythieves_server.app import Times
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.web.headers import SAFE, VARY, safe_page
from fortythieves_server.web.routes import CLIENT, FOREVER, shared_files
from fortythieves_server.web.server import LONGEST_REQUEST
from tests.integration.raw import RawClient, guest
from tests.server.clients import store_of
from tests.server.stores import Admin, key, pause, until, until_it_is
from tests.server.tables import CODE, MINUTE, SERVER, entered, over, racing
from tests.serving import serving

SOURCES = Path(__file__).parents[3] / "client/web/src"


class Visitor(NamedTuple):
    session: ClientSession
    address: str

    async def get(self, path: str) -> ClientResponse:
        return await self.session.get(self.address + path)

    async def welcomed(self, token: str | None = None) -> RawClient:
        async with guest(self.address, token) as client:
            return client

    async def error(self, path: str) -> tuple[int, str]:
        """The status and the code of a refusal, which contains nothing else."""
        answer = await self.get(path)
        said = await answer.json()
        assert said.keys() == {"error"} and said["error"].keys() == {"code", "message", "parameters"}
        return answer.status, said["error"]["code"]


@pytest.fixture
async def visitor(url: str, tmp_path: Path) -> AsyncIterator[Visitor]:
    async with serving(tmp_path, redis=url) as address, ClientSession() as session:
        yield Visitor(session, address)


async def test_the_record_of_a_race_is_a_file_that_proves_itself(visitor: Visitor, admin: Admin) -> None:
    await store_of(admin, over(2))
    key = await (await visitor.get("/api/key")).json()
    assert key["algorithm"] == "Ed25519"
    answer = await visitor.get(f"/api/races/{CODE}/1")
    assert answer.status == 200 and answer.content_type == "application/msgpack"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="forty-thieves-{CODE}-1.ftr"'
    assert answer.headers["Cache-Control"] == "no-store"
    one = race_record.read(await answer.read())
    # It was promised by the key of the tests, and is signed with that of the server.
    keys = {key["key"]: None, SERVER.public_key().public_bytes_raw().hex(): None}
    assert [check for check in verify(one, keys) if not check.ok] == []
    answer = await visitor.get(f"/api/races/{CODE.lower()}/1.json")
    assert answer.content_type == "application/json" and race_record.read(await answer.read()) == one
    middle, bots = par(game(one["game"]), parse_cards(one["deck"]))
    assert await (await visitor.get(f"/api/races/{CODE}/1.par")).json() == {"par": middle, "bots": [*bots]}


async def test_a_race_that_is_on_has_no_record_yet(visitor: Visitor, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    for form in ("", ".json"):
        assert await visitor.error(f"/api/races/{CODE}/1{form}") == (409, "not-over-yet")


def makers() -> list[psutil.Process]:
    return [one for one in psutil.Process().children() if any("file_process" in word for word in one.cmdline())]


async def test_others_are_answered_while_a_long_record_and_its_picture_are_made(visitor: Visitor, admin: Admin) -> None:
    table = over(2)
    await store_of(admin, table)
    starts_at = table.race.starts_at or Ms(0)
    for seat in (1, 2):
        moves = [f"{starts_at + Ms(n)} {'undo' if n % 2 else 'draw'}" for n in range(30_000)]
        await admin.redis.rpush(key("moves", 1, seat), *moves)
    async with guest(visitor.address) as bob:
        asked = asyncio.create_task(visitor.get(f"/api/races/{CODE}/1.png"))
        await until(makers)
        maker = makers()[0]
        maker.suspend()
        for _ in range(51):
            await bob.send("ping", 1.0)
            await bob.receive("pong")
        assert not asked.done(), "another process makes it"
        maker.resume()
    assert (await asked).status == 200
    record = await (await visitor.get(f"/api/races/{CODE}/1")).read()
    assert len(race_record.read(record)["logs"][0][1]) == 30_000


async def test_a_client_that_leaves_before_its_answer_causes_no_error(
    visitor: Visitor, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(admin, over(2))
    at = urlsplit(visitor.address)
    _, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(f"GET /api/races/{CODE}/1.png HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    await visitor.get("/healthz")  # so the request has been read, and another process draws the picture
    writer.transport.abort()
    assert (await visitor.get(f"/api/races/{CODE}/1.png")).status == 200
    assert caplog.text == ""


async def test_twenty_who_never_read_a_long_record_take_no_memory_and_are_cut_off(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    await store_of(admin, over(2))
    await admin.redis.rpush(key("moves", 1, 1), *[f"{10**12 + n} {'-'.join('F' * 60)}" for n in range(60_000)])
    async with serving(tmp_path, redis=url, times=Times(stalled=2.0)) as address, ClientSession(address) as session:
        size = len(await (await session.get(f"/api/races/{CODE}/1")).read())
        assert size > 7_000_000
        at = urlsplit(address)
        async with AsyncExitStack() as stack:
            before = psutil.Process().memory_info().rss
            deaf = [stack.enter_context(socket.create_connection((at.hostname, at.port))) for _ in range(20)]
            for one in deaf:
                one.sendall(f"GET /api/races/{CODE}/1 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            # The last of them is answered when others have been cut off.
            answer = await session.get(f"/api/races/{CODE}/1")
            assert sum([len(part) async for part in answer.content.iter_any()]) == size
            assert psutil.Process().memory_info().rss - before < 20 * size / 4


async def test_the_files_of_a_tournament_are_saved_under_its_name(visitor: Visitor, admin: Admin) -> None:
    await store_of(admin, entered(2))
    answer = await visitor.get(f"/api/tournaments/{CODE.lower()}-results.csv")
    assert answer.status == 200 and answer.content_type == "text/csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="forty-thieves-{CODE}-results.csv"'
    assert (await visitor.get(f"/api/tournaments/{CODE}.exe")).status == 404
    assert await visitor.error("/api/tournaments/BCDFGH.csv") == (404, "unknown-room")


async def test_a_race_that_never_was_is_unknown(visitor: Visitor, admin: Admin) -> None:
    await store_of(admin, over(2))
    for race in (f"{CODE}/2", "BCDFGH/1", "AEIOUY/1", f"{CODE}/999999"):
        assert await visitor.error(f"/api/races/{race}") == (404, "unknown-race")
    for race in (f"{CODE}/0", f"{CODE}/x", "KQXWV/1", f"{CODE}/1.msgpack", f"{CODE}/01", CODE):
        assert (await visitor.get(f"/api/races/{race}")).status == 404


async def test_without_its_store_the_server_has_no_records(own_redis: EmbeddedRedis, tmp_path: Path) -> None:
    async with (
        Admin(own_redis.url) as admin,
        serving(tmp_path / "data", redis=own_redis.url) as address,
        ClientSession() as session,
    ):
        await store_of(admin, over(2))
        resume = pause(own_redis)
        try:
            assert await Visitor(session, address).error(f"/api/races/{CODE}/1") == (503, "store-down")
        finally:
            resume()


async def test_every_link_to_a_room_leads_to_the_page(visitor: Visitor) -> None:
    page = (CLIENT / "index.en.html").read_text()
    for path in ("", "/", "/w", "/w/", "/p", "/1", "/1/"):
        answer = await visitor.get(f"/r/{CODE}{path}")
        assert answer.status == 200 and answer.content_type == "text/html", path
        assert re.sub(r'<meta property=".*?" />\n', "", await answer.text()) == page
    before, after = page.split('<div id="app">')
    front = await (await visitor.get("/")).text()
    assert front.startswith(before) and front.endswith(after) and "<h1>Forty Thieves Race</h1>" in front


async def test_a_file_is_sent_in_the_smallest_form_that_the_client_takes_and_never_twice(visitor: Visitor) -> None:
    whole, packed, brotli = ((CLIENT / f"index.en.html{suffix}").read_bytes() for suffix in ("", ".gz", ".br"))
    assert gzip.decompress(packed) == whole
    assert len(brotli) < len(packed) < len(whole)
    async with ClientSession(visitor.address, auto_decompress=False) as session:
        for accepted, body in {"": whole, "gzip;q=0.9": packed, "gzip, br": brotli}.items():
            answer = await session.get("/practice", headers={"Accept-Encoding": accepted})
            assert await answer.read() == body and answer.headers["Vary"] == VARY
            known = {"Accept-Encoding": accepted, "If-None-Match": f'"other", {answer.headers["ETag"]}'}
            again = await session.get("/practice", headers=known)
            assert (again.status, await again.read()) == (304, b"")


async def test_scripts_and_style_sheets_leave_policies_to_the_document_or_worker(visitor: Visitor) -> None:
    kept = [path.name for path in CLIENT.iterdir() if path.name.startswith(".") or path.suffix in {".br", ".gz"}]
    assert kept and [name for name in kept if (await visitor.get(f"/{name}")).status != 404] == []
    workers = [path.name.removesuffix(".js") for path in SOURCES.glob("browser/*-worker.js")]
    files = [path.relative_to(CLIENT).as_posix() for path in CLIENT.rglob("*.*") if path.suffix in {".js", ".css"}]
    parts = []
    for name in files:
        headers = (await visitor.get(f"/{name}")).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        if headers.keys().isdisjoint(SAFE.keys() - {"X-Content-Type-Options"}):
            parts.append(name)
        else:
            assert SAFE.items() <= headers.items()
    whole = {re.sub(r"-.{8}\.js$", "", name.removeprefix("assets/")) for name in set(files) - set(parts)}
    assert whole == {"sw.js", *workers} - {"shell-worker"}  # which the build names sw.js


async def test_a_page_gets_its_files_from_processes_with_another_build(visitor: Visitor, admin: Admin) -> None:
    """Those of this build are there for others."""
    for name, packed in shared_files().items():
        assert await admin.redis.get(f"ft:client:{name}") == packed
        assert gzip.decompress(packed) == (CLIENT / "assets" / name).read_bytes()
    script = b"export const other = 'build'"
    await admin.redis.set("ft:client:index-0badcafe.js", gzip.compress(script))
    for accepted in ("gzip", "identity"):
        headers = {"Accept-Encoding": accepted}
        answer = await visitor.session.get(f"{visitor.address}/assets/index-0badcafe.js", headers=headers)
        assert (answer.status, await answer.read()) == (200, script)
        assert answer.content_type == "text/javascript" and answer.headers["Cache-Control"] == FOREVER
    assert (await visitor.get("/assets/index-00000000.js")).status == 404


async def test_the_files_of_this_build_stay_there_for_others_while_it_runs(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    """Otherwise, a page of a server that has run for weeks would lack files while another release replaces it."""
    names = [f"ft:client:{name}" for name in shared_files()]

    async def are_there() -> bool:
        return bool(await admin.redis.exists(*names) == len(names))

    async with serving(tmp_path, redis=url, times=Times(share_client=0.1)):
        await admin.redis.delete(*names)
        await until_it_is(are_there)


async def test_a_mistyped_address_gives_the_front_page_and_a_program_404(visitor: Visitor) -> None:
    for path in ("/rooms", "/KQXWVD", f"/r/{CODE}/x", "/r/", "/a/b/c", "/assets/none.js", "/" + "x" * 4000):
        page = await visitor.session.get(
            visitor.address + path, headers={"Accept": "text/html,*/*;q=0.8", "If-None-Match": '"x"'}
        )
        assert page.status == 404 and "<!doctype html>" in (await page.text()).lower(), path
        assert page.headers["Cache-Control"] == "no-store"
        assert safe_page((CLIENT / "front.en.html").read_text()).items() <= page.headers.items()
        assert "<html" not in await (await visitor.get(path)).text()


async def test_a_guest_goes_to_another_device_once(visitor: Visitor, admin: Admin) -> None:
    first = await visitor.welcomed()
    post, data = visitor.session.post, json.dumps({"games": "ș"})
    answer = await post(f"{visitor.address}/api/carry", data=data, headers={"Authorization": f"Bearer {first.token}"})
    code = (await answer.json())["code"]
    assert not any(code.encode() in key for key in await admin.redis.keys())  # only its hash is stored
    two = [await post(f"{visitor.address}/api/carried", data=code) for _ in range(2)]
    assert [answer.status for answer in two] == [200, 401]
    taken = await two[0].json()
    assert taken["data"] == data
    second = await visitor.welcomed(taken["token"])
    assert str(second.token).split(".")[0] == str(first.token).split(".")[0]  # the same guest


@pytest.mark.parametrize(("path", "data"), [("carry", b"{}"), ("carried", b"\xff" * 32)])
async def test_nothing_is_carried_without_a_guest_or_a_code(visitor: Visitor, path: str, data: bytes) -> None:
    answer = await visitor.session.post(f"{visitor.address}/api/{path}", data=data)
    assert answer.status == 401


async def test_what_is_too_long_to_carry_ends_its_connection(visitor: Visitor) -> None:
    headers = {"Authorization": f"Bearer {(await visitor.welcomed()).token}"}
    with pytest.raises(ClientError):
        await visitor.session.post(f"{visitor.address}/api/carry", data=b"x" * (LONGEST_REQUEST + 1), headers=headers)


async def test_one_address_cannot_fill_redis_with_what_it_carries(url: str, tmp_path: Path) -> None:
    limits = Limits(kept=Rate(1, "s", 50_000))
    async with serving(tmp_path, redis=url, limits=limits) as address, ClientSession() as session:
        async with guest(address) as client:
            headers = {"Authorization": f"Bearer {client.token}"}
        statuses = []
        for _ in range(6):
            answer = await session.post(f"{address}/api/carry", data=b"x" * 14_000, headers=headers)
            statuses.append(answer.status)
        assert statuses == [200, 200, 200, 200, 429, 429]
