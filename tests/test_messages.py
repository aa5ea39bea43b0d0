"""Server and clients know every message, and hosts can set every setting.

Read from the sources, so a new message fails here until both ends know it.
"""

import ast
import re
from pathlib import Path

import msgspec

from fortythieves.protocol import to_client, to_server
from fortythieves.rules.settings import Settings
from tests.tools import protocol_types

ROOT = Path(__file__).parents[1]
SERVER = ROOT / "server" / "fortythieves_server"
PYTHON_CLIENT = ROOT / "client" / "fortythieves_client"
WEB_CLIENT = ROOT / "client" / "web" / "src"

#: Messages for spectators, which the Python client does not read.
FOR_WATCHERS = {"Look", "Gallery", "Shown", "Hidden", "History", "Watchers", "React", "Reactions"}
FOR_WATCHERS |= {"Try", "OwnTry", "ChangeChallenge", "RemoveTry", "Found", "Membership", "ChangeCircle"}


def names_of(package: Path) -> set[str]:
    """The attributes that the modules of a package use: `to_server.Move`."""
    return {
        f"{node.value.id}.{node.attr}"
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }


def texts_of(folder: Path) -> set[str]:
    sources = (path.read_text() for path in folder.rglob("*.js*"))
    return {text for source in sources for text in re.findall(r"'(\w+)'", source)}


#: Every class of message, as a module names it: `to_server.Move`.
KINDS: dict[str, type[msgspec.Struct]] = {
    f"{module.__name__.split('.')[-1]}.{kind.__name__}": kind
    for module in (to_server, to_client)
    for kind in module.MESSAGES
}


def test_the_server_knows_every_message() -> None:
    assert KINDS.keys() - names_of(SERVER) == set()


def test_the_python_client_knows_every_message_that_players_need() -> None:
    unknown = KINDS.keys() - names_of(PYTHON_CLIENT)
    assert {KINDS[name].__name__ for name in unknown} == FOR_WATCHERS


def test_the_web_client_knows_every_message() -> None:
    said = texts_of(WEB_CLIENT)
    assert {name for name, kind in KINDS.items() if kind.__struct_config__.tag not in said} == set()


def test_a_host_finds_every_setting_on_the_page() -> None:
    forms = "".join(path.read_text() for path in (WEB_CLIENT / "parts").rglob("*.jsx"))
    of_seekers = {"seeking"}  # the page sets it by itself
    assert (
        set(Settings.__struct_fields__) - of_seekers - set(re.findall(r"(?:\bdraft\.|\bselect\('|\[')(\w+)\b", forms))
        == set()
    )


def test_the_types_of_the_web_client_are_those_of_the_messages() -> None:
    for path, written in protocol_types.files().items():
        assert path.read_text("utf-8") == written, "python -m tests.tools.protocol_types"
