"""Personal links and names of an entry list."""

from contextlib import AsyncExitStack

import pytest

from fortythieves_client.client import Client
from tests.integration.raw import guest

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAN = {"entry": "list", "listed": ["Ann", "Bob", "Cleo"]}


async def test_only_hosts_see_the_personal_links(address: str) -> None:
    async with AsyncExitStack() as stack:
        host, ann, wanda, late = [await stack.enter_async_context(guest(address)) for _ in range(4)]
        code = await host.create(False, {**PLAN, "links_only": True}, name="Hilda")
        assert await host.ask("show_list") == "ok"
        rows = host.messages("entry_list")[0][1]
        links = {name: ticket for name, _, ticket, _ in rows}
        assert await ann.ask("join", code, "Ann") == "links-only"
        assert await ann.ask("join", code, "", None, False, "", links["Ann"]) == "ok"
        assert await ann.ask("show_list") == "not-host"
        assert await wanda.ask("watch", code, "Wanda") == "ok"
        assert await host.ask("release", "Bob") == "ok"
        assert await late.ask("join", code, "", None, False, "", links["Cleo"]) == "ok"
        for client in (ann, wanda, late):
            said = b"".join(one.frame for one in client.received)
            assert not any(ticket.encode() in said for ticket in links.values())
        other = await stack.enter_async_context(guest(address))
        await other.create(False, PLAN)
        assert await other.ask("show_list") == "ok"
        others = other.messages("entry_list")[0][1]
        assert not {ticket for _, _, ticket, _ in others} & set(links.values())


async def test_a_thousand_names_of_the_longest_characters_are_a_list(address: str) -> None:
    names = [f"{chr(0x20000 + n) * 20}{n:04}" for n in range(1000)]
    async with Client(address) as host, Client(address) as ann:
        room = await host.create("Hilda", plan={"entry": "list", "listed": names})
        assert [name for name, *_ in await host.entry_list()] == names
        await host.change_plan(listed=names[::-1], pause=90)
        assert [name for name, *_ in await host.entry_list()] == names[::-1]
        await host.change_plan(pause=120)
        rows = await host.entry_list()
        assert [name for name, *_ in rows] == names[::-1]
        await ann.join("", room.code, ticket=rows[500][2])
        assert (await host.entry_list())[500][1] == 2
