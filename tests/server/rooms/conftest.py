"""The process for files, and the records that it makes."""

from collections.abc import AsyncIterator

import pytest

from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.records import RecordKey, Records
from fortythieves_server.rooms.room_service import RoomService


@pytest.fixture
async def file_process() -> AsyncIterator[FileProcess]:
    file_process = FileProcess()
    yield file_process
    await file_process.close()


@pytest.fixture
async def records(one: RoomService, file_process: FileProcess) -> Records:
    return Records(one.finished, RecordKey(bytes(range(32))), file_process)
