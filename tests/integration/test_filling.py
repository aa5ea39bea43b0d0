"""Clients that fill the log of a room do not disturb its host and racers."""

from pathlib import Path

import pytest

from fortythieves_server.common.limits import Rate
from tests.integration.raw import RawClient, guest
from tests.serving import GENEROUS, serving

FEW = Rate(1, "hour", 5)


async def until_refused(client: RawClient, *commands: tuple[object, ...]) -> str:
    for n in range(1_000):
        for tag, *fields in commands:
            answer = await client.ask(
                str(tag), *(field.format(n) if isinstance(field, str) else field for field in fields)
            )
            if answer != "ok":
                return answer
    raise AssertionError("there is no end to it")


def hang_up(*clients: RawClient) -> None:
    """Abort the connections, because a close frame would wait behind unread data."""
    for client in clients:
        client.socket.transport.abort()


async def test_the_limit_of_one_guest_in_a_room_does_not_stop_others(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, limits=GENEROUS._replace(guest_in_room=Rate(1, "hour", 6))) as address,
        guest(address) as host,
        guest(address) as bob,
    ):
        code = await host.create(auto_start=False)
        assert await bob.ask("join", code, "Bob") == "ok"
        assert (
            await until_refused(bob, ("ready", ""), ("unready",), ("rename", "B{}"), ("chat", "{}", "{}")) == "too-fast"
        )
        assert await until_refused(bob, ("react", "clap"), ("react", "sad")) == "too-fast"
        assert await host.ask("react", "clap") == "ok"
        # On another connection it is still the same guest; the host is another one.
        async with guest(address, bob.token) as again:
            assert await again.ask("join", code, "Bob") == "ok"
            assert await again.ask("ready", "") == "too-fast"
            assert await again.ask("leave") == "ok", "there is no limit to going"
        assert await host.ask("ready", "") == "ok"
        assert await host.ask("chat", "k", "Well.") == "ok"


@pytest.mark.parametrize("seated", [True, False], ids=["at seats", "watching"])
async def test_all_guests_of_an_address_share_a_limit_in_a_room(tmp_path: Path, seated: bool) -> None:
    limits = GENEROUS._replace(address_in_room=FEW if seated else Rate(1, "hour", 50))
    async with serving(tmp_path, limits=limits) as address, guest(address) as host:
        code = await host.create()
        said = []
        for n in range(3):
            async with guest(address) as stranger:
                assert await stranger.ask("join" if seated else "watch", code, f"N{n}") == "ok"
                said += [await stranger.ask("chat", f"{k}", f"line {n}") for k in range(2)]
        assert said == ["ok"] * 5 + ["too-fast"]
        async with guest(address) as stranger:
            other = await stranger.create()
            assert other != code and await stranger.ask("chat", "k", "hi") == "ok", "each room for itself"
        hang_up(host)


async def test_a_guest_can_rejoin_a_room_only_so_often_and_so_can_all_guests_of_an_address(tmp_path: Path) -> None:
    """Each return adds two events, and notifies all clients."""
    limits = GENEROUS._replace(guest_in_room=Rate(1, "hour", 15), address_in_room=Rate(1, "hour", 8))
    async with serving(tmp_path, limits=limits) as address, guest(address) as host:
        code = await host.create()
        async with guest(address) as bob:
            came = [await bob.ask("join", code, "Bob")]
        for _ in range(5):
            async with guest(address, bob.token) as again:
                came.append(await again.ask("join", code, "Bob"))
        assert came == ["ok"] * 5 + ["too-fast"]
        for n in range(4):
            async with guest(address) as stranger:
                came.append(await stranger.ask("join", code, f"N{n}"))
        assert came[6:] == ["ok"] * 3 + ["too-fast"]
        hang_up(host)


async def test_joining_a_circle_costs_a_guest_more_than_its_leader_pays_to_remove_them(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=GENEROUS._replace(guest_in_room=Rate(1, "hour", 120))) as address:
        async with guest(address) as ann, guest(address) as eve:
            assert await ann.ask("found", "Friday", "Ann") == "ok"
            [[_, code]] = ann.messages("challenged")
            for client in (ann, eve):
                assert await client.ask("watch", code, "Guest") == "ok"
            came = [await eve.ask("membership", do, 0, "Eve") for _ in range(5) for do in ("join", "leave")]
            removed = [await ann.ask("membership", "remove", 99) for _ in range(20)]
        assert came[::2] == ["ok"] * 4 + ["too-fast"] and removed == ["unknown-seat"] * 20
