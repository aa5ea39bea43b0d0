"""The addresses by which Redis is found, of each kind that there is.

    redis://user:password@host:port/db                    one server; rediss:// with TLS
    unix://path?db=0                                      one server on this machine
    redis+sentinel://host:port,host:port/service/db       whichever server these sentinels call the master
    redis+cluster://host:port,host:port                   a cluster that has these nodes, among others

`rediss+sentinel` and `rediss+cluster` are the same with TLS. What follows a question mark is as redis-py has it
(`ssl_ca_certs=FILE`, ...), and `replicas=1` has each commit wait until so many replicas have it.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

Kind = Literal["single", "sentinel", "cluster"]

SCHEMES: dict[str, tuple[Kind, str, int]] = {
    "redis": ("single", "redis", 6379),
    "rediss": ("single", "rediss", 6379),
    "unix": ("single", "unix", 0),
    "redis+sentinel": ("sentinel", "redis", 26379),
    "rediss+sentinel": ("sentinel", "rediss", 26379),
    "redis+cluster": ("cluster", "redis", 6379),
    "rediss+cluster": ("cluster", "rediss", 6379),
}


class RedisUrl(NamedTuple):
    """An address, taken apart."""

    kind: Kind
    #: Of a single server, as redis-py understands it.
    address: str
    #: Of others: what redis-py is told of every connection.
    options: Mapping[str, Any]
    #: Of sentinels, or of nodes of a cluster.
    hosts: tuple[tuple[str, int], ...] = ()
    #: What the sentinels call the servers that they watch.
    service: str = ""
    #: What the sentinels themselves want to be told.
    sentinel: Mapping[str, str] = MappingProxyType({})
    #: How many replicas must have a commit before it is acknowledged.
    replicas: int = 0


def parse(text: str) -> RedisUrl:
    """Take an address apart. Raises ValueError with a sentence that does not repeat it: it may hold a password."""
    url = _split(text)
    if url.scheme not in SCHEMES:
        raise ValueError(f"an address of a Redis server starts with {'://, '.join(SCHEMES)}://")
    kind, scheme, port = SCHEMES[url.scheme]
    query = dict(parse_qsl(url.query))
    replicas = query.pop("replicas", "0")
    if not re.fullmatch("[0-9]", replicas):
        raise ValueError("replicas is a number from 0 to 9")
    if kind == "single":
        address = text.partition("?")[0] + (f"?{urlencode(query)}" if query else "")
        return RedisUrl(kind, address, _options(address), replicas=int(replicas))
    login, _, hosts = url.netloc.rpartition("@")
    service, _, db = url.path.strip("/").partition("/")
    if kind == "sentinel" and not service:
        raise ValueError("an address of sentinels ends with the name of what they watch: .../mymaster")
    if kind == "cluster" and service:
        raise ValueError("a cluster has no numbered databases, so nothing follows its hosts")
    sentinel = {name: query.pop(f"sentinel_{name}") for name in ("username", "password") if f"sentinel_{name}" in query}
    same = f"{scheme}://{login + '@' if login else ''}host/{db if kind == 'sentinel' else ''}?{urlencode(query)}"
    options = _options(same)
    del options["host"]
    return RedisUrl(kind, "", options, tuple(_hosts(hosts, port)), unquote(service), sentinel, int(replicas))


def _split(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        _ = url.scheme.endswith(("+sentinel", "+cluster")) or url.port  # Of several hosts each has its own: `_hosts`.
    except ValueError:
        # What urllib says would repeat a part of the address, and where the password has a slash, that part.
        raise ValueError(
            "its hosts or its port cannot be read; a password with other signs than letters and digits in it is to be "
            "written with %2F and the like"
        ) from None
    return url


def _options(url: str) -> dict[str, Any]:
    """What redis-py makes of an address of a kind that it knows."""
    from redis.asyncio.connection import Connection, SSLConnection, parse_url
    from redis.exceptions import RedisError

    path = _split(url).path.strip("/")
    if not url.startswith("unix:") and path and not path.isdecimal():
        raise ValueError("the database is a number, as in redis://localhost:6379/0")
    try:
        options: dict[str, Any] = dict(parse_url(url))
        kind = options.pop("connection_class", Connection)
        kind(**options)  # Which connects to nothing, and knows which options there are.
    except TypeError as error:
        [*_, name] = re.findall(r"'(\w+)'", str(error)) or ["one of them"]
        raise ValueError(f"there is no option {name!r} of a connection") from None
    except (RedisError, AttributeError, LookupError):
        # Some options are objects, or known only by what goes wrong with them.
        raise ValueError("one of the options of a connection has a value that it cannot have") from None
    if kind is SSLConnection:
        options["ssl"] = True
    for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        if name in options and not _is_file(options[name]):
            raise ValueError(f"there is no file {options[name]} ({name})")
    return options


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # A name may be too long to be one.
        return False


def _hosts(text: str, port: int) -> Iterator[tuple[str, int]]:
    for host in text.split(","):
        match = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?", host)
        if not match or (match[2] and not 0 < int(match[2]) < 65_536):
            raise ValueError("the hosts are written host:port,host:port")
        yield match[1].strip("[]"), int(match[2] or port)
