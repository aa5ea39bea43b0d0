"""The encoding of messages: MessagePack in WebSocket frames."""

from collections.abc import Iterator

import msgpack
import msgspec

from fortythieves.protocol import to_client, to_server

#: The most bytes of a message in one frame.
PART = 16_000


def frames(message: to_server.Message) -> Iterator[bytes]:
    """The frames of a message to the server: one, or its parts and an empty one after them."""
    whole: bytes = msgpack.packb(msgspec.to_builtins(message))
    if len(whole) <= PART:
        yield whole
        return
    for start in range(0, len(whole), PART):
        yield msgpack.packb(whole[start : start + PART])
    yield msgpack.packb(b"")


def decode(frame: bytes | str) -> to_client.Message:
    """The message of a frame from the server. Raises an exception for other data."""
    message: to_client.Message = msgspec.convert(msgpack.unpackb(frame), to_client.ANY)
    return message
