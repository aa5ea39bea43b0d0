"""A message that comes in parts, because it is too long for a frame: a plan with a long entry list."""

from fortythieves.errors import Invalid
from fortythieves.protocol import to_server
from fortythieves.protocol.wire import MOST_PARTS, is_part, read_part, read_request


class LongMessage:
    """The parts that have come so far."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    @property
    def is_incomplete(self) -> bool:
        return bool(self._parts)

    def take(self, frame: bytes) -> to_server.Message | None:
        """The message that a frame completes, or None. Raises `Invalid`."""
        if not is_part(frame):
            if self._parts:
                raise Invalid("the parts of a message come without others between them")
            return read_request(frame)
        if part := read_part(frame):
            if len(self._parts) == MOST_PARTS:
                raise Invalid("a message has too many parts")
            self._parts.append(part)
            return None
        message = read_request(b"".join(self._parts))
        self._parts = []
        if not isinstance(message, to_server.Create | to_server.ChangePlan):
            raise Invalid("only a plan comes in parts")
        return message
