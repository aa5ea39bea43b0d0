"""One seed gives one timeline."""

from tests.sim.world import script_of, simulate


def test_a_seed_has_one_timeline() -> None:
    script = script_of(1)
    assert len({simulate(script).simulation.digest.hexdigest() for _ in range(2)}) == 1
