"""The architecture: pure modules, and one module that builds all others.

pyproject.toml has the allowed imports (`tool.importlinter`).
"""

import ast
import inspect
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import fortythieves_client

ROOT = Path(__file__).parents[1]
SOURCES = {
    "fortythieves": ROOT / "shared",
    "fortythieves_server": ROOT / "server",
    "fortythieves_client": ROOT / "client",
}

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
    ("fortythieves_server.__main__", "fortythieves_client"),  # one program has all commands, `bot` among them
    ("fortythieves.tournament.ical", "datetime"),  # formats a time and reads no clock
    ("fortythieves.rules.deal", "random"),  # random.Random(number), as PySolFC deals a number: no chance is involved
}

#: The classes that only `app` builds. Other modules do not see the configuration.
BUILT_BY_APP = {
    *("Bots", "Clock", "Gateway", "EmbeddedRedis", "Guests", "RoomService", "Metrics", "Passwords", "FileProcess"),
    *("Reports", "Store", "Supervisor"),
}
KNOW_THE_CONFIG = {"fortythieves_server.config", "fortythieves_server.app", "fortythieves_server.__main__"}


class Module(NamedTuple):
    name: str  # "fortythieves.rules.board"; a package is named after its folder
    imports: frozenset[str]  # dotted names of modules, our own and others
    builds: frozenset[str]  # names that are called
    knows: frozenset[str]  # names that are imported from modules

    @property
    def is_pure(self) -> bool:
        return is_pure(self.name)

    @property
    def packages(self) -> set[str]:
        """The packages that it imports from, our own and others."""
        return {name.partition(".")[0] for name in self.imports}

    @property
    def ours(self) -> set[str]:
        """The modules of the project that it uses."""
        return {name for name in self.imports if name.partition(".")[0] in SOURCES}


def modules_of(package: str) -> Iterator[Module]:
    for path in sorted((SOURCES[package] / package).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        yield Module(
            ".".join(path.relative_to(SOURCES[package]).with_suffix("").parts).removesuffix(".__init__"),
            imports=frozenset(imports_of(nodes)),
            builds=frozenset(one.id for one in called if isinstance(one, ast.Name)),
            knows=frozenset(name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names),
        )


def imports_of(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """All modules that a file imports."""
    for node in nodes:
        match node:
            case ast.Import(names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                # `from fortythieves.rules import games` names a module, `from fortythieves.errors import Refused` none.
                yield from (f"{module}.{name.name}" if is_ours(f"{module}.{name.name}") else module for name in names)
            case ast.ImportFrom():
                raise AssertionError("imports are absolute here")


def is_pure(name: str) -> bool:
    return any(name == pure or name.startswith(f"{pure}.") for pure in PURE)


def is_ours(name: str) -> bool:
    """Whether this is a module of the project."""
    path = SOURCES.get(name.partition(".")[0], ROOT).joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


@cache
def all_modules() -> list[Module]:
    return [module for package in SOURCES for module in modules_of(package)]


def pure_modules() -> list[Module]:
    return [module for module in all_modules() if module.is_pure]


def only_right_imports(modules: list[Module], wrong: Callable[[Module], set[str]]) -> None:
    """No module has wrong imports."""
    assert modules
    assert {(one.name, name) for one in modules for name in wrong(one)} - EXCEPTIONS == set()


def test_a_pure_module_imports_nothing_impure() -> None:
    only_right_imports(pure_modules(), lambda module: module.packages & IMPURE)


def test_a_pure_module_imports_only_pure_modules() -> None:
    only_right_imports(pure_modules(), lambda module: {name for name in module.ours if not is_pure(name)})


def test_only_app_builds_the_objects_of_the_server() -> None:
    ours = [module for module in all_modules() if module.name.startswith("fortythieves_server")]
    builders = {(name, module.name) for module in ours for name in module.builds & BUILT_BY_APP}
    assert builders == {(name, "fortythieves_server.app") for name in BUILT_BY_APP}


def test_only_app_and_main_know_the_configuration() -> None:
    assert {module.name for module in all_modules() if "Config" in module.knows} <= KNOW_THE_CONFIG


# Private names

TESTS = ROOT / "tests"

#: Public names with an underscore, of named tuples.
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


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
    paths = [path for folder in (*SOURCES.values(), TESTS) for path in folder.rglob("*.py")]
    used = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in paths
        for name in imported_names_in(ast.parse(path.read_text()))
        if is_private(name)
    }
    assert used == set()


def test_no_package_is_pinned_to_one_version() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [one for one in needed if "==" in one.partition(";")[0]] == []


def test_a_private_name_is_found_however_it_is_used() -> None:
    source = """
from module import _one
from module import Two
from package._two import three
import package._three
from __future__ import annotations
monkeypatch.setattr("module._four", 1)
getattr(thing, "_five")
"""
    found = [name for name in imported_names_in(ast.parse(source)) if is_private(name)]
    assert sorted(found) == ["_five", "_four", "_one", "_three", "_two"]


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
