"""Every message has somebody who says it and somebody who hears it, and every setting somewhere to be set.

Read from the sources, so that a new one fails here until both ends know it; whether they understand each other is
for the tests of both ends together.
"""

import ast
import re
from pathlib import Path
from types import ModuleType
from typing import get_args

import msgspec
import pytest

from fortythieves import to_client, to_server
from fortythieves.settings import Settings

ROOT = Path(__file__).parents[1]
SERVER = ROOT / "server" / "fortythieves_server"
PYTHON_CLIENT = ROOT / "client" / "fortythieves_client"
WEB_CLIENT = ROOT / "client" / "web" / "src"

#: The Python client plays. Its bots make an audience, too, and are blind to what that is shown.
FOR_WATCHERS = {"Look", "Gallery", "Shown", "Hidden", "Watchers"}


def names_of(package: Path) -> set[str]:
    """Whatever the modules of a package take from others with a dot: `to_server.Move`."""
    return {
        f"{node.value.id}.{node.attr}"
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }


def texts_of(folder: Path) -> set[str]:
    """Every text in single quotes in the sources of the web client."""
    sources = (path.read_text() for path in folder.rglob("*.js*"))
    return {text for source in sources for text in re.findall(r"'(\w+)'", source)}


KINDS: list[tuple[ModuleType, type[msgspec.Struct]]] = [
    (module, kind) for module in (to_server, to_client) for kind in get_args(module.Message)
]

SAID_IN_PYTHON = {package: names_of(package) for package in (SERVER, PYTHON_CLIENT)}
SAID_IN_JAVASCRIPT = texts_of(WEB_CLIENT)


@pytest.mark.parametrize(("module", "kind"), KINDS, ids=lambda value: value.__name__)
def test_the_server_knows_every_message(module: ModuleType, kind: type[msgspec.Struct]) -> None:
    assert f"{module.__name__.split('.')[-1]}.{kind.__name__}" in SAID_IN_PYTHON[SERVER]


@pytest.mark.parametrize(("module", "kind"), KINDS, ids=lambda value: value.__name__)
def test_the_python_client_knows_every_message_that_players_need(
    module: ModuleType, kind: type[msgspec.Struct]
) -> None:
    known = f"{module.__name__.split('.')[-1]}.{kind.__name__}" in SAID_IN_PYTHON[PYTHON_CLIENT]
    assert known == (kind.__name__ not in FOR_WATCHERS)


@pytest.mark.parametrize(("module", "kind"), KINDS, ids=lambda value: value.__name__)
def test_the_web_client_knows_every_message(module: ModuleType, kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.tag in SAID_IN_JAVASCRIPT


@pytest.mark.parametrize("setting", Settings.__struct_fields__)
def test_a_host_finds_every_setting_on_the_page(setting: str) -> None:
    forms = "".join(path.read_text() for path in (WEB_CLIENT / "parts").glob("*.jsx"))
    assert re.search(rf"\bdraft\.{setting}\b", forms)
