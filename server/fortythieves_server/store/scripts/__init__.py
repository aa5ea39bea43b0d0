"""The atomic operations in Redis: one Lua script for each kind of commit, each in its own file.

A script that appends to a log begins with `head` and `position`. If it finds its own entry already in the log, it gives
the same answer as the first time. So a script can be sent again if its answer was lost.
"""

from hashlib import sha1
from importlib.resources import files
from typing import NamedTuple

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
}


class Script(NamedTuple):
    """A Lua script, and its hash in Redis."""

    text: str
    sha: str


def load() -> dict[str, Script]:
    folder = files(__name__)
    texts = {
        name: "".join(folder.joinpath(f"{part}.lua").read_text("utf-8") for part in parts)
        for name, parts in PARTS.items()
    }
    return {name: Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest()) for name, text in texts.items()}
