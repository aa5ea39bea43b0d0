"""What an operator can set: options of `forty-thieves serve`, or variables of the environment."""

import argparse
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from platformdirs import user_data_path

from fortythieves_server.common.errors import StartError
from fortythieves_server.common.limits import Limits
from fortythieves_server.process.embedded_redis import DEFAULT_MEMORY
from fortythieves_server.store import redis_url
from fortythieves_server.web.addresses import Network


def default_data() -> Path:
    """Where rooms are kept unless somebody says otherwise."""
    return user_data_path("forty-thieves", appauthor=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one server process. The help texts of `OPTIONS` say what they mean."""

    host: str = "0.0.0.0"
    port: int = 8040
    workers: int = 1
    pids: Path | None = None
    ops_host: str = "127.0.0.1"
    ops_port: int | None = None
    #: Not in a repr, either.
    ops_token: str | None = field(default=None, repr=False)
    data: Path = field(default_factory=default_data)
    #: Not in a repr, and so in no log: an address may hold a password.
    redis: str | None = field(default=None, repr=False)
    redis_memory: int = DEFAULT_MEMORY
    bots: bool = True
    max_bots: int = 16
    idle_lobby_hours: float = 2
    keep_days: float = 7
    public_url: str | None = None
    proxies: tuple[Network, ...] = ()
    limits: Limits = field(default_factory=Limits)


class Option(NamedTuple):
    """One setting: a field of `Config`, an option on the command line, a variable of the environment."""

    name: str
    parse: Callable[[str], Any]
    metavar: str
    help: str

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "FORTY_THIEVES_" + self.name.upper()


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"{text!r} is not a number from {least} to {most}")
        return int(text)

    return parse


def _span(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) or float(text) == 0:
        raise ValueError(f"{text!r} is not a number above 0")
    return float(text)


def _yes_or_no(text: str) -> bool:
    if text.lower() not in {"yes", "no", "true", "false", "on", "off", "1", "0"}:
        raise ValueError(f"{text!r} is neither yes nor no")
    return text.lower() in {"yes", "true", "on", "1"}


def _host(text: str) -> str:
    host = text.removeprefix("[").removesuffix("]")
    if not re.fullmatch(r"[\w.:%-]+", host):
        raise ValueError(f"{text!r} is not the name or the address of a network interface, such as 127.0.0.1")
    return host


def _path(text: str) -> Path:
    if "\0" in text:
        raise ValueError("a name holds no NUL")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise ValueError(f"nobody is known whose home directory {text!r} is in") from None


def _redis(text: str) -> str:
    redis_url.parse(text)
    return text


def _token(text: str) -> str:
    if not re.fullmatch(r"[!-~]{16,200}", text):
        raise ValueError("it has 16 to 200 characters, of ASCII and no spaces")
    return text


def _public_url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme not in {"http", "https"} or not url.hostname or url.path.strip("/") or url.query or url.fragment:
        raise ValueError(f"{text!r} is not like https://cards.example.org")
    return text.rstrip("/")


def _proxies(text: str) -> tuple[Network, ...]:
    if text.isdecimal():
        raise ValueError(
            f"it was a number of proxies once, and whoever came past them was believed; instead of {text} give the "
            "addresses that they connect from, such as 127.0.0.1"
        )
    try:
        named = tuple(ip_network(one) for one in text.replace(",", " ").split())
    except ValueError as error:
        raise ValueError(f"{error}; give addresses or networks, such as '127.0.0.1 10.0.0.0/28'") from None
    if everybody := next((network for network in named if network.prefixlen == 0), None):
        raise ValueError(f"{everybody} is everybody")
    return named


def _limits(text: str) -> Limits:
    limits = Limits()
    for change in text.split():
        limits = limits.changed(change)
    return limits


OPTIONS = (
    Option("host", _host, "ADDRESS", "listen on this address (0.0.0.0, so that others on the network can join)"),
    Option("port", _whole(0, 65_535), "PORT", "listen on this port (8040); 0 takes any that is free"),
    Option("workers", _whole(1, 256), "N", "serve by this many processes (1); one is enough for a thousand players"),
    Option("pids", _path, "FILE", "keep the numbers of the processes that may die in this file, one a line"),
    Option("ops_host", _host, "ADDRESS", "the address of --ops-port (127.0.0.1, so that only this machine sees it)"),
    Option(
        "ops_port",
        _whole(1, 65_000),
        "PORT",
        "say at /metrics of this port how the server is, to Prometheus; of several processes the second one at the "
        "next port, and so on; and to operators at /ops",
    ),
    Option(
        "ops_token",
        _token,
        "TOKEN",
        "what operators say as their password at /ops, 16 characters at least; better in the environment, where other "
        "users of this machine do not see it (drawn once and kept in --data; with --redis there is no page without it)",
    ),
    Option(
        "data",
        _path,
        "DIR",
        "keep rooms and results in this directory ({})".format(str(default_data()).replace("%", "%%")),
    ),
    Option(
        "redis",
        _redis,
        "URL",
        "use this Redis, such as redis://localhost:6379/0, redis+sentinel://host:26379/mymaster or "
        "redis+cluster://host:7000, instead of starting one; several processes that use the same one serve the same "
        "rooms",
    ),
    Option(
        "redis_memory",
        _whole(16, 1_000_000),
        "MB",
        f"how many megabytes the Redis that comes along may hold ({DEFAULT_MEMORY}); with four fifths of that no new "
        "rooms are opened. Of your own Redis that is its maxmemory",
    ),
    Option("bots", _yes_or_no, "yes|no", "whether hosts can add bots that this server plays (yes)"),
    Option("max_bots", _whole(0, 10_000), "N", "play this many bots at most (16)"),
    Option("idle_lobby_hours", _span, "HOURS", "close a room in which nothing has happened for so long (2)"),
    Option("keep_days", _span, "DAYS", "keep rooms and results for so long after the last race (7)"),
    Option("public_url", _public_url, "URL", "the address under which players see this server, for links and QR codes"),
    Option(
        "proxies",
        _proxies,
        "ADDRESSES",
        "believe the X-Forwarded-For header of proxies that connect from these addresses or networks, such as "
        "'127.0.0.1 10.0.0.0/28', and of nobody else (none)",
    ),
    Option(
        "limits",
        _limits,
        "NAME=VALUE",
        "change limits, such as 'connections=3000 rooms=100/hour+50', or 'times=10' for ten times as much of all that "
        "one address may; there are " + ", ".join(f"{name} ({value})" for name, value in Limits()._asdict().items()),
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the options of a server."""
    for option in OPTIONS:
        parser.add_argument(option.flag, dest=option.name, metavar=option.metavar, help=option.help)


def config_of(options: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """The configuration that these parsed options and this environment ask for. The option wins.

    Raises `StartError` for one that does not work.
    """
    settings = {}
    for option in OPTIONS:
        source, text = option.flag, options.get(option.name)
        if text is None:
            source, text = option.variable, environment.get(option.variable, "").strip() or None
        if text is None:
            continue
        try:
            settings[option.name] = option.parse(text)
        except ValueError as error:
            raise StartError(f"{source} does not work: {error}.") from None
    return Config(**settings)
