"""A JSON merge patch as a client applies it (RFC 7396)."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from fortythieves_client.room import merge


def merged(target: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The target with the patch applied. Merged into nothing, a map loses its nulls: they mean the same as absent."""
    result: dict[str, Any] = merge(deepcopy(target), patch)
    return result
