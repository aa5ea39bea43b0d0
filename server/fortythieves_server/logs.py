"""What is logged, for people or for programs: a sentence a line, or a JSON object a line."""

import json
import logging
import re
from datetime import UTC, datetime

#: Each place in a message where something is put in, with the word before it.
_PLACES = re.compile(r"(\w*)\W*%[sdr]")


class AsJson(logging.Formatter):
    """One JSON object a line. Where a message speaks of a room or a seat, that is a field of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if isinstance(record.args, tuple):
            places = zip(_PLACES.findall(str(record.msg)), record.args, strict=False)
            said |= {word: value for word, value in places if word in {"room", "seat"}}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)


def begin(*, verbose: bool, as_json: bool) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(AsJson() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])
