"""Any HTTP request gets an answer below 500, and the server continues."""

import os
import re
from urllib.parse import quote

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz import odd
from tests.fuzz.server import Server

#: `make fuzz` has more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "150"))

PATHS = """
/ /r/{} /r/{}/{} /ws /ws /healthz /readyz /assets/{} /{} * /api/rooms /api/rooms/{} /api/address /api/key /api/{}
/api/openapi.json /api/races/{}/{} /api/races/{}/{}.json /api/tournaments/{}.json /api/tournaments/{}.bundle.json
/api/tournaments/{}.csv /api/tournaments/{}-results.csv /api/tournaments/{}-teams.csv /api/tournaments/{}.ics
/api/tournaments/{}{}
"""
HEADERS = """
Host Origin X-Forwarded-For If-None-Match Accept-Encoding Range Cookie Expect Connection Upgrade Sec-WebSocket-Version
Sec-WebSocket-Key Sec-WebSocket-Protocol Sec-WebSocket-Extensions Content-Length Transfer-Encoding Content-Encoding
Content-Type
"""
VALUES = """
127.0.0.1|http://[|http://[::1]:x|null|*|"|W/"|"x", W/"y"|gzip|gzip;q=x|1.2.3.4, ::1%eth0, x|websocket|Upgrade|13|-1
dGhlIHNhbXBsZSBub25jZQ==|chunked|100-continue|deflate
permessage-deflate; server_max_window_bits=99|text/plain; charset=x
"""

_text = odd.texts.map(lambda text: text.encode(errors="replace"))
_hole = st.sampled_from(["KQXWVD", "kqxwvd", "1", "999999", "0", "w", "..", "%2e%2e", "%00", "٣" * 6]) | odd.texts.map(
    lambda text: quote(text.encode(errors="replace"), safe="")
)
_path: SearchStrategy[bytes] = (
    st.builds(lambda path, one, two: path.format(one, two).encode(), st.sampled_from(PATHS.split()), _hole, _hole)
    | _text
)
_value: SearchStrategy[bytes] = (
    st.sampled_from([value.encode() for value in re.split(r"[|\n]", VALUES.strip())]) | _text
)
_header = st.tuples(st.sampled_from(HEADERS.split()).map(str.encode) | _text, _value)
_method = st.sampled_from([b"GET"] * 6 + [b"HEAD", b"POST", b"OPTIONS", b"PUT", b"DELETE", b"CONNECT", b"get", b"\xff"])


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    line = draw(_method), draw(_path) + draw(st.just(b"") | _text.map(b"?".__add__)), b"HTTP/1.1"
    headers = [(b"Host", b"localhost"), *draw(st.lists(_header, max_size=4))]
    return b" ".join(line) + b"".join(b"\r\n%b: %b" % header for header in headers) + b"\r\n\r\n"


def is_clean(server: Server, answer: bytes) -> None:
    version, status = answer.split(b"\r\n", 1)[0].split(b" ")[:2]
    # 503 is valid, too: the server is busy.
    assert version.startswith(b"HTTP/") and int(status) in {*range(100, 500), 503}, answer[:400]
    assert server.errors == []


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(requests())
def test_any_request_gets_an_answer_below_500(server: Server, asked: bytes) -> None:
    server.errors.clear()
    is_clean(server, server.ask(asked))


@settings(max_examples=EXAMPLES // 3, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200) | odd.damaged([b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"]))
def test_any_bytes_on_the_connection_get_a_clean_answer_or_none(server: Server, data: bytes) -> None:
    server.errors.clear()
    answer = server.tell(data)
    if answer:
        is_clean(server, answer)


def test_the_server_is_healthy_after_odd_requests(server: Server) -> None:
    assert server.ask(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")
