"""The atomic operations in Redis: one Lua script for each kind of commit, each in its own file.

A script that appends to a log begins with `head` and `position`. If it finds its own entry already in the log, it gives
the same answer as the first time. So a script can be sent again if its answer was lost.
"""

from hashlib import sha1
from importlib.resources import files
from typing import NamedTuple, Self

#: The parts of each script, in order.
PARTS = {
    "create": ("create",),
    "commit": ("head", "position", "commit"),
    "moves": ("moves",),
    "renew": ("renew",),
    "delete": ("head", "position", "delete"),
    "readiness_probe": ("readiness_probe",),
    "list": ("list",),
    "listed": ("listed",),
    "swap": ("swap",),
    "react": ("react",),
    "pool_claim": ("pool_head", "pool_claim"),
    "pool_settle": ("pool_head", "pool_settle"),
    "pool_add": ("pool_head", "pool_add"),
    "pool_unsettled": ("pool_head", "pool_unsettled"),
    "pool_quota": ("pool_quota",),
}


#: What a script calls instead where pub/sub is sharded.
_SHARDED = {"'PUBLISH'": "'SPUBLISH'", "'NUMSUB'": "'SHARDNUMSUB'"}


class Form(NamedTuple):
    """A Lua script, and its hash in Redis."""

    text: str
    sha: str

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


class Script(NamedTuple):
    """A Lua script in two forms, which differ in how they publish."""

    plain: Form
    sharded: Form


def load() -> dict[str, Script]:
    """All scripts by name."""
    folder = files(__name__)
    texts = {
        name: "".join(folder.joinpath(f"{part}.lua").read_text("utf-8") for part in parts)
        for name, parts in PARTS.items()
    }
    return {name: Script(Form.of(text), Form.of(_sharded(text))) for name, text in texts.items()}


def _sharded(text: str) -> str:
    for plain, sharded in _SHARDED.items():
        text = text.replace(plain, sharded)
    return text
