"""The container files are valid and keep the promises of OPERATING.md."""

import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, RedisError

from fortythieves_server.__main__ import command_line
from fortythieves_server.config import OPTIONS, Config, add_options, config_of
from fortythieves_server.process.embedded_redis import redis_servers
from tests.integration.balancer import (
    CONFIGURATION,
    REDIS_PASSWORD,
    Program,
    balancing,
    filled_in,
    haproxy,
    redis_options,
)
from tests.server.redises import free_port
from tests.server.stores import until_it_is

ROOT = Path(__file__).parents[1]
COMPOSE = ROOT / "docker-compose.yml"
DOCKERFILE = (ROOT / "server" / "Dockerfile").read_text()

COMPOSED: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
SERVICES: dict[str, Any] = COMPOSED["services"]
#: The services of our own program.
SERVERS = {name: service for name, service in SERVICES.items() if "build" in service}


def started_by(command: list[str], environment: dict[str, str] | None = None) -> Config:
    program, *options = command
    assert program == "serve"
    parser = argparse.ArgumentParser()
    add_options(parser)
    known, others = parser.parse_known_args(options)
    command_line().parse_args(["serve", *others])
    return config_of(vars(known), environment or {})


def commands(file: str, keyword: str) -> list[list[str]]:
    return [json.loads(line) for line in re.findall(rf"^\s*{keyword} *(\[.*\])$", file, re.MULTILINE)]


def test_the_image_serves_the_port_that_it_exposes_and_checks() -> None:
    entry, [command] = commands(DOCKERFILE, "ENTRYPOINT"), commands(DOCKERFILE, r"^CMD")
    port = started_by(command).port
    assert entry == [["forty-thieves"]]
    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"127.0.0.1:{port}/healthz" in DOCKERFILE


def test_the_image_alone_keeps_its_rooms_in_a_directory_of_its_user() -> None:
    [data] = re.findall(r"^ENV .*FORTY_THIEVES_DATA=(\S+)$", DOCKERFILE, re.MULTILINE)
    [user] = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert f"install --directory --owner={user} --mode=700 {data}\n" in DOCKERFILE
    assert re.search(rf"docker run .*--volume \w+:{data} ", DOCKERFILE)


def test_all_packages_of_the_image_are_locked() -> None:
    commands = re.findall(r"pip (?:install|wheel) [^&\\]+", DOCKERFILE)
    assert len(commands) == DOCKERFILE.count("pip ")
    assert all(re.search("--requirement locks/|--no-deps --no-build-isolation|--no-index", one) for one in commands)


def test_every_image_is_named_by_its_digest() -> None:
    named = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    named += [service["image"] for service in SERVICES.values() if "image" in service]
    assert len(named) == 4
    assert all(re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", image) for image in named)


def test_the_image_does_not_run_as_root() -> None:
    assert re.findall(r"^USER (.+)$", DOCKERFILE, re.MULTILINE) == ["8040"]


def test_the_compose_file_is_valid() -> None:
    """check-jsonschema carries the schema that Docker publishes; the schema knows no key that is misspelt."""
    asked = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_two_servers_use_the_composed_redis_and_believe_the_balancer() -> None:
    assert sorted(SERVERS) == ["one", "two"]
    for server in SERVERS.values():
        environment = {name: filled_in(value) for name, value in server["environment"].items()}
        config = started_by(server["command"], environment)
        assert config.redis == f"redis://:{REDIS_PASSWORD}@redis:6379"
        assert config.proxies == (ip_network(address_of_the_balancer()),)
        # Else links to rooms would lead into the containers.
        assert config.public_url == "http://localhost:8040"


def address_of_the_balancer() -> str:
    found: str = SERVICES["balancer"]["networks"]["inside"]["ipv4_address"]
    return found


def test_only_the_balancer_has_the_address_that_the_servers_trust() -> None:
    [addresses] = COMPOSED["networks"]["inside"]["ipam"]["config"]
    assert ip_address(address_of_the_balancer()) in ip_network(addresses["subnet"])
    assert ip_address(address_of_the_balancer()) not in ip_network(addresses["ip_range"])
    assert ip_network(addresses["ip_range"]).num_addresses - 3 >= len(SERVICES) - 1  # its own, the gateway, the last


def test_compose_variables_have_the_names_of_the_settings() -> None:
    for server in SERVERS.values():
        assert server["environment"].keys() <= {option.variable for option in OPTIONS}
        for name, value in server["environment"].items():
            assert value.startswith(f"${{{name}:-") or name == "FORTY_THIEVES_REDIS"
    for service in (*SERVERS.values(), SERVICES["redis"]):
        assert "${FORTY_THIEVES_REDIS_PASSWORD:?" in " ".join(service["environment"].values())


def test_the_composed_redis_keeps_every_move_that_it_acknowledges() -> None:
    redis = SERVICES["redis"]
    options = redis_options(redis)
    assert (options["appendonly"], options["appendfsync"]) == ("yes", "always")
    assert redis["volumes"] == ["rooms:/data"] and "rooms" in COMPOSED["volumes"]
    assert options["maxmemory-policy"] == "noeviction"
    # While it writes its file anew it may hold all of it twice.
    assert size(redis["mem_limit"]) > 2 * size(options["maxmemory"].removesuffix("b"))


def size(text: str) -> int:
    return int(text[:-1]) * {"m": 1 << 20, "g": 1 << 30}[text[-1]]


async def test_the_composed_redis_needs_a_password_that_is_in_no_argument(tmp_path: Path) -> None:
    """The command of the container itself, at another port and in another directory."""
    redis = SERVICES["redis"]
    shell, *options = [filled_in(word) for word in redis["command"]]
    port = free_port()
    environment = {name: filled_in(value) for name, value in redis["environment"].items()}
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "valkey-server").symlink_to(next(redis_servers()))  # the name in the image
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    there = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    words = [shell, *options, *there]
    assert not any(REDIS_PASSWORD in word for word in words)
    async with (
        Program(words, {**environment, "PATH": path}),
        Redis(host="127.0.0.1", port=port, password=environment["REDISCLI_AUTH"]) as admin,
        Redis(host="127.0.0.1", port=port) as stranger,
    ):

        async def answers() -> bool:
            with contextlib.suppress(RedisError):
                return bool(await admin.ping())
            return False

        await until_it_is(answers)
        assert (await admin.config_get("maxmemory"))["maxmemory"] == str(512 << 20)
        with pytest.raises(AuthenticationError):
            await stranger.ping()


@pytest.mark.parametrize("name", SERVICES)
def test_each_container_has_few_rights_limits_a_health_check_and_restarts(name: str) -> None:
    service = SERVICES[name]
    assert size(service["mem_limit"]) <= 2 << 30
    assert 0 < service["cpus"] <= 2 and 0 < service["pids_limit"] <= 256
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert service["healthcheck"]["test"][0] == "CMD"
    assert name in SERVERS or service["user"] not in {"root", "0"}


def test_only_the_balancer_can_be_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["balancer"]
    assert COMPOSED["networks"]["inside"]["internal"] is True
    assert {name for name, service in SERVICES.items() if "outside" in service["networks"]} == {"balancer"}


def test_the_balancer_has_the_addresses_of_the_servers_and_its_port() -> None:
    said = dict(re.findall(r'^    presetenv (\w+) "(.*)"$', CONFIGURATION.read_text(), re.MULTILINE))
    config = started_by(SERVERS["one"]["command"])
    assert said["ONE"] == f"one:{config.port}" and said["TWO"] == f"two:{config.port}"
    assert said["ONE_OPS"] == f"one:{config.ops_port}" and said["TWO_OPS"] == f"two:{config.ops_port}"
    players, operators = SERVICES["balancer"]["ports"]
    assert players == f"${{FORTY_THIEVES_LISTEN:-127.0.0.1}}:8040{said['LISTEN']}"
    assert operators == f"127.0.0.1:9040{said['LISTEN_OPS']}"
    mounted, inside, mode = SERVICES["balancer"]["volumes"][0].split(":")
    assert (ROOT / mounted).samefile(CONFIGURATION)
    assert (inside, mode) == ("/usr/local/etc/haproxy/haproxy.cfg", "ro")


def checked(**changes: str) -> subprocess.CompletedProcess[str]:
    said = {name: filled_in(value) for name, value in SERVICES["balancer"]["environment"].items()}
    environment = {**os.environ, **said, **changes}
    asked = [haproxy(), "-c", "-f", str(CONFIGURATION)]
    return subprocess.run(asked, capture_output=True, text=True, check=False, env=environment)


async def test_silent_connections_are_limited_by_address_before_a_byte_is_read() -> None:
    port = free_port()
    nowhere = {name: f"127.0.0.1:{free_port()}" for name in ("LISTEN_OPS", "ONE", "TWO", "ONE_OPS", "TWO_OPS")}
    here = {"LISTEN": f"127.0.0.1:{port}", "CONNECTIONS": "4", "PROXIES": "127.0.0.9"}

    def is_open(address: str) -> bool:
        """Whether a new connection, which stays silent, is still there after a moment."""
        try:
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10, (address, 0)))
            one.settimeout(0.3)
            return bool(one.recv(1))
        except TimeoutError:
            return True
        except OSError:
            return False

    with contextlib.ExitStack() as stack:

        async def listens() -> bool:
            return is_open("127.0.0.2")

        async with balancing({**nowhere, **here}):
            await until_it_is(listens)
            assert [is_open("127.0.0.3") for _ in range(7)] == [True] * 4 + [False] * 3
            assert is_open("127.0.0.4"), "others can still come"
            assert all(is_open("127.0.0.9") for _ in range(7)), "a proxy speaks for many"


@pytest.mark.parametrize("published", ["0.0.0.0", "192.0.2.40"])
def test_a_public_gateway_is_not_trusted(published: str) -> None:
    done = checked()
    # The names of containers are unknown here.
    warnings = [line for line in done.stderr.splitlines() if "[WARNING]" in line or "[ALERT]" in line]
    assert (done.returncode, [line for line in warnings if "could not resolve address" not in line]) == (0, [])
    gateway = COMPOSED["networks"]["outside"]["ipam"]["config"][0]["gateway"]
    assert checked(PROXIES=gateway).returncode == 0
    done = checked(PROXIES=f"192.0.2.9 {gateway}", PUBLISHED=published)
    assert done.returncode == 1 and "publish at 127.0.0.1 alone" in done.stderr
    assert checked(PROXIES="192.0.2.9", PUBLISHED=published).returncode == 0
