import pytest

from fortythieves_client.address import Address, parse_address


@pytest.mark.parametrize(
    ("text", "socket"),
    [
        ("http://192.168.1.5:8040", "ws://192.168.1.5:8040/ws"),
        ("https://cards.example.org/", "wss://cards.example.org/ws"),
        ("ws://localhost:8040/ws", "ws://localhost:8040/ws"),
        ("wss://cards.example.org", "wss://cards.example.org/ws"),
        ("cards.example.org:8040", "ws://cards.example.org:8040/ws"),
        ("http://[::1]:8040", "ws://[::1]:8040/ws"),
        ("https://example.org/cards", "wss://example.org/cards/ws"),
    ],
)
def test_every_form_of_an_address_gives_the_socket(text: str, socket: str) -> None:
    assert parse_address(text) == Address(socket, None)


@pytest.mark.parametrize(
    "text",
    [
        "http://host:8040/r/KQXWVD",
        "host:8040/r/kqxwvd/",
        "ws://host:8040/r/KQXWVD).",
        "host:8040/r/kqxwvd#t=1",
        "<http://host:8040/R/KQXWVD/w>,",
        "http://host:8040/r/KQXWVD%23entry=abc",
        "http://host:8040/r%2FKQXWVD&utm_source=x",
    ],
)
def test_a_room_link_gives_the_code(text: str) -> None:
    assert parse_address(text) == Address("ws://host:8040/ws", "KQXWVD")


@pytest.mark.parametrize("text", ["", "ftp://host", "http://", "://"])
def test_a_wrong_address_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="not the address of a server"):
        parse_address(text)
