"""What the container files say is what the program understands."""

import argparse
import json
import re
from pathlib import Path

from fortythieves_server.config import Config, add_options, config_of

ROOT = Path(__file__).parents[1]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
DOCKERFILE = (ROOT / "server" / "Dockerfile").read_text()


def started_by(command: list[str]) -> Config:
    assert command.pop(0) == "serve"
    parser = argparse.ArgumentParser()
    add_options(parser)
    return config_of(vars(parser.parse_args(command)), {})


def commands(file: str, keyword: str) -> list[list[str]]:
    return [json.loads(line) for line in re.findall(rf"^\s*{keyword} *(\[.*\])$", file, re.MULTILINE)]


def test_the_image_serves_on_the_port_that_it_exposes_and_whose_health_it_asks() -> None:
    entry, [command] = commands(DOCKERFILE, "ENTRYPOINT"), commands(DOCKERFILE, r"^CMD")
    port = started_by(command).port
    assert entry == [["forty-thieves"]]
    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"127.0.0.1:{port}/healthz" in DOCKERFILE


def test_the_composed_server_uses_the_composed_redis() -> None:
    _, command = commands(COMPOSE, "command:")
    config = started_by(command)
    assert config.redis == "redis://redis:6379"
    assert f'"8040:{config.port}"' in COMPOSE


def test_the_composed_redis_answers_when_a_move_is_on_disk() -> None:
    command, _ = commands(COMPOSE, "command:")
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert options == {"--appendonly": "yes", "--appendfsync": "always"}
