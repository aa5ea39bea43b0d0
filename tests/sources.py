"""Whether what is private to a library is still what was read when we began to use it."""

import inspect
from collections.abc import Mapping
from hashlib import sha256
from pkgutil import resolve_name


def source_hash(name: str) -> str:
    """Of the source of a function or a class, such as ``module:Class.method``."""
    return sha256(inspect.getsource(resolve_name(name)).encode()).hexdigest()[:16]


def assert_as_read(read: Mapping[str, str], user: str) -> None:
    """Each name still has the source that was read; ``user`` is the only file that relies on it."""
    changed = {name: source_hash(name) for name in read if source_hash(name) != read[name]}
    assert not changed, (
        f"{user} relies on what these were. Compare them with the version that was pinned before, change {user} if it "
        f"has to be, try it, and write the new hashes here: {changed}"
    )
