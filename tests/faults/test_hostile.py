"""Malicious clients and players on the same process."""

import io
from pathlib import Path

import pytest

from fortythieves_client.load import Load, Results, run_load
from tests.faults.hostile import ENOUGH, attacked
from tests.integration.raw import guest
from tests.server.programs import started

#: The seconds of the attack.
SECONDS = 4


@pytest.mark.long
async def test_players_race_on_beside_malicious_clients(tmp_path: Path) -> None:
    results = Results()
    limits = "connections=300 rooms=1000/s+1000 points=1000000/s+5000000"
    async with started(tmp_path, "--limits", limits) as server, guest(server.address) as ann:
        code = await ann.create(watching="link")
        url = server.address.replace("http", "ws", 1) + "/ws"
        async with attacked(url, code, SECONDS) as fates:
            load = Load(server.address, rooms=6, players=4, rate=2, seconds=SECONDS, seed=13)
            await run_load(load, io.StringIO(), results, lambda: results.acknowledged > 100, leaving=True)
            became = await fates()
    assert results.good
    assert (results.gone, results.refused, results.notices, results.reconnects) == ({}, {}, {}, 0)
    # A connection above the limit of its address gets an answer and is closed; either may arrive first.
    assert became["refused 429"] + became["lost"] > 100, became
    assert {fate: became[fate] for fate in ENOUGH if became[fate] < ENOUGH[fate]} == {}
