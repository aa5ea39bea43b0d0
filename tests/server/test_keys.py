"""What is written down is read back."""

from fortythieves_server import events, keys
from fortythieves_server.keys import Nudge
from fortythieves_server.track import Progress
from tests.server.stores import joined


def test_all_keys_of_a_room_have_its_hash_tag() -> None:
    assert keys.of_room("KQXWVD", "moves", 1, 2) == "ft:{KQXWVD}:moves:1:2"


def test_progress_is_read_as_it_was_written() -> None:
    progress = Progress(7, 3, 1000, 57, "stuck", 1200)
    assert keys.progress_of(b"7 3 1000 57 stuck 1200") == progress


def test_entries_are_a_time_and_what_happened() -> None:
    assert keys.move_of(b"1000 3-7x4") == (1000, "3-7x4")
    assert keys.event_of(b"1000 0f0f " + events.encode(joined(2))) == (1000, joined(2))


def test_a_nudge_tells_of_others_and_not_of_oneself() -> None:
    channel = keys.of_room("KQXWVD", "nudge")
    assert list(keys.nudges_of("one", channel, b"two room")) == [Nudge("KQXWVD", None, None, None)]
    heard = list(keys.nudges_of("one", channel, b"two moves 3\n2 7 3 1000 57 - 1200\n4 1 0 1100 63 - 1200"))
    assert heard == [
        Nudge("KQXWVD", 3, 2, Progress(7, 3, 1000, 57, "", 1200)),
        Nudge("KQXWVD", 3, 4, Progress(1, 0, 1100, 63, "", 1200)),
    ]
    assert list(keys.nudges_of("two", channel, b"two room")) == []
    assert list(keys.nudges_of("one", keys.of_process("one"), b"two room")) == []
