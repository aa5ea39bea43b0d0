import json
import logging
from typing import Any

from fortythieves_server.logs import AsJson


def said(message: str, *args: object, error: BaseException | None = None) -> dict[str, Any]:
    about = (type(error), error, error.__traceback__) if error else None
    line = AsJson().format(logging.LogRecord("fortythieves_server.room", logging.WARNING, "", 1, message, args, about))
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_says_when_how_bad_and_what() -> None:
    line = said("Redis is back")
    assert line.keys() == {"at", "level", "logger", "process", "message"}
    assert line["level"] == "warning" and line["message"] == "Redis is back"
    assert line["at"].endswith("+00:00")


def test_the_room_and_the_seat_that_are_spoken_of_are_fields() -> None:
    line = said("room %s: the moves of seat %d cannot be folded", "KQXWVD", 3)
    assert (line["room"], line["seat"]) == ("KQXWVD", 3)
    line = said("put off (%s) in room %s", "why", "KQXWVD")
    assert line["room"] == "KQXWVD" and "why" not in line


def test_what_failed_is_told_with_its_traceback_in_the_same_line() -> None:
    try:
        int("x")
    except ValueError as error:
        assert "Traceback" in said("a sweep failed", error=error)["error"]
