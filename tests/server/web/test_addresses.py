from ipaddress import ip_address, ip_network

import pytest

from fortythieves_server.web.addresses import client_address, local_addresses, urls


def test_local_addresses_are_addresses_that_others_can_use() -> None:
    addresses = local_addresses()
    assert len(addresses) == len(set(addresses))
    for address in map(ip_address, addresses):
        assert not address.is_loopback
        assert not address.is_unspecified
        assert address.version == 4 or address.is_global


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
