"""The addresses of this machine, the names by which clients call it, and the address of a client behind proxies."""

import contextlib
import re
import socket
from collections.abc import Collection, Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import ifaddr

Network = IPv4Network | IPv6Network

#: Reserved for documentation (RFC 5737, RFC 3849), so no machine has them. Connecting a UDP socket sends nothing. It
#: only makes the system choose its own address for that direction.
_SOMEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


#: Interfaces that lead to containers, virtual machines or a VPN, as Docker, libvirt, VirtualBox, VMware, Linux, macOS,
#: WireGuard, Tailscale and ZeroTier name them. Friends at home reach none of these.
_VIRTUAL = re.compile(
    r"docker|br-[0-9a-f]{12}|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|flannel|cali|podman|bridge|tun|tap|utun|ppp|wg|tailscale|zt|ipsec|"
    r"awdl|llw|nordlynx|proton|mullvad|vethernet|vpn|outline|cloudflare|cscotun|ham[0-9]|nebula|incus|waydroid|kube|weave|"
    r"vmenet|feth|macvtap|dummy|sit|gre",
    re.IGNORECASE,
)


def local_addresses() -> list[str]:
    """Where others can reach this machine by IPv4 or global IPv6, the likeliest first. Finding out sends nothing."""
    adapters: list[ifaddr.Adapter] = []
    with contextlib.suppress(OSError):
        adapters += ifaddr.get_adapters()
    return likeliest_first(_towards_the_world(), adapters)


def likeliest_first(towards_the_world: Iterable[str], adapters: Iterable[ifaddr.Adapter]) -> list[str]:
    """The addresses that others may reach, first those of real networks: the way to the world may be a VPN."""
    virtual = set[str]()
    found = [*towards_the_world]
    for adapter in adapters:
        for ip in adapter.ips:
            if not ip.is_IPv4:
                continue
            found.append(str(ip.ip))
            # The network of a tunnel often has only one address.
            if _VIRTUAL.match(adapter.nice_name) or ip.network_prefix >= 31:
                virtual.add(str(ip.ip))
    return _reachable(sorted(found, key=virtual.__contains__))


def urls(host: str, port: int) -> list[str]:
    """The URLs of a server that listens on `host` and `port`: for this machine first, then for others."""
    match host:
        case "0.0.0.0":
            hosts = ["localhost", *(address for address in local_addresses() if ":" not in address)]
        case "::":
            # asyncio opens it for IPv6 only, so that IPv4 can be opened separately.
            hosts = ["localhost", *(address for address in local_addresses() if ":" in address)]
        case _:
            hosts = [host]
    return [f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}" for name in hosts]


def host_in(header: str) -> str:
    """The name or the address in a header `Host`, without the port. "" if it is not valid."""
    try:
        return (urlsplit(f"//{header}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def origin_of(url: str) -> str:
    """The origin of a page (RFC 6454), with a port and in small letters. "" if it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
        return f"{parts.scheme}://{parts.hostname}:{port}" if parts.hostname else ""
    except (ValueError, KeyError):
        return ""


def is_of_host(origin: str, host: str) -> bool:
    """Whether a page with this header `Origin` came from the host of this header `Host`."""
    site = origin_of(origin)
    return bool(site) and site == origin_of(f"{site.partition(':')[0]}://{host}")


def is_private_name(header: str) -> bool:
    """Whether a header `Host` has an address, or a name that no stranger can register: one without a full stop."""
    host = host_in(header)
    try:
        ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(".localhost"))
    return True


def is_own_machine(host: str) -> bool:
    """Whether a name or an address leads to the machine itself."""
    ip = _ip(host)
    return host == "localhost" if ip is None else ip.is_loopback


def is_in_home_network(host: str) -> bool:
    """Whether only machines in the same network can reach this name or address."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".home.arpa", ".lan"))


#: Some proxies append a port: 198.51.100.7:1234 or [2001:db8::7]:1234.
_PORT = re.compile(r"^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]{1,5})?$")


def client_address(peer: str, forwarded_for: Iterable[str], proxies: Collection[Network]) -> str:
    """The address of the client: `peer`, or if that is one of our `proxies`, the client that it forwards.

    `forwarded_for` holds the X-Forwarded-For headers in order. Each proxy appends the address of its peer. So entries
    are read from the right, and an entry is only trusted if one of our proxies wrote it. Clients can make up the rest.

    aiohttp-remotes (1.4) does not fit: `XForwardedFiltered` trusts any sender of the header, `XForwardedStrict` needs
    a fixed number of proxies and refuses everybody else, and both trust X-Forwarded-Host.
    """
    heard = _from_the_right(forwarded_for)
    while is_one_of(proxies, peer) and (entry := next(heard, None)) is not None:
        try:
            peer = str(ip_address(_PORT.sub(r"\1\2", entry)))
        except ValueError:
            break
    return peer


def _from_the_right(headers: Iterable[str]) -> Iterator[str]:
    """The entries of comma-separated headers, the last one first. A stranger may send thousands: one at a time."""
    for header in reversed([*headers]):
        rest, comma = header, ","
        while comma:
            rest, comma, entry = rest.rpartition(",")
            yield entry.strip()


def is_one_of(networks: Collection[Network], address: str) -> bool:
    ip = _ip(address) if networks else None
    return ip is not None and any(ip in network for network in networks)


def _ip(address: str) -> IPv4Address | IPv6Address | None:
    """None: it is no address. A socket for both kinds writes an IPv4 address in the form of IPv6."""
    try:
        ip = ip_address(address)
    except ValueError:
        return None
    return (isinstance(ip, IPv6Address) and ip.ipv4_mapped) or ip


def _reachable(addresses: Iterable[str]) -> list[str]:
    kept: dict[IPv4Address | IPv6Address, None] = {}
    for address in addresses:
        ip = ip_address(address.partition("%")[0])
        if ip.is_loopback or ip.is_unspecified or ip.is_multicast:
            continue
        if isinstance(ip, IPv4Address) or ip.is_global:
            kept[ip] = None
    # Two machines on a bare cable have link-local addresses; where there is another one, that is better.
    return [str(ip) for ip in sorted(kept, key=lambda ip: ip.is_link_local)]


def _towards_the_world() -> Iterator[str]:
    for family, somewhere in _SOMEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))
            yield probe.getsockname()[0]
