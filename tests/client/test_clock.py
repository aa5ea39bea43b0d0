import pytest

from fortythieves.times import Ms, Seconds, ms_of
from fortythieves_client.reconnecting import ServerClock

#: The constant time of the client's clock.
HERE: Seconds = 100.0


def clock_of(*samples: tuple[Seconds, Ms, Seconds]) -> ServerClock:
    clock = ServerClock(lambda: HERE)
    for sample in samples:
        clock.sample(*sample)
    return clock


def test_the_clock_is_unknown_before_the_first_ping() -> None:
    with pytest.raises(ValueError, match="No ping"):
        ServerClock().now()


def test_the_servers_time_is_the_middle_of_a_round_trip() -> None:
    clock = clock_of((0.1, Ms(5_150), 0.2))
    assert clock.now() == pytest.approx(ms_of(HERE) + Ms(5_000))


def test_one_late_packet_does_not_move_the_clock() -> None:
    clock = clock_of(
        *((sent, ms_of(sent) + Ms(70_010), sent + 0.02) for sent in (0.0, 1.0, 2.0)), (3.0, Ms(73_010), 9.0)
    )
    assert clock.now() == pytest.approx(ms_of(HERE) + Ms(70_000))
