"""Encode and decode messages: MessagePack, one message per frame. Parsing gives a message or raises `Invalid`."""

import msgspec

from fortythieves.errors import Invalid
from fortythieves.protocol import to_client, to_server

_encoder = msgspec.msgpack.Encoder()
_to_server: msgspec.msgpack.Decoder[to_server.Message] = msgspec.msgpack.Decoder(to_server.Message)
_to_client: msgspec.msgpack.Decoder[to_client.Message] = msgspec.msgpack.Decoder(to_client.Message)


def encode(message: to_client.Said | to_server.Said) -> bytes:
    """The frame of a message."""
    return _encoder.encode(message)


def read_request(frame: bytes) -> to_server.Message:
    """Decode a client's message. Raises `Invalid`."""
    try:
        message: to_server.Message = _to_server.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(str(error)) from None
    return message


def read_answer(frame: bytes) -> to_client.Message:
    """Decode a server's message. Raises `Invalid`."""
    try:
        message: to_client.Message = _to_client.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(str(error)) from None
    return message
