"""Room codes cannot be guessed, and a guest without access gets the same answer as for a missing room."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from msgspec.structs import replace

from fortythieves.errors import CannotRead
from fortythieves.record import race_record
from fortythieves_client.client import Client
from fortythieves_server.common.limits import Rate
from fortythieves_server.core import events
from tests.integration.raw import RawClient, guest
from tests.server.clients import store_of
from tests.server.stores import Admin
from tests.server.tables import CODE, Table, begin, drawn, lobby, over, play
from tests.serving import GENEROUS, serving

#: The wrong guesses that an address may make without a pause.
MANY = 2
NOWHERE = "BCDFGH"
PASSWORD = "open sesame"

Door = Callable[["Stranger", str], Awaitable[str]]


class Stranger:
    def __init__(self, address: str, session: ClientSession) -> None:
        self.address = address
        self.session = session

    async def say(self, *message: Any) -> str:
        async with guest(self.address) as client:
            return await client.ask(*message)

    async def get(self, path: str, token: str | None = None) -> tuple[int, str, str]:
        """The status, the code of the refusal, and its sentence; for existing rooms only the status."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with self.session.get(self.address + path, headers=headers) as answer:
            if answer.status == 200:
                return 200, "ok", ""
            error = (await answer.json())["error"]
            return answer.status, error["code"], error["message"]

    async def refusal_like_that_of_a_missing_room(self, path: str, token: str | None = None) -> str:
        status, code, message = await self.get(path.format(CODE), token)
        assert status == 404
        assert (status, code, message.replace(CODE, NOWHERE)) == await self.get(path.format(NOWHERE), token)
        return code


def asking(path: str) -> Door:
    async def ask(stranger: Stranger, code: str) -> str:
        return (await stranger.get(path.format(code=code)))[1]

    return ask


#: Every way to say a code.
DOORS: dict[str, Door] = {
    "join": lambda stranger, code: stranger.say("join", code, "Eve", None),
    "resume": lambda stranger, code: stranger.say("join", code, "Eve", ["epoch", 1, 0]),
    "watch": lambda stranger, code: stranger.say("watch", code, "Eve"),
    "about": asking("/api/rooms/{code}"),
    "record": asking("/api/races/{code}/1"),
    "record in JSON": asking("/api/races/{code}/1.json"),
    **{
        kind: asking(f"/api/tournaments/{{code}}{kind}")
        for kind in (".json", ".bundle.json", ".csv", "-results.csv", "-teams.csv", ".ics")
    },
}


@asynccontextmanager
async def visiting(url: str, data: Path, guesses: int) -> AsyncIterator[Stranger]:
    limits = GENEROUS._replace(guesses=Rate(1, "hour", guesses))
    async with serving(data, redis=url, limits=limits) as address, ClientSession() as session:
        yield Stranger(address, session)


@pytest.fixture
async def stranger(url: str, tmp_path: Path) -> AsyncIterator[Stranger]:
    async with visiting(url, tmp_path, MANY) as stranger:
        yield stranger


@pytest.fixture
async def visitor(url: str, tmp_path: Path) -> AsyncIterator[Stranger]:
    """A guest with unlimited attempts."""
    async with visiting(url, tmp_path, 1000) as visitor:
        yield visitor


async def test_a_wrong_guess_of_any_kind_counts_and_then_all_kinds_are_blocked(url: str, tmp_path: Path) -> None:
    async with visiting(url, tmp_path, len(DOORS)) as stranger:
        for door in DOORS.values():
            assert await door(stranger, NOWHERE) in {"unknown-room", "unknown-race"}
        for door in DOORS.values():
            assert await door(stranger, NOWHERE) == "too-fast"


FAILS: dict[str, tuple[Table, str, str]] = {
    "locked": (lobby(1), "join", "locked"),
    "full": (lobby(2, seats=2), "join", "full"),
    "not to be watched": (lobby(1, watching="nobody"), "watch", "not-watchable"),
    "no tournament": (lobby(1), ".csv", "unknown-room"),
    "not begun": (lobby(1), "record", "unknown-race"),
    "never played": (over(1, watching="nobody"), "record", "unknown-race"),
}
FAILS["closed"] = (lobby(1), "about", "unknown-room")
FAILS["closed"][0].happen(events.RoomClosed("spam"))
FAILS["locked"][0].happen(events.Locked(True))


@pytest.mark.parametrize("why", FAILS)
async def test_wrong_guesses_cost_the_same_for_existing_rooms(stranger: Stranger, admin: Admin, why: str) -> None:
    table, door, code = FAILS[why]
    await store_of(admin, table)
    for _ in range(MANY):
        assert await DOORS[door](stranger, CODE) == code
    assert await DOORS["join"](stranger, NOWHERE) == "too-fast"


async def test_a_right_guess_is_free(stranger: Stranger, admin: Admin) -> None:
    await store_of(admin, over(1))
    for _ in range(MANY + 1):
        for door in ("join", "watch", "about", "record"):
            assert await DOORS[door](stranger, CODE) == "ok"


def of(table: Table, client: RawClient, name: str) -> Table:
    known = client.token.partition(".")[0]
    table.log = [
        (at, replace(event, guest=known) if isinstance(event, events.Joined) and event.guest == name else event)
        for at, event in table.log
    ]
    return table


async def test_the_record_of_an_unwatchable_race_is_for_its_racers(visitor: Stranger, admin: Admin) -> None:
    async with guest(visitor.address) as bob, guest(visitor.address) as eve:
        await store_of(admin, of(over(2, watching="nobody"), bob, "bob"))
        for path in ("/api/races/{}/1", "/api/races/{}/1.json"):
            assert (await visitor.get(path.format(CODE), bob.token))[0] == 200
            for token in (None, eve.token):
                assert await visitor.refusal_like_that_of_a_missing_room(path, token) == "unknown-race"
        async with Client(visitor.address, token=bob.token) as client, Client(visitor.address) as another:
            await client.join("Bob", CODE)
            assert race_record.read(await client.record(1))["code"] == CODE
            await another.join("Eve", CODE)
            with pytest.raises(CannotRead, match="has no race 1"):
                await another.record(1)


async def test_a_forged_token_is_refused(visitor: Stranger, admin: Admin) -> None:
    await store_of(admin, over(2, watching="nobody"))
    for token in ("x", "a.b.c", "é", "." * 300):
        assert (await visitor.get(f"/api/races/{CODE}/1", token))[:2] == (401, "bad-token")


async def test_access_to_a_tournament_with_a_password(visitor: Stranger, admin: Admin) -> None:
    async with guest(visitor.address) as bob, guest(visitor.address) as eve:
        table = drawn(2, {"entry": "password", "rounds": 1})
        begin(table)
        play(table, 2)
        await store_of(admin, of(table, bob, "guest 1"))
        for kind in (".json", ".bundle.json", ".csv", "-results.csv", "-teams.csv", ".ics"):
            path = f"/api/tournaments/{{}}{kind}"
            assert (await visitor.get(path.format(CODE), bob.token))[0] == 200
            assert await visitor.refusal_like_that_of_a_missing_room(path, eve.token) == "unknown-room"
        assert (await visitor.get(f"/api/races/{CODE}/1", bob.token))[0] == 200
        assert (await visitor.get(f"/api/races/{CODE}/1", eve.token))[1] == "unknown-race"


async def test_a_room_without_tournament_is_refused_like_a_missing_one(visitor: Stranger, admin: Admin) -> None:
    await store_of(admin, lobby(1))
    assert await visitor.refusal_like_that_of_a_missing_room("/api/tournaments/{}.csv") == "unknown-room"


async def open_tournament(host: RawClient, **plan: Any) -> str:
    return await host.create(False, {"entry": "password", **plan}, PASSWORD)


async def test_spectators_give_the_password_once(url: str, admin: Admin, tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "one", redis=url) as one,
        serving(tmp_path / "two", redis=url) as two,
        guest(one) as ann,
        guest(two) as wanda,
        AsyncExitStack() as stack,
    ):
        code = await open_tournament(ann)
        assert await wanda.ask("watch", code, "Wanda") == "wrong-password"
        assert await wanda.ask("watch", code, "Wanda", "guess") == "wrong-password"
        assert await wanda.ask("watch", code, "Wanda", PASSWORD) == "ok"
        assert await admin.redis.ttl(f"ft:{{{code}}}:let-in") > 0
        # The host, and guests who gave the password, need not give it to another process.
        for client in (wanda, ann):
            again = await stack.enter_async_context(guest(one, client.token))
            assert await again.ask("watch", code, "Again") == "ok"
        async with ClientSession() as session:
            path = f"/api/tournaments/{code}.csv"
            assert (await Stranger(one, session).get(path, wanda.token))[0] == 200
            assert (await Stranger(one, session).get(path))[0] == 404


async def test_the_host_can_allow_spectators_without_password(visitor: Stranger) -> None:
    async with guest(visitor.address) as ann, guest(visitor.address) as wanda:
        code = await open_tournament(ann, spectators="open")
        assert await wanda.ask("watch", code, "Wanda") == "ok"
        assert (await visitor.get(f"/api/tournaments/{code}.csv"))[0] == 200
        assert await wanda.ask("leave") == "watching"
        async with guest(visitor.address) as bob:
            assert await bob.ask("join", code, "Bob", None) == "wrong-password"
