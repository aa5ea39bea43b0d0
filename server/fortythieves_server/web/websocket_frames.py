"""What we write ourselves of the WebSocket protocol (RFC 6455): heads of frames, and a ping. The rest is aiohttp's."""

#: Section 5.2: the last frame of a message (it is the only one), binary, and up to 125 bytes.
_HEADS = [bytes((0x82, size)) for size in range(126)]
#: Section 5.5.2: a ping that says nothing.
PING_FRAME = b"\x89\x00"
#: Bytes that a reason may have: a control frame holds 125, and the code takes two (5.5, 5.5.1).
_REASON = 123


def head(size: int) -> bytes:
    """What comes before the payload of a binary message of so many bytes."""
    if size < 126:
        return _HEADS[size]
    return b"\x82\x7e" + size.to_bytes(2, "big") if size < 1 << 16 else b"\x82\x7f" + size.to_bytes(8, "big")


def fitting(reason: str) -> bytes:
    """The beginning of a reason that a close frame has room for. No character is cut in two."""
    return reason.encode()[:_REASON].decode(errors="ignore").encode()
