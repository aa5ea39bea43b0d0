from hypothesis import given
from hypothesis import strategies as st

from fortythieves.times import Ms, ms_of
from fortythieves_server.store.clock import STEP, Clock

EPOCH = Ms(1_700_000_000_000)


class Time:
    now = 100.0


def a_clock(wall: float = EPOCH / Ms(1000), speed: float = 1) -> tuple[Clock, Time]:
    time = Time()
    return Clock(monotonic=lambda: time.now, wall=lambda: wall, speed=speed), time


def test_before_the_first_answer_it_is_the_clock_of_the_machine_which_may_be_wrong() -> None:
    clock, time = a_clock(wall=EPOCH / Ms(1000) + 3600)
    time.now += 1.5
    assert clock.now() == EPOCH + Ms(3_601_500)
    clock.learn(EPOCH, time.now, time.now)
    assert clock.now() == EPOCH


def test_the_clock_of_a_fast_store_runs_faster() -> None:
    clock, time = a_clock(speed=5)
    time.now += 1
    assert clock.now() == EPOCH + Ms(5000)
    clock.learn(EPOCH + Ms(625), 101.25, 101.25)
    time.now = 101.25
    assert clock.now() == EPOCH + Ms(625)
    assert clock.seconds_until(EPOCH + Ms(3125)) == 0.5
    time.now += 2
    assert clock.now() == EPOCH + Ms(10_625)
    assert clock.seconds_until(EPOCH + Ms(3125)) == 0


@given(
    answers=st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2), st.floats(0, 9)), min_size=1, max_size=30),
    speed=st.sampled_from((1, 3)),
)
def test_it_is_never_ahead_of_the_store_with_any_delays(
    answers: list[tuple[float, float, float]], speed: float
) -> None:
    clock, time = a_clock(wall=EPOCH / Ms(1000) - 10, speed=speed)
    for question, answer, pause in answers:
        time.now += question
        stamp = EPOCH + ms_of((time.now - 100) * speed)
        time.now += answer
        clock.learn(stamp, time.now - answer, time.now)
        time.now += pause
        assert clock.now() <= EPOCH + ms_of((time.now - 100) * speed)
        assert clock.now() >= EPOCH + ms_of((time.now - 100 - answer) * speed) - Ms(1)


def test_old_answers_are_forgotten() -> None:
    clock, time = a_clock()
    clock.learn(EPOCH + Ms(500), 100.0, 100.0)
    for second in range(101, 109):
        clock.learn(EPOCH + Ms((second - 100) * 1000 - 2), second, second)
    time.now = 200.0
    assert clock.now() == EPOCH + Ms(99_998)


def test_it_stops_while_it_is_ahead() -> None:
    """The store's clock was set back a little, and the last answer before that is too old."""
    clock, time = a_clock()
    clock.learn(EPOCH, 100.0, 100.0)
    assert clock.now() == EPOCH
    for _ in range(8):
        clock.learn(EPOCH - Ms(90), 100.0, 100.0)
    assert clock.now() == EPOCH
    time.now += 0.1
    assert clock.now() == EPOCH + Ms(10)


def test_it_follows_a_store_clock_that_was_set_back_far() -> None:
    clock, _ = a_clock()
    clock.learn(EPOCH, 100.0, 100.0)
    assert clock.now() == EPOCH
    clock.learn(EPOCH - 2 * STEP, 90.0, 100.0)
    assert clock.now() == EPOCH, "it may be right: the answer was late"
    room = clock.offset_of(EPOCH)
    clock.learn(EPOCH - 2 * STEP, 100.0, 100.0)
    assert (clock.now(), clock.now(room)) == (EPOCH - 2 * STEP, EPOCH), "the time of a room goes on"


@given(
    samples=st.lists(
        st.tuples(st.integers(1 - int(STEP) // 2, int(STEP) // 2 - 1), st.floats(0, 2), st.floats(0, 5)),
        max_size=30,
    )
)
def test_it_never_decreases_with_any_answers(samples: list[tuple[int, float, float]]) -> None:
    clock, time = a_clock()
    clock.learn(EPOCH, 100.0, 100.0)
    last = clock.now()
    for wrong, round_trip, pause in samples:
        sent = time.now
        time.now += round_trip
        clock.learn(EPOCH + Ms(wrong) + ms_of(sent - 100), sent, time.now)
        time.now += pause
        assert clock.now() >= last
        last = clock.now()


def test_a_room_is_ahead_of_the_store_only_if_the_clock_was_set() -> None:
    clock, time = a_clock()
    clock.learn(EPOCH, time.now, time.now)
    assert clock.ahead(clock.offset_of(EPOCH + Ms(11))) == Ms(0), "our clock is behind by the time of an answer"
    assert clock.ahead(clock.offset_of(EPOCH + Ms(3_600_000))) == Ms(3_600_000)
