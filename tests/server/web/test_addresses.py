from ipaddress import ip_address, ip_network

import pytest
from ifaddr import IP, Adapter

from fortythieves_server.web.addresses import (
    client_address,
    is_in_home_network,
    is_private_name,
    likeliest_first,
    local_addresses,
    urls,
)


def test_local_addresses_are_addresses_that_others_can_use() -> None:
    addresses = local_addresses()
    assert len(addresses) == len(set(addresses))
    for address in map(ip_address, addresses):
        assert not address.is_loopback
        assert not address.is_unspecified
        assert address.version == 4 or address.is_global


def test_addresses_of_containers_and_tunnels_come_last() -> None:
    networks = {
        "lo": ("127.0.0.1", 8),
        "docker0": ("172.17.0.1", 16),
        "br-0123456789ab": ("172.18.0.1", 16),
        "tun0": ("10.8.0.2", 24),
        "CloudflareWARP": ("172.16.0.2", 24),
        "office": ("10.9.0.2", 32),  # a tunnel by its network
        "wlp3s0": ("192.168.1.5", 24),
        "br-lan": ("192.168.2.1", 24),
    }
    adapters = [Adapter(name, name, [IP(ip, length, name)], 1) for name, (ip, length) in networks.items()]
    virtual = ["10.8.0.2", "172.17.0.1", "172.18.0.1", "172.16.0.2", "10.9.0.2"]
    assert likeliest_first(["10.8.0.2"], adapters) == ["192.168.1.5", "192.168.2.1", *virtual]
    assert likeliest_first(["192.168.2.1"], adapters)[:2] == ["192.168.2.1", "192.168.1.5"]
    assert likeliest_first(["10.8.0.2"], adapters[:6]) == virtual, "where there is nothing else"


@pytest.mark.parametrize(
    ("host", "there"),
    [
        ("127.0.0.1", ["http://127.0.0.1:80"]),
        ("play.example.org", ["http://play.example.org:80"]),
        ("::1", ["http://[::1]:80"]),
        ("0.0.0.0", ["http://localhost:80", *(f"http://{one}:80" for one in local_addresses() if ":" not in one)]),
    ],
)
def test_a_server_is_announced_where_it_can_be_reached(host: str, there: list[str]) -> None:
    assert urls(host, 80) == there


OURS = (ip_network("10.0.0.1"), ip_network("10.0.0.2"), ip_network("2001:db8:1::/64"))


@pytest.mark.parametrize(
    ("peer", "headers", "client"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9, 10.0.0.1"], "198.51.100.7"),
        ("10.0.0.3", ["203.0.113.9"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
        ("::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("2001:db8:1::9", ["2001:db8::7"], "2001:db8::7"),
        ("10.0.0.2", ["203.0.113.9", "198.51.100.7, 10.0.0.1"], "198.51.100.7"),
        ("10.0.0.2", ["10.0.0.1"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7:1234"], "198.51.100.7"),
        ("10.0.0.1", ["[2001:db8::7]:443"], "2001:db8::7"),
        ("10.0.0.1", ["[2001:db8::7]"], "2001:db8::7"),
        ("10.0.0.2", ["198.51.100.7:1, 10.0.0.1:65535"], "198.51.100.7"),
        *(("10.0.0.1", [odd], "10.0.0.1") for odd in ("[2001:db8::7", "1.2.3.4:", "1.2.3.4:x", "[]:1", ":1")),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("", ["198.51.100.7"], ""),
    ],
)
def test_only_our_own_proxies_are_believed(peer: str, headers: list[str], client: str) -> None:
    assert client_address(peer, headers, OURS) == client


def test_what_a_stranger_claims_is_not_even_read() -> None:
    claimed = (str(1 // 0) for _ in range(1))
    assert client_address("198.51.100.7", claimed, OURS) == "198.51.100.7"


@pytest.mark.parametrize(
    "header", ["localhost", "one:9040", "127.0.0.1:9040", "[::1]:9040", "192.0.2.7", "A.localhost."]
)
def test_addresses_and_names_without_a_full_stop_are_private(header: str) -> None:
    assert is_private_name(header)


@pytest.mark.parametrize(
    "header", ["", ":80", "evil.example", "127.0.0.1.evil.example:9040", "[", "1.2.3", "evil.example."]
)
def test_names_that_a_stranger_can_register_are_not_private(header: str) -> None:
    assert not is_private_name(header)


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        ("192.168.1.7", True),
        ("100.64.0.2", True),  # behind the NAT of a provider, or of Tailscale
        ("fd00::7", True),
        ("shelf", True),
        ("shelf.local", True),
        ("8.8.8.8", False),
        ("cards.example.org", False),
    ],
)
def test_addresses_of_a_network_are_known(host: str, is_near: bool) -> None:
    assert is_in_home_network(host) == is_near
