"""A message that comes in parts, because it is too long for a frame: a plan with a long entry list."""

from fortythieves.errors import Invalid
from fortythieves.protocol import to_server
from fortythieves.protocol.wire import MOST_PARTS, is_part, read_part, read_request

#: Seconds in which the next part must come, so that nobody keeps the server's memory for nothing.
NEXT_PART = 10.0


class LongMessage:
    """The parts that have come so far."""

    __slots__ = ("_parts", "_until")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._until = 0.0

    def patience(self, now: float) -> float | None:
        """The seconds until the next part must come. None: no message is incomplete. Times are in seconds."""
        return max(self._until - now, 0.0) if self._parts else None

    def take(self, frame: bytes, now: float) -> to_server.Message | None:
        """The message that a frame completes, or None. Raises `Invalid`."""
        if not is_part(frame):
            if self._parts:
                raise Invalid("the parts of a message come without others between them")
            return read_request(frame)
        if part := read_part(frame):
            if len(self._parts) == MOST_PARTS:
                raise Invalid("a message has too many parts")
            self._parts.append(part)
            self._until = now + NEXT_PART
            return None
        message = read_request(b"".join(self._parts))
        self._parts = []
        if not isinstance(message, to_server.Create | to_server.ChangePlan):
            raise Invalid("only a plan comes in parts")
        return message
