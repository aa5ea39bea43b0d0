"""A whole server process in the simulation."""

from fortythieves_server.common.errors import StartError
from fortythieves_server.config import Config
from tests.sim.loop import Simulation
from tests.sim.network import Network
from tests.sim.process import PORT, ServerProcess
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_server import Server


def test_a_process_says_that_it_cannot_start_whenever_redis_falls_silent() -> None:
    with Simulation(7) as simulation:
        network = Network(simulation)
        redis = Server(network, "redis", Scripts())
        process = ServerProcess(network, "server", Config(redis=redis.url, bots=False, winnable=0, port=PORT))
        for seconds in (0, 0.02, 0.03, 0.04):
            process.crash()
            process.start()
            simulation.run(seconds)
            redis.loop.pause()
            simulation.run(20)
            redis.loop.resume()
            assert simulation.run(20, until=lambda: process.service)
        assert {type(error) for error in process.ended} == {StartError}
        assert not simulation.errors
