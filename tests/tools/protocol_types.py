"""Write the types of the protocol for the web client, from the classes of the messages and of what they carry.

    python -m tests.tools.protocol_types

A message is a tuple, told apart by its name: ``['pong', t, now]``. Whatever may be null may also be left out, as the
view has it. A test fails when this would write anything else.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import msgspec.inspect as types

from fortythieves.protocol import to_client, to_server
from fortythieves_server.core import view_types

FILE = Path(__file__).parents[2] / "client" / "web" / "src" / "model" / "protocol.d.ts"

#: What a class calls any map, or says otherwise than its reader has it.
SAID_OTHERWISE = {
    "Plan.ladder": "Partial<Settings>[]",
    # Hosts send the names; the view only says how many, or how many groups of them, there are.
    "Plan.listed": "string[] | number",
    "Plan.listed_teams": "string[] | number",
    "Plan.apart": "string[][] | number",
    "room.view": "View",
    "patch.patch": "Record<string, unknown>",
    "create.settings": "Partial<Settings>",
    "create.plan": "Partial<Plan> | null",
    "settings.settings": "Partial<Settings>",
    "plan.plan": "Partial<Plan>",
}

#: What follows from the messages, for whoever sends commands and hears their answers.
TAIL = """\
export type Answer = Extract<ToClient, ['ok' | 'refused', ...any]>
/** What a command says after its number. */
export type FieldsOf<T extends Command[0]> = Extract<Command, [T, ...any]> extends [any, any, ...infer F] ? F : never
"""

HEAD = """\
// Written by `python -m tests.tools.protocol_types` from shared/fortythieves/protocol and from the view of the server.
// Change those, and run it again.
"""


class Writer:
    """Types in TypeScript: ``named`` are those that have got a name so far."""

    def __init__(self) -> None:
        self.named: dict[str, str] = {}

    def messages(self, name: str, kinds: Iterable[type[msgspec.Struct]], *others: str) -> str:
        """The type of some messages, and of ``others`` that have a name."""
        rows = [self._message(types.type_info(kind)) for kind in kinds]
        return "\n".join([f"export type {name} =", *rows, *(f"  | {other}" for other in others)]) + "\n"

    def _message(self, kind: types.Type) -> str:
        assert isinstance(kind, types.StructType)
        name = f"tag: '{kind.tag}'"
        return f"  /** {_summary(kind.cls)} */\n  | {self._tuple(str(kind.tag), kind.fields, [name])}"

    def _tuple(self, name: str, fields: Iterable[types.Field], first: Iterable[str] = ()) -> str:
        parts = [f"{_label(field.name)}{'' if field.required else '?'}: {self._field(name, field)}" for field in fields]
        return f"[{', '.join([*first, *parts])}]"

    def _field(self, name: str, field: types.Field) -> str:
        return SAID_OTHERWISE.get(f"{name}.{field.name}") or self.of(field.type)

    def of(self, kind: types.Type) -> str:
        """The type in TypeScript; a map that has a class of its own gets a name."""
        match kind:
            case types.NoneType():
                return "null"
            case types.BoolType():
                return "boolean"
            case types.IntType() | types.FloatType():
                return "number"
            case types.StrType():
                return "string"
            case types.LiteralType(values=values):
                return " | ".join(f"'{value}'" for value in values)
            case types.UnionType(types=members):
                return " | ".join(map(self.of, members))
            case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
                of_one = self.of(item)
                return f"({of_one})[]" if "|" in of_one and not of_one.startswith("[") else f"{of_one}[]"
            case types.TupleType(item_types=items):
                return f"[{', '.join(map(self.of, items))}]"
            case types.DictType(value_type=value):
                return f"Record<string, {self.of(value)}>"
            case types.StructType(cls=cls, fields=fields, array_like=True):
                return self._tuple(cls.__name__, fields)
            case types.NamedTupleType(cls=cls, fields=fields):
                return self._name(cls, lambda: f"type {cls.__name__} = {self._tuple(cls.__name__, fields)}\n")
            case types.StructType(cls=cls, fields=fields) | types.TypedDictType(cls=cls, fields=fields):
                return self._name(cls, lambda: self._interface(cls, fields))
        raise TypeError(f"{kind} has no type in TypeScript")

    def _name(self, cls: type, written: Any) -> str:
        if cls.__name__ not in self.named:
            self.named[cls.__name__] = ""  # in this place, before those that only follow from it
            self.named[cls.__name__] = f"/** {_summary(cls)} */\nexport {written()}"
        return cls.__name__

    def _interface(self, cls: type, fields: Iterable[types.Field]) -> str:
        by_name = {field.name: field for field in fields}
        return f"interface {cls.__name__} {{\n" + "".join(self._lines(cls, by_name)) + "}\n"

    def _lines(self, cls: type, fields: dict[str, types.Field]) -> Iterator[str]:
        for name in cls.__annotations__:
            written = self._field(cls.__name__, fields[name])
            # A field of a struct with a default is always written.
            missing = written.endswith("| null") or (hasattr(cls, "__total__") and not fields[name].required)
            yield f"  {name}{'?' if missing else ''}: {written}\n"


def _summary(cls: type) -> str:
    """The first sentence about a class."""
    return re.split(r"(?<=\.)\s", " ".join((inspect.getdoc(cls) or "").split()))[0].replace("``", "`")


def _label(name: str) -> str:
    """The name of a place in a tuple, which must not be a word of the language."""
    return f"{name}_" if name in {"do"} else name


def text() -> str:
    """What the file says."""
    writer = Writer()
    to_server_kinds: tuple[type[msgspec.Struct], ...] = get_args(to_server.Message)
    numbered = [kind for kind in to_server_kinds if kind.__struct_fields__[0] == "c"]
    messages = [
        writer.messages("ToClient", get_args(to_client.Message)),
        writer.messages("Command", numbered),
        writer.messages("ToServer", [kind for kind in to_server_kinds if kind not in numbered], "Command"),
    ]
    writer.of(types.type_info(view_types.View))
    return "\n".join([HEAD, *writer.named.values(), *messages, TAIL])


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
