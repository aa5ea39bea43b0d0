"""The first line of a request names a room, or it does not: nothing else is made of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.rooms.registry import LENGTH, LETTERS
from fortythieves_server.web.request_line import code_of, room_in


@given(st.text(LETTERS, min_size=LENGTH, max_size=LENGTH), st.binary())
def test_a_room_is_found_in_a_line_that_names_it_whatever_follows(code: str, rest: bytes) -> None:
    for target in (f"/ws?room={code}", f"/ws?room={code.lower()}", f"/ws?a=b&room={code}&c=%20"):
        assert room_in(f"GET {target} HTTP/1.1\r\n".encode() + rest) == code


@pytest.mark.parametrize(
    "head",
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
def test_any_other_line_names_none(head: bytes) -> None:
    assert room_in(head) == ""


@given(st.binary())
def test_whatever_comes_is_a_code_or_nothing(head: bytes) -> None:
    assert room_in(head) in {"", room_in(head).upper()}


@given(st.text())
def test_a_code_is_taken_as_it_is_or_not_at_all(named: str) -> None:
    assert code_of(named) in {"", named.upper()}
