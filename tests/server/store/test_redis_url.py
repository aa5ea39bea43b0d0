"""Addresses of Redis of every kind, and the errors for wrong ones."""

from pathlib import Path

import pytest

from fortythieves_server.store.redis_url import parse


def test_the_address_of_one_server_stays_as_it_is() -> None:
    for address in (
        "redis://:pass%2Fword@localhost:6379/0",
        "rediss://cards.example.org",
        "unix:///run/redis.sock?db=2",
    ):
        parsed = parse(address)
        assert (parsed.kind, parsed.address, parsed.replicas) == ("single", address, 0)


def test_sentinels_have_hosts_a_service_and_a_database() -> None:
    parsed = parse(
        "redis+sentinel://ann:pass%2Fword@one:1000,two/master/3?sentinel_password=x%26y&socket_keepalive=yes"
    )
    assert (parsed.kind, parsed.service) == ("sentinel", "master")
    assert parsed.hosts == (("one", 1000), ("two", 26379))
    assert parsed.options == {"username": "ann", "password": "pass/word", "db": 3, "socket_keepalive": True}
    assert parsed.sentinel == {"password": "x&y"}


def test_a_cluster_has_hosts(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    parsed = parse(f"rediss+cluster://[::1]:7000,10.0.0.2?ssl_ca_certs={tmp_path}/ca.pem&replicas=1")
    assert (parsed.kind, parsed.replicas) == ("cluster", 1)
    assert parsed.hosts == (("::1", 7000), ("10.0.0.2", 6379))
    assert parsed.options == {"ssl": True, "ssl_ca_certs": f"{tmp_path}/ca.pem"}


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("localhost:6379", "an address of a Redis server starts with redis://, rediss://, unix://, redis+sentinel://"),
        ("https://hunter2@localhost", "an address of a Redis server starts with"),
        ("redis://:hunter2@localhost:port", "the hosts or the port cannot be read"),
        ("redis://:hunter2/more@localhost", "if the password has other characters than letters and digits"),
        ("redis://:hunter2℀@localhost", "the hosts or the port cannot be read"),
        ("redis://:[hunter2]@localhost", "the hosts or the port cannot be read"),
        ("redis+cluster://[hunter2@localhost]", "the hosts or the port cannot be read"),
        ("redis://:hunter2@localhost?protocol=9", "an option of the connection has an invalid value"),
        ("redis://:hunter2@localhost?retry=1", "an option of the connection has an invalid value"),
        (f"rediss://:hunter2@localhost?ssl_ca_certs={'x' * 300}", "there is no file xxx"),
        ("redis://:hunter2@localhost/rooms", "the database must be a number, as in redis://localhost:6379/0"),
        ("redis://:hunter2@localhost?colour=red", "a connection has no option 'colour'"),
        ("redis://:hunter2@localhost?replicas=many", "replicas is a number from 0 to 9"),
        ("rediss://:hunter2@localhost?ssl_ca_certs=/no/where", "there is no file /no/where (ssl_ca_certs)"),
        ("redis+sentinel://:hunter2@localhost:26379", "an address of sentinels must end with the name"),
        ("redis+sentinel://:hunter2@localhost:26379/master/rooms", "the database must be a number"),
        ("redis+cluster://:hunter2@localhost:7000/0", "a cluster has no numbered databases"),
        ("redis+cluster://:hunter2@", "hosts are written as host:port,host:port"),
        ("redis+cluster://:hunter2@localhost:7000,,", "hosts are written as host:port,host:port"),
        ("redis+cluster://:hunter2@localhost:99999", "hosts are written as host:port,host:port"),
    ],
)
def test_errors_of_addresses_do_not_contain_the_password(address: str, sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        parse(address)
    assert sentence in str(error.value)
    assert "hunter2" not in str(error.value)
