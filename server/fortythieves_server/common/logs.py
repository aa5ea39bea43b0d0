"""Logs: one sentence per line for people, or one JSON object per line for programs.

No log line holds a guest token, a password, a secret of a deal, or what people say. Nothing that strangers sent is
repeated.
"""

import json
import logging
import re
from datetime import UTC, datetime

#: Each placeholder in a message, with the word before it.
_PLACES = re.compile(r"(\w*)\W*%[sdr]")


class AsJson(logging.Formatter):
    """One JSON object per line. The room and the seat that a message names are fields of their own."""

    def format(self, record: logging.LogRecord) -> str:
        """The log record as one line."""
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if isinstance(record.args, tuple):
            places = zip(_PLACES.findall(str(record.msg)), record.args, strict=False)
            # A connection that fails early has neither.
            said |= {word: value for word, value in places if word in {"room", "seat"} and value}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)


def begin(*, verbose: bool, as_json: bool) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(AsJson() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])


def of_requests() -> logging.Logger:
    """The logger for aiohttp. An unreadable request is not the server's fault, so it is logged at debug level."""
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
