"""A JSON merge patch as a client applies it (RFC 7396)."""

from collections.abc import Mapping
from typing import Any


def merged(target: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The target with the patch applied. Merged into nothing, a map loses its nulls: they mean the same as absent."""
    result = dict(target)
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, Mapping):
            before = result.get(key)
            result[key] = merged(before if isinstance(before, Mapping) else {}, value)
        else:
            result[key] = value
    return result
