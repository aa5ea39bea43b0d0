"""Which room a new connection is for, by the first line of its first request, before anything is read."""

import re

from fortythieves_server.rooms.registry import is_code

#: Bytes that are looked at. A browser's line has 35.
LOOKED_AT = 256

#: A request for a WebSocket whose address names a room (PROTOCOL.md).
_LINE = re.compile(rb"GET /ws\?(?:[^ \r\n]*&)?room=([A-Za-z]{6})(?:&[^ \r\n]*)? HTTP/1\.1\r\n")


def room_in(head: bytes) -> str:
    """The code of the room, "" if the line names none, is something else, or is not complete."""
    found = _LINE.match(head)
    return code_of(found[1].decode()) if found else ""


def code_of(named: str) -> str:
    """A code as an address names it, "" if no room could have it."""
    code = named.upper()
    return code if is_code(code) else ""
