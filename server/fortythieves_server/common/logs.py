"""Logs: one sentence per line for people, or one JSON object per line for programs.

No log line contains a guest token, a password, a secret of a deal, chat, or other data that strangers sent, except a
host that was refused: operators must compare it with their settings.
"""

import asyncio
import logging
from typing import Any

from pythonjsonlogger.json import JsonFormatter


class AsJson(JsonFormatter):
    """One JSON object per line. The fields of `about` are fields of this object."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "error"}
        super().__init__(["levelname", "name", "process", "message"], rename_fields=names, timestamp="at")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {**log_data, "level": log_data["level"].lower()}


def about(room: str | None, seat: int | None = None) -> dict[str, str | int]:
    """The ``extra`` of a line that names a room and a seat. A connection that fails early has neither."""
    return {name: value for name, value in (("room", room), ("seat", seat)) if value}


def begin(*, verbose: bool, as_json: bool) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(AsJson() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])


class Seldom:
    """Logs what strangers can cause, at most once a minute."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._next = 0.0

    def warning(self, sentence: str, *arguments: object) -> None:
        if (now := asyncio.get_running_loop().time()) >= self._next:
            self._next = now + 60
            self._log.warning(sentence, *arguments)


def of_requests() -> logging.Logger:
    """The logger for aiohttp. An unreadable request is not the server's fault, so it is no warning."""
    from aiohttp.http_exceptions import HttpProcessingError

    log = logging.getLogger(f"{__name__.rpartition('.')[0]}.requests")

    def calm(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError):
            record.msg, record.args = "a request could not be read: %s", (type(error).__name__,)
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
        return log.isEnabledFor(record.levelno)

    log.filters[:] = [calm]
    return log
