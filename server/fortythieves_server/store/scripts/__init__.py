"""The atomic operations in Redis: one Lua script for each kind of commit.

A script that appends to a log begins with `head` and `position`. If it finds its own entry in the log, it gives the
same answer as before. So a script can be repeated if its answer was lost.

A file has several parts. Each begins with a line of three dashes and its name.
"""

import re
from collections.abc import Iterable
from hashlib import sha1
from importlib.resources import files
from typing import NamedTuple, Self

FILES = ("rooms", "moves", "directory", "pool")

#: The first parts of scripts that have several. The last part has the name of the script.
HEADS = {
    **dict.fromkeys(("moves", "renew"), ("extended",)),
    **dict.fromkeys(("commit", "delete"), ("head", "position")),
    **dict.fromkeys(("pool_quota", "pool_claim", "pool_settle", "pool_add", "pool_unsettled"), ("pool_head",)),
}


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
    folder, parts = files(__name__), dict[str, str]()
    for name in FILES:
        text = folder.joinpath(f"{name}.lua").read_text("utf-8")
        _, *sections = re.split(r"^--- (\w+)\n", text, flags=re.MULTILINE)
        parts |= dict(zip(sections[::2], sections[1::2], strict=True))
    heads = {head for names in HEADS.values() for head in names}
    texts = {name: "".join(parts[part] for part in (*HEADS.get(name, ()), name)) for name in parts.keys() - heads}
    return {name: Script(Form.of(text), Form.of(_sharded(text))) for name, text in texts.items()}


def commands(forms: Iterable[Form]) -> list[str]:
    """The commands that these scripts call, such as "HSET" or "PUBSUB NUMSUB"."""
    calls = (re.findall(r"redis\.p?call\('([A-Z]+)'(?:, '([A-Z]+)')?", form.text) for form in forms)
    return sorted({" ".join(words).strip() for found in calls for words in found})


def _sharded(text: str) -> str:
    """The same script with the commands of sharded pub/sub."""
    return text.replace("'PUBLISH'", "'SPUBLISH'").replace("'NUMSUB'", "'SHARDNUMSUB'")
