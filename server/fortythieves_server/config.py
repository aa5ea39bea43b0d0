"""The settings of a server: options of `forty-thieves serve`, or environment variables."""

import argparse
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from platformdirs import user_data_path

from fortythieves.rules.winnable import DEALS
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.limits import Limits
from fortythieves_server.process.embedded_redis import DEFAULT_MEMORY
from fortythieves_server.process.tunnel_helpers import Choice
from fortythieves_server.store import redis_url
from fortythieves_server.web.addresses import Network

log = logging.getLogger(__name__)

T = TypeVar("T")

#: The fewest deals of a game that a pool of winnable deals can have: enough of each number of stars for a race.
FEWEST = 3 * DEALS


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return parse


def _winnable(text: str) -> int:
    return 0 if text == "0" else _whole(FEWEST, 10_000)(text)


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


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.lower().replace(",", " ").split())
    if wrong := next((name for name in names if not re.fullmatch(r"[\w.-]+", name)), None):
        raise ValueError(f"{wrong!r} is not a name, such as ops.example.org")
    return names


def _path(text: str) -> Path:
    if "\0" in text:
        raise ValueError("a path cannot contain NUL")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise ValueError(f"there is no user for the home directory {text!r}") from None


def _redis(text: str) -> str:
    redis_url.parse(text)
    return text


def _token(text: str) -> str:
    if not re.fullmatch(r"[!-~]{16,200}", text):
        raise ValueError("it must have 16 to 200 ASCII characters and no spaces")
    return text


def _public_url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme not in {"http", "https"} or not url.hostname or url.path.strip("/") or url.query or url.fragment:
        raise ValueError(f"{text!r} is not like https://cards.example.org")
    return text.rstrip("/")


def _proxies(text: str) -> tuple[Network, ...]:
    try:
        named = tuple(ip_network(one) for one in text.replace(",", " ").split())
    except ValueError as error:
        raise ValueError(f"{error}; give addresses or networks, such as '127.0.0.1 10.0.0.0/28'") from None
    if everybody := next((network for network in named if network.prefixlen == 0), None):
        raise ValueError(f"{everybody} would trust all addresses")
    return named


def _limits(text: str) -> Limits:
    limits = Limits()
    for change in text.split():
        limits = limits.changed(change)
    return limits


def setting(default: T, parse: Callable[[str], T], metavar: str, text: str, *, is_secret: bool = False) -> T:
    """A field of `Config` that is an `Option`, too. A secret is hidden in a repr, so that it appears in no log."""
    option = {"parse": parse, "metavar": metavar, "help": text}
    return field(default=default, repr=not is_secret, metadata=option)


_DATA = user_data_path("forty-thieves", appauthor=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one server process."""

    host: str = setting(
        "0.0.0.0", _host, "ADDRESS", "listen on this address (0.0.0.0, so that others on the network can join)"
    )
    port: int = setting(8040, _whole(0, 65_535), "PORT", "listen on this port (8040); 0 takes any free port")
    workers: int = setting(
        1, _whole(1, 256), "N", "number of server processes (1); one is enough for a thousand players"
    )
    pids: Path | None = setting(
        None, _path, "FILE", "write the ids of the processes that may be killed to this file, one per line"
    )
    ops_host: str = setting(
        "127.0.0.1", _host, "ADDRESS", "address of --ops-port (127.0.0.1, so that only this machine can reach it)"
    )
    ops_port: int | None = setting(
        None,
        _whole(1, 65_000),
        "PORT",
        "serve metrics for Prometheus at /metrics and a dashboard at /ops on this port; further processes use the "
        "next ones",
    )
    ops_names: tuple[str, ...] = setting(
        (),
        _names,
        "NAMES",
        "the names with a full stop by which operators and Prometheus reach --ops-port, for example 'ops.example.org "
        "cards.internal' (none); addresses and other names always work",
    )
    ops_token: str | None = setting(
        None,
        _token,
        "TOKEN",
        "password for /ops, at least 16 characters, best in the environment (drawn once and kept in --data, but not "
        "with --redis)",
        is_secret=True,
    )
    demo: int | None = setting(
        None,
        _whole(1, 65_535),
        "PORT",
        "let bots race, and serve a page at /break on this port where visitors kill a worker or the database (off); "
        "other machines need the password of --ops-token",
    )
    data: Path = setting(
        _DATA, _path, "DIR", "keep rooms and results in this directory ({})".format(str(_DATA).replace("%", "%%"))
    )
    redis: str | None = setting(
        None,
        _redis,
        "URL",
        "use this Redis instead of starting one, for example redis://localhost:6379/0, "
        "redis+sentinel://host:26379/mymaster or redis+cluster://host:7000; all processes on one Redis serve the same "
        "rooms",
        is_secret=True,
    )
    redis_memory: int = setting(
        DEFAULT_MEMORY,
        _whole(16, 1_000_000),
        "MB",
        f"memory limit of the embedded Redis in megabytes ({DEFAULT_MEMORY}); above four fifths, only running races go "
        "on. For your own Redis, set maxmemory instead",
    )
    bots: bool = setting(True, _yes_or_no, "yes|no", "whether hosts can add bots that this server runs (yes)")
    max_bots: int = setting(16, _whole(0, 10_000), "N", "run at most this many bots (16)")
    winnable: int = setting(
        64,
        _winnable,
        "N",
        f"prepare this many winnable deals of each game while the processor is idle (64), at least {FEWEST}; "
        "0 prepares none",
    )
    day: bool = setting(
        True, _yes_or_no, "yes|no", "whether there is a deal of the day, which needs prepared winnable deals (yes)"
    )
    idle_lobby_hours: float = setting(2.0, _span, "HOURS", "close a room in which nothing happened for this long (2)")
    keep_days: float = setting(7.0, _span, "DAYS", "keep rooms and results for this long after the last race (7)")
    public_url: str | None = setting(
        None, _public_url, "URL", "the address that players use, for links, their previews and QR codes"
    )
    share: bool = setting(
        False, _yes_or_no, "yes|no", "let friends in other networks in, through a program that is installed here (no)"
    )
    share_with: Choice = setting(
        Choice(),
        Choice.parse,
        "HELPER",
        "share through 'cloudflared', 'tailscale' or, with ssh, a service such as 'ssh:nokey@localhost.run' (the first "
        "of cloudflared and tailscale that is installed)",
    )
    proxies: tuple[Network, ...] = setting(
        (),
        _proxies,
        "ADDRESSES",
        "trust the X-Forwarded-For header only from proxies that connect from these addresses or networks, for example "
        "'127.0.0.1 10.0.0.0/28' (none)",
    )
    limits: Limits = setting(
        Limits(),
        _limits,
        "NAME=VALUE",
        "change limits, for example 'connections=3000 rooms=100/hour+50', or 'times=10' to multiply all limits of an "
        "address by ten. The limits: " + ", ".join(f"{name} ({value})" for name, value in Limits()._asdict().items()),
    )


class Option(NamedTuple):
    """A setting as a command-line option and an environment variable."""

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


OPTIONS = tuple(Option(one.name, **one.metadata) for one in fields(Config))


def add_options(parser: argparse.ArgumentParser) -> None:
    for option in OPTIONS:
        alone: dict[str, Any] = {"nargs": "?", "const": "yes"} if option.metavar == "yes|no" else {}
        parser.add_argument(option.flag, dest=option.name, metavar=option.metavar, help=option.help, **alone)


def config_of(options: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """The configuration from options, or else from the environment. Raises `StartError` for an invalid value."""
    settings = {}
    for option in OPTIONS:
        source, text = option.flag, options.get(option.name)
        if text is None:
            source, text = option.variable, environment.get(option.variable, "").strip() or None
            if text and option.name.endswith("port") and "://" in text:
                hint = "Kubernetes sets %s for a service of that name, so it is ignored. Rename the service, or use %s."
                log.warning(hint, source, option.flag)
                continue
        if text is None:
            continue
        try:
            settings[option.name] = option.parse(text)
        except ValueError as error:
            raise StartError(f"{source} is not valid: {error}.") from None
    return Config(**settings)
