"""The encoding of messages: MessagePack in WebSocket frames."""

import msgpack
import msgspec

from fortythieves.protocol import to_client, to_server


def encode(message: to_server.Said) -> bytes:
    """The frame of a message to the server."""
    frame: bytes = msgpack.packb(msgspec.to_builtins(message))
    return frame


def decode(frame: bytes | str) -> to_client.Message:
    """The message of a frame from the server. Raises an exception if it is none."""
    message: to_client.Message = msgspec.convert(msgpack.unpackb(frame), to_client.Message)
    return message
