import time

import pytest

from fortythieves.times import Ms, ms_of
from fortythieves_client.clock import ServerClock


def test_the_servers_clock_is_unknown_before_the_first_ping() -> None:
    with pytest.raises(ValueError, match="No ping"):
        ServerClock().now()


def test_the_servers_time_is_taken_to_lie_in_the_middle_of_a_round_trip() -> None:
    clock = ServerClock()
    clock.sample(sent=0.1, server=Ms(5_150), received=0.2)
    assert clock.now() - ms_of(time.monotonic()) == pytest.approx(5_000, abs=50)


def test_one_late_packet_does_not_move_the_clock() -> None:
    clock = ServerClock()
    for sent in (0, 1, 2):
        clock.sample(sent, ms_of(sent) + Ms(70_010), sent + 0.02)
    clock.sample(3, Ms(73_010), 9)
    assert clock.now() - ms_of(time.monotonic()) == pytest.approx(70_000, abs=50)


def test_a_clock_that_drifts_is_followed() -> None:
    clock = ServerClock()
    for sent in range(20):
        clock.sample(sent, ms_of(sent) + Ms(1_000), sent)
    for sent in range(20):
        clock.sample(sent, ms_of(sent) + Ms(2_000), sent)
    assert clock.now() - ms_of(time.monotonic()) == pytest.approx(2_000, abs=50)
