"""The architecture: pure modules, and one module that builds all others.

pyproject.toml has the allowed imports (`tool.importlinter`).
"""

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp  # the graph of imports that import-linter reads

import fortythieves_client

ROOT = Path(__file__).parents[1]
SERVER = ROOT / "server" / "fortythieves_server"
PACKAGES = ("fortythieves", "fortythieves_server", "fortythieves_client")

#: Values in, values out: all of the rules and of the protocol, and the middle of the server and of the client.
PURE = (
    *("fortythieves", "fortythieves_server.core"),
    *(f"fortythieves_client.{name}" for name in ("race", "room", "bot.value", "bot.search", "load.results")),
)

#: Modules of the outside world. Pure code gets times and random numbers as arguments.
IMPURE = {
    *("aiohttp", "asyncio", "datetime", "logging", "multiprocessing", "os", "pathlib", "random", "redis", "secrets"),
    *("selectors", "socket", "subprocess", "threading", "time", "urllib", "uvloop", "websockets"),
}

EXCEPTIONS = {
    ("fortythieves.tournament.ical", "datetime"),  # formats a time and reads no clock
    ("fortythieves.rules.deal", "random"),  # random.Random(number), as PySolFC deals a number: no chance is involved
}

#: The classes that only `app` builds. Other modules do not see the configuration.
BUILT_BY_APP = {
    *("Bots", "Clock", "Gateway", "EmbeddedRedis", "Guests", "RoomService", "Metrics", "Passwords", "FileProcess"),
    *("Reports", "Store", "Supervisor"),
}


@cache
def imports() -> grimp.ImportGraph:
    """The imports of all modules. Other packages have no submodules here."""
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


def is_pure(name: str) -> bool:
    return any(name == pure or name.startswith(f"{pure}.") for pure in PURE)


def test_a_pure_module_imports_only_pure_modules_and_nothing_impure() -> None:
    found = {
        (module, name)
        for module in filter(is_pure, imports().modules)
        for name in imports().find_modules_directly_imported_by(module)
    }
    assert len(found) > 100
    wrong = {(module, name) for module, name in found if name in IMPURE}
    wrong |= {(module, name) for module, name in found if name.startswith(PACKAGES) and not is_pure(name)}
    assert wrong == EXCEPTIONS


def test_only_app_builds_the_objects_of_the_server() -> None:
    called = {
        (path.name, node.func.id)
        for path in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert {(file, name) for file, name in called if name in BUILT_BY_APP} == {("app.py", one) for one in BUILT_BY_APP}


def test_only_app_and_main_know_the_configuration() -> None:
    known_to = imports().find_modules_that_directly_import("fortythieves_server.config")
    assert known_to == {"fortythieves_server.app", "fortythieves_server.__main__"}


# Private names

#: Public names with an underscore, of named tuples.
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
#: A line that may import a private name or use its text.
MAY_USE_PRIVATE = re.compile(r"^\s*(from|import)\b.*\b_[A-Za-z]|^ +_\w+,$|attr\(", re.MULTILINE)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OF_NAMED_TUPLES


def imported_names_in(tree: ast.Module) -> Iterator[str]:
    """The names that are imported, or used by their text: `setattr("module._X", ...)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (part for name in names for part in name.name.split("."))
            case ast.ImportFrom(module=module, names=names):
                yield from (module or "").split(".")
                yield from (name.name for name in names)
            case ast.Call(ast.Name(called) | ast.Attribute(_, called), arguments) if "attr" in called:
                texts = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                yield from (text.rpartition(".")[2] for text in texts)


def test_only_public_names_of_packages_and_modules_are_used() -> None:
    """Ruff's SLF001 looks at attributes, but not at imports and texts."""
    paths = [path for folder in ("shared", "server", "client", "tests") for path in (ROOT / folder).rglob("*.py")]
    used = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in paths
        if MAY_USE_PRIVATE.search(text := path.read_text())  # to parse all of them takes seconds
        for name in imported_names_in(ast.parse(text))
        if is_private(name)
    }
    assert used == set()


def test_no_package_is_pinned_to_one_version() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [one for one in needed if "==" in one.partition(";")[0]] == []


def test_every_public_name_exists_and_is_documented() -> None:
    undocumented = []
    for name in fortythieves_client.__all__:
        thing = getattr(fortythieves_client, name)
        if callable(thing) and not inspect.getdoc(thing):
            undocumented.append(name)
        for key, member in vars(thing).items() if inspect.isclass(thing) else ():
            is_public = not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
            if is_public and not inspect.getdoc(member):
                undocumented.append(f"{name}.{key}")
    assert undocumented == []
