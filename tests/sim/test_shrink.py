"""A failure becomes as small as it can be."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sim import shrink
from tests.sim.scripts import Script, Struck, script_of


def test_only_what_a_failure_needs_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs a process, a cut, and two players in some room."""

    def simulate(script: Script, most: float = 0) -> Any:
        is_cut = script.processes > 0 and any(fault.kind == "cut" for fault in script.faults)
        fails = is_cut and any(crowd.players > 1 for crowd in script.crowds)
        violation = AssertionError(f"player 0 {len(script.faults)} knew too much") if fails else None
        return SimpleNamespace(script=script, violation=violation, simulation=SimpleNamespace(now=30.0))

    monkeypatch.setattr(shrink, "simulate", simulate)
    scripts = (script for seed in range(1000) if (script := script_of(seed)).processes > 1)
    large = next(script for script in scripts if sum(crowd.players > 1 for crowd in script.crowds) > 2)
    faults = (*large.faults, Struck(20.0, "cut", 0.5), *large.faults)
    found = shrink.shrunk(simulate(replace(large, faults=faults)), 10).script
    assert [fault.kind for fault in found.faults] == ["cut"] and found.faults[0].at < 0.1
    assert [(crowd.players, crowd.spectators, crowd.plan) for crowd in found.crowds] == [(2, 0, None)]
    assert (found.processes, found.seconds < 1) == (1, True)
    assert shrink.unpacked(shrink.packed(found)) == found
