"""The addresses of Redis, of every supported kind.

    redis://user:password@host:port/db                    one server; rediss:// with TLS
    unix://path?db=0                                      one server on this machine
    redis+sentinel://host:port,host:port/service/db       the server that these sentinels call the master
    redis+cluster://host:port,host:port                   a cluster, to which these nodes belong

`rediss+sentinel` and `rediss+cluster` are the same with TLS. Options after a question mark are options of redis-py
(`ssl_ca_certs=FILE`, ...). `replicas=1` makes each commit wait for a replica.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
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
    kind: Kind
    #: For a single server: the address as redis-py reads it.
    address: str
    #: For the other kinds: the options of redis-py for every connection.
    options: Mapping[str, Any]
    #: The sentinels, or nodes of the cluster.
    hosts: tuple[tuple[str, int], ...] = ()
    #: The sentinels' name for the servers that they watch.
    service: str = ""
    #: The options for connections to the sentinels themselves.
    sentinel: Mapping[str, str] = {}
    #: How many replicas must have a commit before it is acknowledged.
    replicas: int = 0


def parse(text: str) -> RedisUrl:
    """Parse an address. Raises `ValueError` with a sentence that does not repeat the address or its password."""
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
        raise ValueError("an address of sentinels must end with the name of the service, like .../mymaster")
    if kind == "cluster" and service:
        raise ValueError("a cluster has no numbered databases, so nothing may follow its hosts")
    sentinel = {name: query.pop(f"sentinel_{name}") for name in ("username", "password") if f"sentinel_{name}" in query}
    same = f"{scheme}://{login + '@' if login else ''}host/{db if kind == 'sentinel' else ''}?{urlencode(query)}"
    options = _options(same)
    del options["host"]
    return RedisUrl(kind, "", options, tuple(_hosts(hosts, port)), unquote(service), sentinel, int(replicas))


def _split(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        _ = url.scheme.endswith(("+sentinel", "+cluster")) or url.port  # `_hosts` checks the ports of several hosts
    except ValueError:
        # The text of urllib would repeat a part of the address. If the password has a slash, that part is the password.
        raise ValueError(
            "the hosts or the port cannot be read; if the password has other characters than letters and digits, write "
            "them as %2F and so on"
        ) from None
    return url


def _options(url: str) -> dict[str, Any]:
    """The options that redis-py reads from an address."""
    from redis.asyncio.connection import Connection, SSLConnection, parse_url
    from redis.exceptions import RedisError

    path = _split(url).path.strip("/")
    if not url.startswith("unix:") and path and not path.isdecimal():
        raise ValueError("the database must be a number, as in redis://localhost:6379/0")
    try:
        options: dict[str, Any] = dict(parse_url(url))
        kind = options.pop("connection_class", Connection)
        kind(**options)  # opens no connection, but checks the names of the options
    except TypeError as error:
        [*_, name] = re.findall(r"'(\w+)'", str(error)) or ["one of them"]
        raise ValueError(f"a connection has no option {name!r}") from None
    except (RedisError, AttributeError, LookupError):
        # redis-py does not check all values itself.
        raise ValueError("an option of the connection has an invalid value") from None
    if kind is SSLConnection:
        options["ssl"] = True
    for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        if name in options and not _is_file(options[name]):
            raise ValueError(f"there is no file {options[name]} ({name})")
    return options


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # for example a name that is too long
        return False


def _hosts(text: str, port: int) -> Iterator[tuple[str, int]]:
    for host in text.split(","):
        match = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?", host)
        if not match or (match[2] and not 0 < int(match[2]) < 65_536):
            raise ValueError("hosts are written as host:port,host:port")
        yield match[1].strip("[]"), int(match[2] or port)
