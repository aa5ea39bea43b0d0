"""The process for files, the records that it makes, and two players on two processes."""

from collections.abc import AsyncIterator

import pytest

from fortythieves.protocol.to_server import Watch
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.records import RecordKey, Records
from fortythieves_server.rooms.room_service import RoomService
from tests.server.clients import Client, ann_and_bob, store_of
from tests.server.stores import Admin
from tests.server.tables import CODE, MINUTE, lobby, racing

Pair = tuple[Client, Client]


async def watching(service: RoomService, guest: str, *, projector: bool = False) -> Client:
    client = Client(service, guest)
    client.live = await service.watch(client.peer, guest, Watch(1, CODE, guest.title(), projector=projector))
    await client.until(lambda: client.view)
    return client


@pytest.fixture
async def file_process() -> AsyncIterator[FileProcess]:
    file_process = FileProcess()
    yield file_process
    await file_process.close()


@pytest.fixture
async def records(one: RoomService, file_process: FileProcess) -> Records:
    return Records(one.finished, RecordKey(bytes(range(32))), file_process)


@pytest.fixture
async def players(one: RoomService, two: RoomService, admin: Admin) -> Pair:
    await store_of(admin, lobby(2))
    return await ann_and_bob(one, two)


@pytest.fixture
async def racers(one: RoomService, two: RoomService, admin: Admin) -> Pair:
    await store_of(admin, racing(2), ago=MINUTE)
    return await ann_and_bob(one, two)
