"""Encode and decode messages: MessagePack, one message per frame. Parsing gives a message or raises `Invalid`.

A `create` or `plan` that is too long for a frame comes in parts: frames with a MessagePack *binary* each, with the
next bytes of the message, and an empty one after them.
"""

from collections.abc import Callable

import msgspec

from fortythieves.errors import Invalid
from fortythieves.protocol import to_client, to_server

#: The most bytes of a message in one frame, and the most parts of a longer one. The longest plan fits.
PART, MOST_PARTS = 16_000, 40

#: The first bytes of binaries (bin 8, bin 16 and bin 32).
_BINARY = (b"\xc4", b"\xc5", b"\xc6")

#: Gives the frame of a message.
encode: Callable[[to_client.Message | to_server.Message], bytes] = msgspec.msgpack.Encoder().encode
_to_server: msgspec.msgpack.Decoder[to_server.Message] = msgspec.msgpack.Decoder(to_server.ANY)
_part: msgspec.msgpack.Decoder[bytes] = msgspec.msgpack.Decoder(bytes)


def read_request(frame: bytes) -> to_server.Message:
    """Decode a client's message. Raises `Invalid`."""
    try:
        message: to_server.Message = _to_server.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(str(error)) from None
    return message


def is_part(frame: bytes) -> bool:
    """Whether a frame is a part of a longer message."""
    return frame.startswith(_BINARY)


def read_part(frame: bytes) -> bytes:
    """The bytes in a part of a message; none: it is complete. Raises `Invalid`."""
    try:
        return _part.decode(frame)
    except msgspec.DecodeError as error:
        raise Invalid(str(error)) from None
