import argparse
from ipaddress import ip_network
from pathlib import Path

import pytest

from fortythieves_server.common.errors import StartError
from fortythieves_server.common.limits import Rate
from fortythieves_server.config import OPTIONS, Config, add_options, config_of
from fortythieves_server.process.tunnel_helpers import Choice


def config(*line: str, **environment: str) -> Config:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser)
    return config_of(vars(parser.parse_args(line)), environment)


def test_every_setting_is_an_option_and_a_variable() -> None:
    assert config() == Config()
    assert Config().ops_host == "127.0.0.1", "only this machine can reach it"
    assert {option.variable for option in OPTIONS} >= {"FORTY_THIEVES_PORT", "FORTY_THIEVES_PUBLIC_URL"}


#: The text and the value of each setting.
SET: dict[str, tuple[str, object]] = {
    "host": ("127.0.0.1", "127.0.0.1"),
    "port": ("0", 0),
    "workers": ("3", 3),
    "pids": ("/run/x", Path("/run/x")),
    "ops_host": ("::1", "::1"),
    "ops_port": ("9040", 9040),
    "ops_names": ("Ops.example.org, cards.internal", ("ops.example.org", "cards.internal")),
    "ops_token": ("open-sesame-please",) * 2,
    "demo": ("9050", 9050),
    "data": ("cards", Path.cwd() / "cards"),
    "redis": ("redis://localhost/3",) * 2,
    "redis_memory": ("2048", 2048),
    "bots": ("no", False),
    "day": ("no", False),
    "max_bots": ("3", 3),
    "winnable": ("96", 96),
    "idle_lobby_hours": ("0.5", 0.5),
    "keep_days": ("30", 30),
    "public_url": ("https://cards.example.org/", "https://cards.example.org"),
    "share": ("yes", True),
    "share_with": ("ssh:nokey@localhost.run", Choice("ssh", "nokey@localhost.run")),
    "proxies": ("::1,10.0.0.0/28", (ip_network("::1"), ip_network("10.0.0.0/28"))),
    "limits": ("rooms=1/s+2 connections=9", Config().limits._replace(rooms=Rate(1, "s", 2), connections=9)),
}


def test_options_and_variables_set_everything() -> None:
    assert SET.keys() == {option.name for option in OPTIONS}
    line = [word for option in OPTIONS for word in (option.flag, SET[option.name][0])]
    by_option, by_variable = config(*line), config(**{option.variable: SET[option.name][0] for option in OPTIONS})
    for name, (_, value) in SET.items():
        assert getattr(by_option, name) == getattr(by_variable, name) == value
    assert config("--port", "1", FORTY_THIEVES_PORT="2", FORTY_THIEVES_HOST="", FORTY_THIEVES_REDIS=" ") == Config(
        port=1
    )
    assert config("--data", "~/cards").data == Path.home() / "cards"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (["--port", "65536"], "--port is not valid: '65536' is not a whole number from 0 to 65535."),
        (["--ops-port", "0"], "--ops-port is not valid: '0' is not a whole number from 1 to 65000."),
        (["--ops-token", "short"], "--ops-token is not valid: it must have 16 to 200 ASCII characters and no spaces."),
        (["--port=-1"], "--port is not valid: '-1' is not a whole number from 0 to 65535."),
        (["--host", ""], "--host is not valid: '' is not the name or the address of a network interface"),
        (["--keep-days", "0"], "--keep-days is not valid: '0' is not a number above 0."),
        (["--bots", "maybe"], "--bots is not valid: 'maybe' is neither yes nor no."),
        (["--winnable", "47"], "--winnable is not valid: '47' is not a whole number from 48 to 10000."),
        (["--redis", "localhost"], "--redis is not valid: an address of a Redis server starts with redis://"),
        (["--public-url", "cards.example.org"], "--public-url is not valid: 'cards.example.org' is not like https:"),
        (["--limits", "rooms=many"], "--limits is not valid: 'many' is not a rate like 60/s+120"),
        (["--proxies", "proxy"], "--proxies is not valid: 'proxy' does not appear to be an IPv4 or IPv6 network"),
        (["--proxies", "10.0.0.1/8"], "--proxies is not valid: 10.0.0.1/8 has host bits set; give addresses"),
        (["--proxies", "0.0.0.0/0"], "--proxies is not valid: 0.0.0.0/0 would trust all addresses."),
        (["--data", "a\0b"], "--data is not valid: a path cannot contain NUL."),
        (
            ["--data", "~nobody-here/x"],
            "--data is not valid: there is no user for the home directory '~nobody-here/x'.",
        ),
    ],
)
def test_a_setting_that_does_not_work_is_said_in_one_sentence(line: list[str], sentence: str) -> None:
    with pytest.raises(StartError) as error:
        config(*line)
    assert str(error.value).startswith(sentence)
    assert str(error.value).count("\n") == 0


def test_a_wrong_variable_is_named_and_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(StartError, match=r"^FORTY_THIEVES_MAX_BOTS is not valid: 'x' is not a whole number"):
        config(FORTY_THIEVES_MAX_BOTS="x")
    assert "hunter2" not in repr(config("--redis", "redis://:hunter2@localhost"))
    assert "hunter2" not in repr(config("--ops-token", "hunter2-hunter2-hunter2"))
    with pytest.raises(StartError) as error:
        config("--redis", "http://:hunter2@localhost")
    assert "hunter2" not in str(error.value)


def test_a_port_that_kubernetes_sets_for_a_service_of_this_name_is_ignored_with_a_hint(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = {"SERVICE_HOST": "10.0.0.1", "PORT": "tcp://10.0.0.1:8040", "PORT_8040_TCP": "tcp://10.0.0.1:8040"}
    assert config(**{f"FORTY_THIEVES_{name}": value for name, value in service.items()}) == Config()
    [line] = [record.getMessage() for record in caplog.records]
    assert "FORTY_THIEVES_PORT" in line and "--port" in line
    with pytest.raises(StartError):
        config(FORTY_THIEVES_REDIS="tcp://10.0.0.1:6379")
