"""The first line of a request names a room, or not. Nothing else is read from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.process.accepted_socket import is_websocket, room_in
from fortythieves_server.rooms.registry import LENGTH, LETTERS


@given(st.text(LETTERS, min_size=LENGTH, max_size=LENGTH), st.binary())
def test_a_line_that_names_a_room_gives_its_code(code: str, rest: bytes) -> None:
    for target in (f"/ws?room={code}", f"/ws?room={code.lower()}", f"/ws?a=b&room={code}&c=%20"):
        line = f"GET {target} HTTP/1.1\r\n".encode() + rest
        assert is_websocket(line)
        assert room_in(line) == code


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"GET /ws HTTP/1.1\r\n",
        b"GET /ws?room= HTTP/1.1\r\n",
        b"GET /ws?room=KQXWV HTTP/1.1\r\n",
        b"GET /ws?room=KQXWVDD HTTP/1.1\r\n",
        b"GET /ws?room=" + b"K" * 5000 + b" HTTP/1.1\r\n",
        b"GET /ws?room=AEIOUY HTTP/1.1\r\n",
        b"GET /ws?room=KQXWV\xc3\x84 HTTP/1.1\r\n",
        b"GET /ws?zoom=KQXWVD HTTP/1.1\r\n",
        b"GET /ws?xroom=KQXWVD HTTP/1.1\r\n",
        b"GET /r/KQXWVD?room=KQXWVD HTTP/1.1\r\n",
        b"GET /ws#room=KQXWVD HTTP/1.1\r\n",
        b"POST /ws?room=KQXWVD HTTP/1.1\r\n",
        b"GET /ws?room=KQXWVD HTTP/1.1",
        b"GET /\r\nGET /ws?room=KQXWVD HTTP/1.1\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
    ],
)
def test_any_other_line_names_no_room(line: bytes) -> None:
    assert room_in(line) == ""
