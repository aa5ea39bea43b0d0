"""JSON merge patches (RFC 7396), which change the public view of a room."""

from typing import Any


def merge(target: Any, patch: Any) -> Any:
    """Apply a patch as in RFC 7396, section 2: null deletes a key, a map is merged, anything else replaces.

    Returns the result. ``target`` is changed in place if it is a map.
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
