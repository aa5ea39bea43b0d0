"""A process that fails repeatedly waits longer; one that has run for a while has not failed."""

from fortythieves_server.common.child_process import Backoff


def test_each_failure_in_a_row_is_followed_by_a_longer_pause_and_the_last_one_by_all_others() -> None:
    backoff = Backoff((0.0, 1.0, 2.0), a_while=10.0)
    pauses = [backoff.pause]
    for lived in (1.0, 10.0, 0.0, 11.0):
        backoff.ended(lived)
        pauses.append(backoff.pause)
    backoff.failed()
    assert [*pauses, backoff.pause] == [0.0, 1.0, 2.0, 2.0, 0.0, 1.0]
    assert backoff.failures == 1
