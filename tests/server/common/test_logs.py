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


def said(message: str, *args: object, error: BaseException | None = None, extra: Any = None) -> dict[str, Any]:
    log = logging.getLogger("fortythieves_server.rooms.live_room")
    failed = (type(error), error, error.__traceback__) if error else None
    line = AsJson().format(log.makeRecord(log.name, logging.WARNING, "", 1, message, args, failed, extra=extra))
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_says_when_how_bad_and_what() -> None:
    line = said("Redis is back")
    assert line.keys() == {"at", "level", "logger", "process", "message"}
    assert line["level"] == "warning" and line["message"] == "Redis is back"
    assert line["at"].endswith("+00:00")


def test_the_room_and_the_seat_that_are_spoken_of_are_fields() -> None:
    line = said("room %s: the move log of seat %d is damaged", "KQXWVD", 3, extra=about("KQXWVD", 3))
    assert (line["room"], line["seat"]) == ("KQXWVD", 3)


def test_every_line_that_names_a_room_has_it_as_a_field() -> None:
    lines = [
        node
        for path in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "log"
    ]
    about_rooms = [line for line in lines if "room %s" in ast.unparse(line)]
    assert len(about_rooms) > 10
    assert [ast.unparse(line) for line in about_rooms if "extra" not in {one.arg for one in line.keywords}] == []


def test_what_failed_is_told_with_its_traceback_in_the_same_line() -> None:
    try:
        int("x")
    except ValueError as error:
        assert "Traceback" in said("a sweep failed", error=error)["error"]


def test_a_connection_that_had_no_seat_yet_is_not_said_to_have_one() -> None:
    line = said("a connection failed in room %s, seat %s", None, 0, extra=about(None, 0))
    assert not line.keys() & {"room", "seat"}


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    """What aiohttp logs about requests where nobody asked for more than warnings."""
    log, kept = of_requests(), FileCache()
    log.addHandler(kept)
    log.setLevel(logging.WARNING)
    yield kept.records
    log.removeHandler(kept)
    log.setLevel(logging.NOTSET)


class FileCache(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def failed(error: Exception) -> None:
    """As aiohttp says it."""
    of_requests().error("Error handling request from %s", "192.0.2.1", exc_info=error)


def test_a_request_that_cannot_be_read_is_one_line_for_those_who_want_to_know(lines: list[logging.LogRecord]) -> None:
    failed(BadStatusLine("GET /secret"))
    assert lines == []
    of_requests().setLevel(logging.INFO)
    failed(BadStatusLine("GET /secret"))
    [line] = lines
    assert (line.levelname, line.getMessage()) == ("INFO", "a request could not be read: BadStatusLine")
    assert not line.exc_info


def test_a_request_that_finds_a_bug_is_an_error_with_its_traceback(lines: list[logging.LogRecord]) -> None:
    failed(ValueError("a bug"))
    [line] = lines
    assert line.levelname == "ERROR" and line.exc_info
