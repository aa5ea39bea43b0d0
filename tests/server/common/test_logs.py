import json
import logging
from typing import Any

import pytest
from aiohttp.http_exceptions import BadStatusLine

from fortythieves_server.common.logs import AsJson, about, of_requests


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


def test_room_and_seat_are_fields_if_there_are_any() -> None:
    line = formatted("room %s: the move log of seat %d is damaged", "KQXWVD", 3, extra=about("KQXWVD", 3))
    assert (line["room"], line["seat"]) == ("KQXWVD", 3)
    assert not formatted("a connection failed", extra=about(None, 0)).keys() & {"room", "seat"}


def test_a_traceback_is_in_the_same_line() -> None:
    try:
        int("x")
    except ValueError as error:
        assert "Traceback" in formatted("a sweep failed", error=error)["error"]


def failed_request(error: Exception) -> None:
    of_requests().error("Error handling request from %s", "192.0.2.1", exc_info=error)


@pytest.mark.parametrize("level", [logging.INFO, logging.WARNING])
def test_an_unreadable_request_is_one_line_of_information(caplog: pytest.LogCaptureFixture, level: int) -> None:
    with caplog.at_level(level, of_requests().name):
        failed_request(BadStatusLine("GET /secret"))
    expected = [("INFO", "a request could not be read: BadStatusLine", None)] if level == logging.INFO else []
    assert [(line.levelname, line.getMessage(), line.exc_info) for line in caplog.records] == expected


def test_a_bug_in_a_request_is_an_error_with_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    failed_request(ValueError("a bug"))
    [line] = caplog.records
    assert line.levelname == "ERROR" and line.exc_info
