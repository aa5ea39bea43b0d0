"""The targets. The first line of a target states a property that holds for every input.

Any unexpected exception is a bug, and so is a hang.
"""

import contextlib
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fortythieves.errors import CODES, Invalid, Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.wire import encode, is_part, read_request
from fortythieves.record import proof, race_record
from fortythieves.rules import cards, deal
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import MOVES, parse_move
from fortythieves.rules.settings import Settings
from fortythieves.tournament import audit, export
from fortythieves.tournament.plan import Plan
from fortythieves_client.address import parse_address
from fortythieves_client.verify import parse_link
from fortythieves_server.common.errors import StartError
from fortythieves_server.config import OPTIONS, config_of
from fortythieves_server.core import names_and_texts
from fortythieves_server.store import redis_url
from fortythieves_server.web.long_message import LongMessage
from tests.fuzz import odd


class Target(NamedTuple):
    check: Callable[[Any], None]
    given: SearchStrategy[Any]
    #: First inputs for a guided fuzzer if the input is bytes; else it makes the choices of ``given``.
    seeds: Callable[[], Sequence[bytes]] | None = None

    @property
    def name(self) -> str:
        return self.check.__name__


@contextlib.contextmanager
def refusing(*codes: str) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        assert refused.code in codes and refused.code in CODES
        assert str(refused).encode()


def any_frame(frame: bytes) -> None:
    """Any bytes are a message that survives encoding and decoding, or Invalid."""
    try:
        message = read_request(frame)
    except Invalid as invalid:
        assert str(invalid).encode()
    else:
        assert read_request(encode(message)) == message or "nan" in repr(message)


def any_parts(frames: list[bytes]) -> None:
    """Any frames are messages, parts of a plan, or Invalid."""
    message = LongMessage()
    try:
        for frame in frames:
            taken = message.take(frame)
            assert taken is None or not is_part(frame) or isinstance(taken, to_server.Create | to_server.ChangePlan)
    except Invalid as invalid:
        assert str(invalid).encode()


def any_move(text: str) -> None:
    """Any text is a move with exactly this text, or refused."""
    with refusing("bad-move"):
        assert str(parse_move(text)) == text


def any_cards(text: str) -> None:
    """Any text is cards with exactly this text, or a ValueError."""
    with contextlib.suppress(ValueError):
        assert cards.names(cards.parse_cards(text)) == text


def any_deck(names: list[str]) -> None:
    """Any names are a deck with every card twice, or refused."""
    with refusing("bad-deck"):
        assert sorted(deal.parse_deck(names)) == sorted(cards.PACKS)


def any_number(text: str) -> None:
    """Any text is a deal number with exactly this text, or refused."""
    with refusing("bad-number"):
        number = deal.parse_number(text)
        assert str(number) == text
        assert sorted(deal.deck_of_number(number)) == sorted(cards.PACKS)


def any_name(text: str) -> None:
    """Any text is a clean name of one short line, or refused."""
    with refusing("bad-name"):
        _is_clean(names_and_texts.clean_name(text), names_and_texts.clean_name, names_and_texts.NAME_LENGTH)


def any_chat(text: str) -> None:
    """Any text is a clean chat line, or refused."""
    with refusing("bad-chat"):
        _is_clean(names_and_texts.clean_chat(text), names_and_texts.clean_chat, names_and_texts.CHAT_LENGTH)


def _is_clean(text: str, clean: Callable[[str], str], most: int) -> None:
    assert 1 <= len(text) <= most and clean(text) == text
    assert text == text.strip() and unicodedata.is_normalized("NFC", text)
    assert not {unicodedata.category(char) for char in text} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert text.encode()


def any_settings(changes: Mapping[str, Any]) -> None:
    """Any changes give settings that survive storing, or are refused."""
    with refusing("bad-settings", "bad-number", "unknown-game"):
        settings = Settings().changed(changes)
        assert Settings().changed(_stored(settings, Settings)) == settings


def any_plan(changes: Mapping[str, Any]) -> None:
    """Any changes give a plan that survives storing and has settings for each round, or are refused."""
    with refusing("bad-plan"):
        plan = Plan().changed(changes)
        assert Plan().changed(_stored(plan, Plan)) == plan
        for number in range(1, plan.rounds + 1):
            plan.settings_of(Settings(), number).check()
        for entrants in (0, 1, 2, 1000):
            assert 0 <= plan.late_until(entrants) <= max(0, plan.rounds_of(entrants))


def _stored(value: msgspec.Struct, kind: type[msgspec.Struct]) -> Any:
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=kind)
    assert again == value
    return msgspec.to_builtins(again)


def any_record(data: bytes) -> None:
    """Any bytes are refused or a record, and only signed records pass all checks."""
    with refusing("not-a-record", "cut-record", "newer-record", "huge-record"):
        _verify(race_record.read(data))


def any_altered_record(plain: race_record.Plain) -> None:
    """An altered record is refused or checked, and passes only if it is the same."""
    any_record(json.dumps(plain).encode())
    with contextlib.suppress(OverflowError, ValueError):  # MessagePack cannot contain every value
        any_record(race_record.packed(plain))


def _verify(one: race_record.Plain) -> None:
    checks = proof.verify(one, odd.server_key())
    assert {check.check for check in checks} <= {*proof.CHECKS} and all(check.sentence.encode() for check in checks)
    if all(check.ok for check in checks):
        assert one in odd.records() or one in _in_bundles()


@cache
def _in_bundles() -> tuple[race_record.Plain, ...]:
    packed = export.read(export.written(msgspec.convert(odd.bundles()[0], export.File, strict=False))).records or {}
    return tuple(map(race_record.read, packed.values()))


def any_bundle(data: bytes) -> None:
    """Any bytes are refused or a tournament with findings."""
    with refusing("not-a-tournament"):
        _audit(export.read(data))


def any_altered_bundle(plain: export.Plain) -> None:
    """An altered bundle is refused or has findings."""
    any_bundle(json.dumps(plain).encode())


def any_record_in_a_bundle(plain: race_record.Plain) -> None:
    """A bundle with an altered record is valid only if the record is the same."""
    whole = export.read(json.dumps(odd.bundles()[0]).encode())
    try:
        packed = race_record.packed(plain)
    except (OverflowError, ValueError):
        return
    findings = _audit(msgspec.structs.replace(whole, records={**(whole.records or {}), 1: packed}))
    assert not all(finding.ok for finding in findings) or race_record.read(packed) in _in_bundles()


def _audit(file: export.File) -> list[audit.Finding]:
    findings = audit.audit(file, odd.server_key())
    assert findings and all(finding.about.encode() and finding.reason.encode() for finding in findings)
    return findings


PASSWORD = "hunter2"


def any_redis_url(text: str) -> None:
    """Any text is an address of Redis or a ValueError without the password."""
    try:
        parsed = redis_url.parse(text)
    except ValueError as error:
        assert str(error) and PASSWORD not in str(error)
    else:
        assert parsed.kind == "single" or parsed.hosts


def any_options(options: Mapping[str, str]) -> None:
    """Any texts are a configuration, or a StartError that names the option."""
    try:
        config = config_of(options, {})
    except StartError as error:
        assert any(f"--{name.replace('_', '-')} " in str(error) for name in options)
    else:
        assert 0 <= config.port < 65_536


def any_environment(variables: Mapping[str, str]) -> None:
    """Any variables are a configuration, or a StartError that names the variable."""
    try:
        assert 0 <= config_of({}, variables).port < 65_536
    except StartError as error:
        assert any(f"{name} " in str(error) for name in variables)


def any_address(text: str) -> None:
    """Any text is the address of a server, or a ValueError."""
    with contextlib.suppress(ValueError):
        assert re.match("wss?://", parse_address(text).socket)


def any_link(text: str) -> None:
    """Any text is the link of a race, or none."""
    link = parse_link(text)
    assert link is None or re.fullmatch("[A-Z]{6}", link.code)


_GAME = st.sampled_from(sorted(GAMES))
_DEAL = st.sampled_from(["secret", "32001", "100000000000000000000"])
SETTINGS: Mapping[str, SearchStrategy[Any]] = {
    "game": _GAME,
    "time_limit": st.sampled_from([60, 1200, 14_400]),
    "undo": st.sampled_from(["none", "turned", "free"]),
    "late": st.sampled_from(["refuse", "watch", "join"]),
    "deal": _DEAL,
    "seats": st.integers(1, 1000),
    "public": st.booleans(),
    "countdown": st.integers(3, 10),
    "auto_start": st.booleans(),
    "watching": st.sampled_from(["everyone", "link", "nobody"]),
    "watch": st.sampled_from(["progress", "frontier", "delayed", "open"]),
    "delay": st.integers(10, 300),
}
_ROW = odd.changes({name: SETTINGS[name] for name in ("game", "time_limit", "undo", "deal")})
PLAN: Mapping[str, SearchStrategy[Any]] = {
    "name": odd.said,
    "format": st.sampled_from(["points", "knockout", "double", "swiss", "roundrobin", "arena"]),
    "rounds": st.integers(1, 30),
    "points": st.lists(odd.numbers | st.integers(0, 1000), max_size=5).map(lambda row: sorted(row, reverse=True)),
    "ladder": st.lists(_ROW, max_size=3),
    "third_place": st.booleans(),
    "second_final": st.booleans(),
    "groups": st.integers(-1, 40),
    "advance": st.none() | st.integers(-1, 10),
    "starts_at": st.integers(0, 2**53) | st.none(),
    "by_timer": st.booleans(),
    "pause": st.integers(20, 86_400),
    "entry": st.sampled_from(["open", "password", "list"]),
    "listed": st.lists(st.text(min_size=1, max_size=24), max_size=4),
    "late": st.integers(0, 30) | st.none(),
    "no_show": st.integers(10, 3600),
    "deadly": st.booleans(),
    "blind": st.booleans(),
}

_REDIS = st.builds(
    lambda scheme, login, hosts, path, query: f"{scheme}://{login}{hosts}{path}{query}",
    st.sampled_from([*redis_url.SCHEMES, "redis", "REDIS", "http"]),
    st.sampled_from(["", f":{PASSWORD}@", f"ann:{PASSWORD}/@", f":[{PASSWORD}]@", f":{PASSWORD}℀@"]),
    st.sampled_from(["localhost", "localhost:6379", "one:1,two:2", "[::1]:7000", "[::1", "host:port", ""]) | odd.texts,
    st.sampled_from(["", "/", "/0", "/master", "/master/3", "/rooms"]) | odd.texts,
    st.dictionaries(
        st.sampled_from(["db", "replicas", "socket_timeout", "ssl_cert_reqs", "ssl_ca_certs", "protocol", "retry"])
        | st.sampled_from(["health_check_interval", "socket_keepalive", "encoding", "max_connections", "password"])
        | st.sampled_from(["path", "parser_class", "credential_provider", "username", "client_name", "retry_on_error"])
        | st.from_regex("[a-z_]{1,9}", fullmatch=True),
        st.sampled_from(["0", "1", "yes", "no", "none", "9" * 30, "-1", "nan", "utf-8", "/etc"]) | odd.texts,
        max_size=3,
    ).map(lambda query: "?" + "&".join(f"{name}={value}" for name, value in query.items()) if query else ""),
)
_WEB = st.builds(
    lambda scheme, host, path: f"{scheme}{host}{path}",
    st.sampled_from(["http://", "https://", "ws://", "ftp://", "", "//"]),
    st.sampled_from(["localhost", "[::1]:8040", "[::1", "a:b@c", "a:99999", "℀"]) | odd.texts,
    st.sampled_from(["", "/", "/r/KQXWVD", "/r/KQXWVD/1", "/api/races/KQXWVD/1.json", "/r/"]) | odd.texts,
)
_LIKELY: Mapping[str, SearchStrategy[str]] = {
    "redis": _REDIS,
    "public_url": _WEB,
    "data": st.sampled_from(["~", "~nobody-of-this-name/x", "/tmp", "a" * 5000, "\0", ""]),
    "limits": st.sampled_from(["connections=500", "rooms=100/hour+50", "rooms=0/s+1", "x=1", "frame=99999999999"]),
    "idle_lobby_hours": st.sampled_from(["1", "0.5", "0", "0.0", "1e9", "٣", "nan"]),
    "port": st.sampled_from(["0", "65535", "65536", "٣", "1_0", " 1"]),
}
#: No environment holds half of a character or a NUL, and a variable that is empty is none.
_VARIABLE = odd.texts.map(lambda text: os.fsencode(text.encode(errors="replace")).replace(b"\0", b"").decode())


def _options(rename: Callable[[str], str], text: SearchStrategy[str]) -> SearchStrategy[dict[str, str]]:
    fields = {option.name: _LIKELY.get(option.name, text) | text for option in OPTIONS}
    return st.dictionaries(st.sampled_from(sorted(fields)), st.none(), min_size=1, max_size=3).flatmap(
        lambda chosen: st.fixed_dictionaries({rename(name): fields[name] for name in chosen})
    )


def _packed_records() -> list[bytes]:
    return [write(one) for one in odd.records() for write in (race_record.packed, race_record.as_json)]


def _written_bundles() -> list[bytes]:
    return [json.dumps(one).encode() for one in odd.bundles()]


_bytes = st.binary(max_size=100)
_part = st.sampled_from([b"", b"\x93\xa4plan\x01\x80", b"\x93\xa4plan", b"\x01\x80"]).map(msgspec.msgpack.encode)
_move = st.sampled_from(sorted(MOVES))
_card = st.sampled_from([cards.card_name(card) for card in range(-1, 52)])
_cards = st.lists(_card | _card | odd.texts, max_size=5).map("".join)
_deck = st.permutations([cards.card_name(card) for card in cards.PACKS])

GROUPS: Mapping[str, Sequence[Target]] = MappingProxyType(
    {
        "wire": [
            Target(any_frame, odd.damaged(odd.messages()) | _bytes, odd.messages),
            Target(any_parts, st.lists(_part | st.sampled_from(odd.messages()) | _bytes, max_size=6)),
        ],
        "texts": [
            Target(any_move, _move | odd.texts | st.text("drawel-WF0123456789x", max_size=8)),
            Target(any_cards, _cards),
            Target(any_deck, _deck | st.lists(_card | odd.texts, max_size=110)),
            Target(any_number, odd.texts | st.integers(0, 10**21).map(str) | st.text("0123456789٠²", max_size=22)),
            Target(any_name, odd.texts),
            Target(any_chat, odd.texts),
        ],
        "settings": [Target(any_settings, odd.changes(SETTINGS)), Target(any_plan, odd.changes(PLAN))],
        "records": [
            Target(any_record, odd.damaged(_packed_records()) | _bytes, _packed_records),
            Target(any_altered_record, odd.altered(odd.records())),
        ],
        "tournaments": [
            Target(any_bundle, odd.damaged(_written_bundles()) | _bytes, _written_bundles),
            Target(any_altered_bundle, odd.altered(odd.bundles())),
            Target(any_record_in_a_bundle, odd.altered(_in_bundles())),
        ],
        "addresses": [
            Target(any_redis_url, _REDIS | odd.texts),
            Target(any_options, _options(str, odd.texts)),
            Target(any_environment, _options(lambda name: f"FORTY_THIEVES_{name.upper()}", _VARIABLE)),
            Target(any_address, _WEB | odd.texts),
            Target(any_link, _WEB | odd.texts),
        ],
    }
)
