import pytest

from fortythieves_client.clock import ServerClock, local_ms


def test_the_servers_clock_is_unknown_before_the_first_ping() -> None:
    with pytest.raises(ValueError, match="No ping"):
        ServerClock().now()


def test_the_servers_time_is_taken_to_lie_in_the_middle_of_a_round_trip() -> None:
    clock = ServerClock()
    clock.sample(sent=100, server=5_150, received=200)
    assert clock.now() - local_ms() == pytest.approx(5_000, abs=50)


def test_one_late_packet_does_not_move_the_clock() -> None:
    clock = ServerClock()
    for sent in (0, 1_000, 2_000):
        clock.sample(sent, sent + 70_010, sent + 20)
    clock.sample(3_000, 73_010, 9_000)
    assert clock.now() - local_ms() == pytest.approx(70_000, abs=50)


def test_a_clock_that_drifts_is_followed() -> None:
    clock = ServerClock()
    for sent in range(20):
        clock.sample(sent, sent + 1_000, sent)
    for sent in range(20):
        clock.sample(sent, sent + 2_000, sent)
    assert clock.now() - local_ms() == pytest.approx(2_000, abs=50)
