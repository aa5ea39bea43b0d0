import ast
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.http_exceptions import BadStatusLine

import fortythieves_server
from fortythieves_server.common.logs import AsJson, about, of_requests

SERVER = Path(fortythieves_server.__file__).parent


def formatted(message: str, *args: object, error: BaseException | None = None, extra: Any = None) -> dict[str, Any]:
    log = logging.getLogger("fortythieves_server.rooms.live_room")
    failed = (type(error), error, error.__traceback__) if error else None
    line = AsJson().format(log.makeRecord(log.name, logging.WARNING, "", 1, message, args, failed, extra=extra))
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_has_time_level_and_message() -> None:
    line = formatted("Redis is back")
    assert line.keys() == {"at", "level", "logger", "process", "message"}
    assert line["level"] == "warning" and line["message"] == "Redis is back"
    assert line["at"].endswith("+00:00")


def test_room_and_seat_are_fields() -> None:
    line = formatted("room %s: the move log of seat %d is damaged", "KQXWVD", 3, extra=about("KQXWVD", 3))
    assert (line["room"], line["seat"]) == ("KQXWVD", 3)


def test_every_line_about_a_room_has_it_as_a_field() -> None:
    lines = [
        node
        for path in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "log"
    ]
    about_rooms = [line for line in lines if "room %s" in ast.unparse(line)]
    assert len(about_rooms) > 10
    assert [ast.unparse(line) for line in about_rooms if "extra" not in {one.arg for one in line.keywords}] == []


def test_a_traceback_is_in_the_same_line() -> None:
    try:
        int("x")
    except ValueError as error:
        assert "Traceback" in formatted("a sweep failed", error=error)["error"]


def test_a_connection_without_a_seat_has_no_such_field() -> None:
    line = formatted("a connection failed in room %s, seat %s", None, 0, extra=about(None, 0))
    assert not line.keys() & {"room", "seat"}


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    """The log of aiohttp about requests, at the level of warnings."""
    log, kept = of_requests(), _Kept()
    log.addHandler(kept)
    log.setLevel(logging.WARNING)
    yield kept.records
    log.removeHandler(kept)
    log.setLevel(logging.NOTSET)


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def failed(error: Exception) -> None:
    """Log like aiohttp."""
    of_requests().error("Error handling request from %s", "192.0.2.1", exc_info=error)


def test_an_unreadable_request_is_one_line_of_information(lines: list[logging.LogRecord]) -> None:
    failed(BadStatusLine("GET /secret"))
    assert lines == []
    of_requests().setLevel(logging.INFO)
    failed(BadStatusLine("GET /secret"))
    [line] = lines
    assert (line.levelname, line.getMessage()) == ("INFO", "a request could not be read: BadStatusLine")
    assert not line.exc_info


def test_a_bug_in_a_request_is_an_error_with_a_traceback(lines: list[logging.LogRecord]) -> None:
    failed(ValueError("a bug"))
    [line] = lines
    assert line.levelname == "ERROR" and line.exc_info
