"""The shape of the program, held against its files: who may import whom, and what the pure modules never touch.

A new module is put on its package's spine here, in the place where a newcomer who reads upwards would want to meet it.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCES = {
    "fortythieves": ROOT / "shared",
    "fortythieves_server": ROOT / "server",
    "fortythieves_client": ROOT / "client",
}

#: Each package read from the bottom up: a module uses only what stands before it.
SPINES = {
    "fortythieves": [
        "errors",
        "cards",
        "games",
        "moves",
        "deal",
        "board",
        "analyse",
        "settings",
        "ranking",
        "tally",
        "shape",
        "signature",
        "promise",
        "record",
        "proof",
        "to_server",
        "to_client",
        "wire",
        "tournament.plan",
        "tournament.rounds",
        "tournament.results",
        "tournament.score",
        "tournament.lots",
        "tournament.points",
        "tournament.knockout",
        "tournament.swiss",
        "tournament.draw",
        "tournament.standings",
        "tournament.export",
        "tournament.audit",
        "tournament.sheets",
        "tournament.ical",
        "tournament",
    ],
    "fortythieves_server": [
        "texts",
        "skeletons",
        "track",
        "watching",
        "events",
        "quotas",
        "tournament",
        "race",
        "names",
        "review",
        "recording",
        "rule",
        "operating",
        "reading",
        "hosting",
        "entry_list",
        "desk",
        "removing",
        "decide",
        "views",
        "listing",
        "clock",
        "auth",
        "keyring",
        "signing",
        "limits",
        "prices",
        "fair_queue",
        "network",
        "outbox",
        "tasks",
        "metered",
        "loop_share",
        "passwords",
        "ticks",
        "counts",
        "logs",
        "redis_url",
        "config",
        "ports",
        "workers",
        "directory",
        "embedded",
        "keys",
        "scripts",
        "answers",
        "memory",
        "connect",
        "pipe",
        "reads",
        "commits",
        "batches",
        "nudges",
        "canary",
        "store",
        "rings",
        "viewers",
        "audience",
        "boards",
        "room",
        "hub",
        "jobs",
        "offload",
        "kept",
        "records",
        "exports",
        "bots",
        "sockets",
        "descriptors",
        "acceptor",
        "ws",
        "metrics",
        "reports",
        "ops_page",
        "responses",
        "ops_routes",
        "charging",
        "downloads",
        "routes",
        "rotation",
        "app",
        "__main__",
    ],
    "fortythieves_client": [
        "address",
        "verify",
        "standings",
        "clock",
        "merge",
        "race",
        "room",
        "line",
        "witness",
        "connection",
        "bot.value",
        "bot.search",
        "bot.levels",
        "bot.names",
        "bot.thinker",
        "bot.house",
        "bot.pool",
        "bot",
        "load.play",
        "load.figures",
        "load.bots",
        "load.chaos",
        "load.run",
        "load",
    ],
}

#: Whole packages come before others, too: the server and the client both stand on `fortythieves`.
MAY_IMPORT = {
    "fortythieves": set[str](),
    "fortythieves_client": {"fortythieves"},
    "fortythieves_server": {"fortythieves"},
}

#: Values in, values out: all of the rules and of the protocol, and the middle of the server and of the client.
PURE = {
    "fortythieves": set(SPINES["fortythieves"]),
    "fortythieves_server": {
        "texts",
        "skeletons",
        "track",
        "watching",
        "events",
        "quotas",
        "tournament",
        "race",
        "names",
        "review",
        "recording",
        "reading",
        "operating",
        "listing",
        "rule",
        "hosting",
        "entry_list",
        "desk",
        "removing",
        "decide",
        "views",
    },
    "fortythieves_client": {"merge", "race", "room", "bot.value", "bot.search", "load.figures"},
}

#: The world. What is pure is told the time, is given its randomness, and has its answers sent by others.
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
    ("fortythieves.tournament.ical", "datetime"),  # writes down a time that it is told, and reads no clock
    ("fortythieves.deal", "random"),  # random.Random(number), as PySolFC deals a number: no chance is involved
}

#: One screen wires everything. What it builds, others are given; how the server is configured, they are not told.
BUILT_BY_APP = {
    "Bots",
    "Clock",
    "Door",
    "EmbeddedRedis",
    "Guests",
    "Hub",
    "Metrics",
    "Passwords",
    "Offload",
    "Reports",
    "Store",
    "Workers",
}
KNOW_THE_CONFIG = {"fortythieves_server.config", "fortythieves_server.app", "fortythieves_server.__main__"}


class Module(NamedTuple):
    package: str
    name: str  # within the package: "board", "bot.play"; "" is the package itself
    imports: frozenset[str]  # dotted names of modules, our own and others
    builds: frozenset[str]  # names that are called
    knows: frozenset[str]  # names that are imported from modules

    def __str__(self) -> str:
        return f"{self.package}.{self.name}".removesuffix(".")

    @property
    def place(self) -> int:
        """How high on its spine it stands; the package itself stands on the ground."""
        return SPINES[self.package].index(self.name) if self.name else 0

    @property
    def is_pure(self) -> bool:
        return self.name in PURE[self.package]

    @property
    def packages(self) -> set[str]:
        """The packages that it imports from, our own and others."""
        return {name.partition(".")[0] for name in self.imports}

    @property
    def siblings(self) -> set[str]:
        """The modules of its own package that it uses."""
        return {name.partition(".")[2] for name in self.imports if name.startswith(f"{self.package}.")}


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
        )


def imports_of(tree: ast.Module) -> Iterator[str]:
    """Every module that a file imports, wherever in the file it does."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                # `from fortythieves import games` names a module, `from fortythieves.cards import Card` what is in one.
                yield from (f"{module}.{name.name}" if is_ours(f"{module}.{name.name}") else module for name in names)
            case ast.ImportFrom():
                raise AssertionError("imports are absolute here")


def is_ours(name: str) -> bool:
    package, _, inside = name.partition(".")
    return package in SPINES and inside in SPINES[package]


MODULES = [module for package in SPINES for module in modules_of(package)]
PURE_MODULES = [module for module in MODULES if module.is_pure]


def only_right_imports(modules: list[Module], wrong: Callable[[Module], set[str]]) -> None:
    """No module imports what is wrong for it; those that do are all said together."""
    assert modules
    found = {
        str(module): wrong(module) - {name for who, name in EXCEPTIONS if who == str(module)} for module in modules
    }
    assert {name: imports for name, imports in found.items() if imports} == {}


def test_every_module_has_its_place_on_the_spine_and_every_place_its_module() -> None:
    modules = {(module.package, module.name) for module in MODULES if module.name}
    assert modules == {(package, name) for package, names in SPINES.items() for name in names}


def test_a_module_uses_only_what_stands_below_it() -> None:
    only_right_imports(MODULES, lambda module: module.siblings - set(SPINES[module.package][: module.place]))


def test_a_package_uses_only_the_packages_below_it() -> None:
    def above(module: Module) -> set[str]:
        return module.packages & set(SPINES) - {module.package} - MAY_IMPORT[module.package]

    only_right_imports(MODULES, above)


def test_a_pure_module_touches_nothing_of_the_world() -> None:
    only_right_imports(PURE_MODULES, lambda module: module.packages & IMPURE)


def test_a_pure_module_stands_on_pure_modules() -> None:
    only_right_imports(PURE_MODULES, lambda module: module.siblings - PURE[module.package])


def test_only_the_composition_root_builds_what_it_wires() -> None:
    ours = [module for module in MODULES if module.package == "fortythieves_server"]
    builders = {(name, str(module)) for module in ours for name in module.builds & BUILT_BY_APP}
    assert builders == {(name, "fortythieves_server.app") for name in BUILT_BY_APP}


def test_only_the_composition_root_knows_how_the_server_is_configured() -> None:
    assert {str(module) for module in MODULES if "Config" in module.knows} <= KNOW_THE_CONFIG


# What tests know of the program


TESTS = ROOT / "tests"

#: These begin with an underscore, and are public: of named tuples, which have fields of any other name.
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OF_NAMED_TUPLES


def is_own(node: ast.expr) -> bool:
    """Whether this is the object that the code belongs to."""
    match node:
        case ast.Name("self" | "cls") | ast.Call(ast.Name("super")):
            return True
    return False


def private_names_in(tree: ast.Module) -> Iterator[str]:
    """The private names of others that a file uses, also where it says them in a text: `setattr("module._X", ...)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value, name) if not is_own(value):
                yield name
            case ast.ImportFrom(names=names):
                yield from (name.name for name in names)
            case ast.Call(ast.Name(called) | ast.Attribute(_, called), arguments) if "attr" in called:
                texts = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                yield from (text.rpartition(".")[2] for text in texts)


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
