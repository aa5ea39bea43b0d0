"""Every text that others see is clean, in every message.

The test finds the fields in the message classes. A new field must be shown clean or be listed in `NOT_SHOWN`.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect
from msgspec.structs import replace

from fortythieves.protocol import to_server
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import Plan
from tests.integration.raw import RawClient, guest
from tests.shared.protocol.test_wire import REQUESTS

#: Tests with the shared server of this file.
ON_ITS_LOOP = pytest.mark.asyncio(loop_scope="module")

#: Control, zero-width, bidi override and isolate, right-to-left mark, tag, byte order mark.
UNSEEN = ("\u0007", "\u200b", "\u202e", "\u2066", "\u200f", "\u061c", "\U000e0041", "\ufeff")
DIRTY = "A" + "b".join(UNSEEN) + "nn"
CLEAN = "A" + "b" * (len(UNSEEN) - 1) + "nn"

#: Fields that the server shows to no other client, or that refuse dirty values.
NOT_SHOWN = {
    *{"hello.token", "join.code", "watch.code", "challenge.code", "join.resume.epoch"},
    *{"create.circle", "challenge.circle", "membership.deal"},
    *{"create.password", "join.password", "plan.password", "watch.password"},  # hashed
    *{"try.password", "change_challenge.password"},
    *{"chat.key", "join.ticket"},  # never sent back
    # These need a finished round; `test_host_desk` has them.
    *{"correct.reason", "replay_match.reason"},
    *{"try.name"},  # needs a challenge; `test_decide_challenge` has it
    *{"found.title", "found.name", "membership.name", "change_circle.title"},  # `test_decide_circle` has them
    *{"release.name"},  # a line that is on the list already
    *{"ready.commitment", "reveal.nonce", "rematch.commitment", "move.text"},  # hexadecimal; the text of a legal move
    *{"create.settings.game", "create.settings.deal", "settings.settings.game", "settings.settings.deal"},
}

#: The types of the dicts in messages.
OF_DICTS: dict[tuple[str, str], type[msgspec.Struct]] = {
    ("create", "settings"): Settings,
    ("create", "plan"): Plan,
    ("settings", "settings"): Settings,
    ("plan", "plan"): Plan,
}


def texts_of(kind: type[msgspec.Struct], name: str) -> Iterator[tuple[str, ...]]:
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    for field in told.fields:
        inner = OF_DICTS.get((name, field.name))
        if inner is not None:
            yield from ((field.name, *rest) for rest in texts_of(inner, ""))
        elif struct := _struct_in(field.type):
            yield from ((field.name, *rest) for rest in texts_of(struct, ""))
        elif _has_text(field.type):
            yield (field.name,)


def _parts(told: inspect.Type) -> tuple[inspect.Type, ...]:
    match told:
        case inspect.UnionType(types):
            return types
        case inspect.VarTupleType(item_type=item):
            return (item,)
    return (told,)


def _struct_in(told: inspect.Type) -> type[msgspec.Struct] | None:
    return next((part.cls for part in _parts(told) if isinstance(part, inspect.StructType)), None)


def _has_text(told: inspect.Type) -> bool:
    return any(isinstance(part, inspect.StrType) for part in _parts(told))


FIELDS = [(kind, path) for kind in to_server.MESSAGES for path in texts_of(kind, str(kind.__struct_config__.tag))]


def name_of(kind: type[msgspec.Struct], path: tuple[str, ...]) -> str:
    return ".".join((str(kind.__struct_config__.tag), *path))


SHOWN = [(kind, path) for kind, path in FIELDS if name_of(kind, path) not in NOT_SHOWN]


def test_every_hidden_field_exists() -> None:
    assert {name_of(kind, path) for kind, path in FIELDS} >= NOT_SHOWN


def dirty(kind: type[msgspec.Struct], path: tuple[str, ...], code: str) -> list[Any]:
    example = next(request for request in REQUESTS if type(request) is kind)
    fields: dict[str, Any] = {"c": 77, "code": code, "seat": 2, "plan": {}, "bot": False}
    example = replace(example, **{key: value for key, value in fields.items() if key in kind.__struct_fields__})
    field, *rest = path
    # A list has more names.
    value: Any = {rest[0]: [DIRTY, "Bob"] if rest[0] == "listed" else DIRTY} if rest else DIRTY
    if rest[:1] == ["listed_teams"]:
        value = {"listed": ["Ann", "Bob"], "listed_teams": [DIRTY]}
    written: list[Any] = msgspec.to_builtins(replace(example, **{field: value}))
    return written


def shown(message: Any) -> str:
    """A message as JSON, in which every character can be found."""
    return json.dumps(message)


@ON_ITS_LOOP
@pytest.mark.parametrize(("kind", "path"), SHOWN, ids=[name_of(*one) for one in SHOWN])
async def test_every_text_that_others_see_is_clean(
    address: str, kind: type[msgspec.Struct], path: tuple[str, ...]
) -> None:
    async with guest(address) as ann, guest(address) as bob, guest(address) as stranger:
        code = await ann.create(False, {"by_timer": False})
        assert await bob.ask("join", code, "Bob", None) == "ok"
        comes = kind in {to_server.Create, to_server.Join, to_server.Watch}
        speaker: RawClient = stranger if comes else ann
        message = dirty(kind, path, code)
        if kind is to_server.Team:
            assert await ann.ask("plan", {"team_size": 2}) == "ok"
        if kind is to_server.Round:
            message[2] = "skip"
            assert await ann.ask("enter", True) == "ok"
            assert await ann.ask("round", "start") == "ok"
            while "drawn" not in shown(await bob.receive("patch")):
                pass
        await speaker.send(*message)
        answer = await speaker.receive("ok", "refused")
        while answer[1] != 77:
            answer = await speaker.receive("ok", "refused")
        assert answer[0] == "ok", f"{message} is to be accepted and shown clean, not {answer}"
        if kind is to_server.Watch:
            assert await stranger.ask("chat", "k", "hello") == "ok"
        assert await bob.ask("chat", "end", "That was all.") == "ok"
        if kind is to_server.Create:
            code = stranger.code
        async with guest(address) as late:  # gets the complete view
            assert await late.ask("watch", code, "Late") == "ok"
            for client in (ann, bob, stranger, late):
                for one in client.received:
                    assert not [char for char in UNSEEN if shown(char)[1:-1] in shown(one.message)]
            # Others only see the length of a list.
            assert path[-1] in {"listed", "listed_teams"} or any(CLEAN in shown(one.message) for one in late.received)
