"""Stored values, and the number of the schema."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from fortythieves.times import Ms
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.store import schema
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import OtherSchema
from fortythieves_server.store.schema import Notification
from fortythieves_server.store.store import Store
from tests.server.stores import Admin, opened


def test_notifications_of_other_processes_are_read_and_own_ones_ignored() -> None:
    channel = schema.of_room("KQXWVD", "notify")
    assert list(schema.notifications_of("one", channel, b"two room")) == [Notification("KQXWVD", None, None, None)]
    heard = list(
        schema.notifications_of(
            "one", channel, b"two moves 3\n2 7 3 1000 57 7 - 1200 ab12\n4 1 0 1100 63 1 - 1200 cd34"
        )
    )
    assert heard == [
        Notification("KQXWVD", 3, 2, Progress(7, 3, Ms(1000), 57, 7, "", Ms(1200), "ab12")),
        Notification("KQXWVD", 3, 4, Progress(1, 0, Ms(1100), 63, 1, "", Ms(1200), "cd34")),
    ]
    reacted = Notification("KQXWVD", None, None, None, (2, 0, 0, 1, 0, 0))
    assert list(schema.notifications_of("one", channel, b"two reactions 2 0 0 1 0 0")) == [reacted]
    raced = reacted._replace(of_racers=((7, 5), (12, 0)))
    assert list(schema.notifications_of("one", channel, b"two reactions 2 0 0 1 0 0\n7 5\n12 0")) == [raced]
    assert list(schema.notifications_of("two", channel, b"two room")) == []
    assert list(schema.notifications_of("one", schema.of_process("one"), b"two room")) == []


async def test_the_first_server_notes_its_schema_and_later_ones_start(url: str, admin: Admin) -> None:
    await admin.redis.set("another program's key", "value")
    for process in ("one", "two"):
        async with opened(url, process) as store:
            await store.keys.signing_key()
    assert await admin.redis.get(schema.SCHEMA_KEY) == b"%d" % schema.SCHEMA


@pytest.mark.parametrize(("keys", "found"), [({"ft:schema": "0"}, "0"), ({"ft:key:{ft:schema}": "x"}, "unknown")])
async def test_data_with_another_schema_is_refused_and_stays(
    keys: dict[str, str], found: str, url: str, admin: Admin
) -> None:
    for name, value in keys.items():
        await admin.redis.set(name, value)
    with pytest.raises(OtherSchema, match=f"its schema is {found}, and this version needs {schema.SCHEMA}"):
        await Store(url, "one", Clock()).open()
    assert await admin.redis.keys("*") == [name.encode() for name in keys]


async def test_servers_that_start_together_on_an_empty_redis_all_start(url: str) -> None:
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as starting:
        for n in range(8):
            starting.create_task(_start(stack, url, f"{n}"))


async def _start(stack: AsyncExitStack, url: str, process: str) -> None:
    store = await stack.enter_async_context(opened(url, process))
    await store.keys.signing_key()
