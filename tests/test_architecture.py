"""The architecture: pure modules, and one module that builds all others.

pyproject.toml has the allowed imports (`tool.importlinter`).
"""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = {
    "fortythieves": ROOT / "shared",
    "fortythieves_server": ROOT / "server",
    "fortythieves_client": ROOT / "client",
}

#: Values in, values out: all of the rules and of the protocol, and the middle of the server and of the client.
PURE = (
    "fortythieves",
    "fortythieves_server.core",
    *(f"fortythieves_client.{name}" for name in ("merge", "race", "room", "bot.value", "bot.search", "load.figures")),
)

#: Modules of the outside world. Pure code gets times and random numbers as arguments.
IMPURE = {
    "aiohttp",
    "asyncio",
    "datetime",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "redis",
    "secrets",
    "selectors",
    "socket",
    "subprocess",
    "threading",
    "time",
    "urllib",
    "uvloop",
    "websockets",
}

EXCEPTIONS = {
    ("fortythieves_server.__main__", "fortythieves_client"),  # one program has all commands, `bot` among them
    ("fortythieves.tournament.ical", "datetime"),  # formats a time and reads no clock
    ("fortythieves.rules.deal", "random"),  # random.Random(number), as PySolFC deals a number: no chance is involved
}

#: The classes that only `app` builds. Other modules do not see the configuration.
BUILT_BY_APP = {
    "Bots",
    "Clock",
    "Gateway",
    "EmbeddedRedis",
    "Guests",
    "RoomService",
    "Metrics",
    "Passwords",
    "FileProcess",
    "Reports",
    "Store",
    "Supervisor",
}
KNOW_THE_CONFIG = {"fortythieves_server.config", "fortythieves_server.app", "fortythieves_server.__main__"}


class Module(NamedTuple):
    package: str
    name: str  # within the package: "board", "bot.play"; "" is the package itself
    imports: frozenset[str]  # dotted names of modules, our own and others
    builds: frozenset[str]  # names that are called
    knows: frozenset[str]  # names that are imported from modules
    tree: ast.Module

    def __str__(self) -> str:
        return f"{self.package}.{self.name}".removesuffix(".")

    @property
    def is_pure(self) -> bool:
        return is_pure(str(self))

    @property
    def packages(self) -> set[str]:
        """The packages that it imports from, our own and others."""
        return {name.partition(".")[0] for name in self.imports}

    @property
    def ours(self) -> set[str]:
        """The modules of the project that it uses."""
        return {name for name in self.imports if name.partition(".")[0] in SOURCES}


def modules_of(package: str) -> Iterator[Module]:
    root = SOURCES[package]
    for path in sorted((root / package).rglob("*.py")):
        name = ".".join(path.relative_to(root / package).with_suffix("").parts)
        tree = ast.parse(path.read_text())
        yield Module(
            package,
            name.removesuffix("__init__").removesuffix("."),
            imports=frozenset(imports_of(tree)),
            builds=frozenset(
                node.func.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            ),
            knows=frozenset(
                name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names
            ),
            tree=tree,
        )


def imports_of(tree: ast.Module) -> Iterator[str]:
    """All modules that a file imports."""
    for node in ast.walk(tree):
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


@cache
def pure_modules() -> list[Module]:
    return [module for module in all_modules() if module.is_pure]


def only_right_imports(modules: list[Module], wrong: Callable[[Module], set[str]]) -> None:
    """No module has wrong imports."""
    assert modules
    found = {
        str(module): wrong(module) - {name for who, name in EXCEPTIONS if who == str(module)} for module in modules
    }
    assert {name: imports for name, imports in found.items() if imports} == {}


def test_a_pure_module_imports_nothing_impure() -> None:
    only_right_imports(pure_modules(), lambda module: module.packages & IMPURE)


def test_a_pure_module_imports_only_pure_modules() -> None:
    only_right_imports(pure_modules(), lambda module: {name for name in module.ours if not is_pure(name)})


def test_only_app_builds_the_objects_of_the_server() -> None:
    ours = [module for module in all_modules() if module.package == "fortythieves_server"]
    builders = {(name, str(module)) for module in ours for name in module.builds & BUILT_BY_APP}
    assert builders == {(name, "fortythieves_server.app") for name in BUILT_BY_APP}


def test_only_app_and_main_know_the_configuration() -> None:
    assert {str(module) for module in all_modules() if "Config" in module.knows} <= KNOW_THE_CONFIG


# Private names

#: The files with private names of a library. Its version is pinned.
INTERNALS = {"fortythieves_server.web.aiohttp_internals": "aiohttp"}

TESTS = ROOT / "tests"

#: Public names with an underscore, of named tuples.
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OF_NAMED_TUPLES


def is_own(node: ast.expr) -> bool:
    """Whether this is the object of the method."""
    match node:
        case ast.Name("self" | "cls") | ast.Call(ast.Name("super")):
            return True
    return False


def private_names_in(tree: ast.Module) -> Iterator[str]:
    """The private names of other objects, also in texts: `setattr("module._X", ...)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value, name) if not is_own(value):
                yield name
            case ast.ImportFrom(names=names):
                yield from (name.name for name in names)
            case ast.Call(ast.Name(called) | ast.Attribute(_, called), arguments) if "attr" in called:
                texts = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                yield from (text.rpartition(".")[2] for text in texts)


def inherits_from(tree: ast.Module) -> Iterator[str]:
    """The packages of the base classes, which can use their private names."""
    packages = {
        one.asname or one.name: node.module.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for one in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(bases=bases):
                names = (part.id for base in bases for part in ast.walk(base) if isinstance(part, ast.Name))
                yield from (packages.get(name, "") for name in names)


def test_what_is_private_to_a_library_is_used_in_one_file() -> None:
    used = {
        str(module)
        for module in all_modules()
        if module.package == "fortythieves_server"
        and (
            any(map(is_private, private_names_in(module.tree))) or {*inherits_from(module.tree)} & {*INTERNALS.values()}
        )
    }
    assert used == {*INTERNALS}


def test_a_library_whose_private_parts_are_used_is_pinned() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    for library in INTERNALS.values():
        assert any(re.fullmatch(rf"{library}(\[\w+\])?==[0-9.]+", one) for one in needed)


def test_tests_use_public_names_only() -> None:
    used = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in TESTS.rglob("*.py")
        for name in private_names_in(ast.parse(path.read_text()))
        if is_private(name)
    }
    assert used == set()


def test_a_private_name_is_found_however_it_is_used() -> None:
    source = """
from module import _one
from module import Two
thing._two
self.thing._three()
self._own, super()._own, thing._replace(), thing.__dict__
monkeypatch.setattr("module._four", 1)
getattr(thing, "_five")
"""
    found = [name for name in private_names_in(ast.parse(source)) if is_private(name)]
    assert sorted(found) == ["_five", "_four", "_one", "_three", "_two"]
