"""What is written down is read back."""

from fortythieves_server import events, keys
from fortythieves_server.keys import Nudge
from fortythieves_server.track import Progress
from tests.server.stores import joined


def test_all_keys_of_a_room_have_its_hash_tag() -> None:
    assert keys.of_room("KQXWVD", "moves", 1, 2) == "ft:{KQXWVD}:moves:1:2"


def test_progress_is_read_as_it_was_written() -> None:
    progress = Progress(7, 3, 1000, 57, "stuck", 1200)
    row = " ".join(map(str, (*keys.row(progress), progress.at)))
    assert keys.progress_of(row.encode()) == progress


def test_entries_are_a_time_and_what_happened() -> None:
    assert keys.move_of(b"1000 3-7x4") == (1000, "3-7x4")
    assert keys.event_of(b"1000 0f0f " + events.encode(joined(2))) == (1000, joined(2))


def test_a_nudge_tells_of_others_and_not_of_oneself() -> None:
    channel = keys.of_room("KQXWVD", "nudge")
    assert keys.nudge_of("one", channel, b"two room") == Nudge("KQXWVD", None, None, None)
    heard = keys.nudge_of("one", channel, b"two move 3 2 7 3 1000 57 - 1200")
    assert heard == Nudge("KQXWVD", 3, 2, Progress(7, 3, 1000, 57, "", 1200))
    assert keys.nudge_of("two", channel, b"two room") is None
    assert keys.nudge_of("one", keys.of_process("one"), b"two room") is None
