"""JSON merge patches (RFC 7396): how the public view of a room changes."""

from typing import Any


def merge(target: Any, patch: Any) -> Any:
    """Apply a patch as RFC 7396 section 2 defines it: null deletes a key, a map merges, anything else replaces.

    ``target`` is changed in place where it is a map.
    """
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        target = {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merge(target.get(key), value)
    return target
