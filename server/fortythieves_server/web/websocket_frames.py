"""Our own part of the WebSocket protocol (RFC 6455): heads of frames, and pings. aiohttp does the rest."""

#: Section 5.2: the only frame of a message, binary, with up to 125 bytes.
_HEADS = [bytes((0x82, size)) for size in range(126)]
#: Section 5.5.2: a ping without content.
PING_FRAME = b"\x89\x00"
#: The most bytes of a close reason: a control frame holds 125, and the code takes two (5.5, 5.5.1).
_REASON = 123


def head(size: int) -> bytes:
    """The head of a binary message with ``size`` bytes."""
    if size < 126:
        return _HEADS[size]
    return b"\x82\x7e" + size.to_bytes(2, "big") if size < 1 << 16 else b"\x82\x7f" + size.to_bytes(8, "big")


def fitting(reason: str) -> bytes:
    """As much of a reason as fits into a close frame. No character is split."""
    return reason.encode()[:_REASON].decode(errors="ignore").encode()
