"""Write the types of the protocol for the web client, from the classes of the messages, and the constants of the rules.

    python -m tests.tools.protocol_types

A message is a tuple with a name: ``['pong', t, now]``. Whatever may be null may also be left out, as the
view has it. A test fails when this would write anything else.
"""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import msgspec.inspect as types

from fortythieves.protocol import to_client, to_server
from fortythieves.record import race_record, shape
from fortythieves.rules import cards, deal, race_rules, winnable
from fortythieves.solver import effort
from fortythieves.times import ms_of
from fortythieves.tournament import plan, series
from fortythieves_server.core import circle, decide_race_end, decide_tournament, names_and_texts, view_types
from fortythieves_server.store import directory

SOURCES = Path(__file__).parents[2] / "client" / "web" / "src"
FILE = SOURCES / "protocol" / "protocol.d.ts"

#: The constants that the pages share with the server, by file. Times are in milliseconds.
CONSTANTS: Mapping[Path, Mapping[str, object]] = {
    SOURCES / "protocol" / "constants.js": {
        "VERSION": to_server.VERSION,
        "TAKEN_OVER": to_client.Close.TAKEN_OVER,
        "KICKED": to_client.Close.KICKED,
        "ROOM_GONE": to_client.Close.ROOM_GONE,
        "SIGNS": to_server.SIGNS,
        "CARDS": len(cards.PACKS),
        "LOWEST_NUMBER": deal.LOWEST_NUMBER,
        "HIGHEST_NUMBER": deal.HIGHEST_NUMBER,
        "WINNABLE_DEALS": winnable.DEALS,
        "GIVE_UP_AFTER": decide_race_end.GIVE_UP_AFTER,
        "TAKE_BACK_WITHIN": race_rules.TAKE_BACK_WITHIN,
        "ABSENT_AFTER": decide_race_end.ABSENT,
        "IDLE_AFTER": decide_race_end.IDLE,
        "HIGHEST_SEAT": shape.HIGHEST_SEAT,
        "RECORD_SIZE": race_record.SIZE_LIMIT,
        "SOLVER_WIDTHS": effort.LADDER,
        "NAME_LENGTH": names_and_texts.NAME_LENGTH,
        "PICTURES": to_server.PICTURES,
        "COLOURS": to_server.COLOURS,
    },
    SOURCES / "protocol" / "later-constants.js": {
        "RACE_SHOWN": circle.RACE_SHOWN,
        "CARRIED_FOR": ms_of(directory.CARRIED_TTL),
    },
    SOURCES / "model" / "tournament" / "plan-constants.js": {
        "TITLE_LENGTH": names_and_texts.TITLE_LENGTH,
        "ABOUT_LENGTH": names_and_texts.ABOUT_LENGTH,
        "REASON_LENGTH": names_and_texts.REASON_LENGTH,
        "ANNOUNCEMENT_LENGTH": names_and_texts.ANNOUNCEMENT_LENGTH,
        "MOST_ROUNDS": plan.MOST_ROUNDS,
        "MOST_GROUPS": plan.MOST_GROUPS,
        "MOST_ADVANCING": plan.MOST_ADVANCING,
        "MOST_LISTED": plan.MOST_LISTED,
        "MOST_APART": plan.MOST_APART,
        "LARGEST_TEAM": plan.LARGEST_TEAM,
        "RESERVES": plan.RESERVES,
        "LATEST_START": decide_tournament.LATEST,
        "POINTS": plan.Plan().points,
        "TIEBREAKS": plan.TIEBREAKS,
        "DEFAULT_TIEBREAKS": plan.DEFAULT_TIEBREAKS,
        "MOST_HALF_BYES": next(most for name, _, most in plan.bounds() if name == "half_byes"),
        "MOST_EVENTS": series.MOST_EVENTS,
    },
}

#: Types that differ from those in the Python classes.
SAID_OTHERWISE = {
    "Plan.ladder": "Partial<Settings>[]",
    # Hosts send names; the view has numbers of names or groups.
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

#: Types that follow from the messages.
TAIL = """\
export type Answer = Extract<ToClient, ['ok' | 'refused', ...any]>
/** The fields of a command after its number. */
export type FieldsOf<T extends Command[0]> = Extract<Command, [T, ...any]> extends [any, any, ...infer F] ? F : never
"""

HEAD = """\
// Written by `python -m tests.tools.protocol_types` from shared/fortythieves/protocol and from the view of the server.
// Change those and repeat the command.
"""


class Writer:
    """Types in TypeScript; ``named`` has the types with names."""

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
        """The type in TypeScript; a map with a class gets a name."""
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
                return " | ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in values)
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
    """The text of the file."""
    writer = Writer()
    to_server_kinds: tuple[type[msgspec.Struct], ...] = to_server.MESSAGES
    numbered = [kind for kind in to_server_kinds if kind.__struct_fields__[0] == "c"]
    messages = [
        writer.messages("ToClient", to_client.MESSAGES),
        writer.messages("Command", numbered),
        writer.messages("ToServer", [kind for kind in to_server_kinds if kind not in numbered], "Command"),
    ]
    writer.of(types.type_info(view_types.View))
    return "\n".join([HEAD, *writer.named.values(), *messages, TAIL])


def constants(named: Mapping[str, object]) -> str:
    """The text of a module with these constants."""
    rows = (f"export const {name} = {_constant(value)}" for name, value in named.items())
    return "\n".join([HEAD.replace("the view of the server", "the rules of the server"), *rows]) + "\n"


def _constant(value: object) -> str:
    written = _written(value)
    return written if isinstance(value, int) else f"/** @type {{const}} */ ({written})"


def _written(value: object, depth: int = 1) -> str:
    """A value in JavaScript, an entry of a map on each line."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            # Larger numbers are bigints.
            return f"{value:_}" if value < 2**53 else f"{value:_}n"
        case str():
            return f"'{value}'"
        case Mapping():
            inner = [f"{_key(key)}: {_written(one, depth + 1)}" for key, one in value.items()]
            short = f"{{ {', '.join(inner)} }}"
            if depth > 1 and len(short) < 100:
                return short
            pad = "  " * depth
            return "{\n" + "".join(f"{pad}{row},\n" for row in inner) + "  " * (depth - 1) + "}"
        case Iterable():
            return f"[{', '.join(_written(one, depth + 1) for one in value)}]"
    raise TypeError(f"{value!r} is no constant")


def _key(name: object) -> str:
    return str(name) if str(name).isidentifier() else f"'{name}'"


def files() -> dict[Path, str]:
    """The generated files with their texts."""
    return {FILE: text(), **{path: constants(named) for path, named in CONSTANTS.items()}}


if __name__ == "__main__":
    for path, written in files().items():
        path.write_text(written, "utf-8")
