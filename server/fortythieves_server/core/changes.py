"""The differences between two values, and how to restore the first one. Pure.

A value is made of structs and mappings; everything else in it is compared as a whole. Values share their unchanged
parts, so a comparison costs little more than the changed parts.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET, Struct
from msgspec.structs import replace

#: The names of fields and the keys of mappings that lead to a place in a value.
Path = tuple[Any, ...]


class Change(NamedTuple):
    """A place in a value, with its content before and after. `UNSET`: the key of a mapping was missing."""

    path: Path
    before: Any
    after: Any


def changes(before: Any, after: Any, path: Path = (), *, fields: Collection[str] | None = None) -> Iterator[Change]:
    """All places at which two values at ``path`` differ. ``fields``: only these fields of a struct."""
    if before is after:
        return
    if isinstance(before, Struct) and type(before) is type(after):
        for name in before.__struct_fields__:
            if fields is None or name in fields:
                yield from changes(getattr(before, name), getattr(after, name), (*path, name))
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {**before, **after}:
            yield from changes(before.get(key, UNSET), after.get(key, UNSET), (*path, key))
    elif before != after:
        yield Change(path, before, after)


def still_holds(value: Any, change: Change) -> bool:
    """Whether nothing else has changed this place since."""
    for step in change.path:
        if isinstance(value, Mapping):
            value = value.get(step, UNSET)
        elif isinstance(value, Struct) and step in value.__struct_fields__:
            value = getattr(value, step)
        else:
            return False
    return bool(value == change.after)


def taken_back(value: Any, change: Change) -> Any:
    """The value with the earlier content of this place."""
    if not change.path:
        return change.before
    step, deeper = change.path[0], change._replace(path=change.path[1:])
    if isinstance(value, Mapping):
        before = taken_back(value.get(step, UNSET), deeper)
        others = {key: other for key, other in value.items() if key != step}
        # A key that stays keeps its position.
        return others if before is UNSET else {**value, step: before}
    return replace(value, **{step: taken_back(getattr(value, step), deeper)})
