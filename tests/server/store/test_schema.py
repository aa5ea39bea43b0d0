"""What is written down is read back."""

from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.store import schema
from fortythieves_server.store.schema import Notification
from tests.server.stores import joined


def test_all_keys_of_a_room_have_its_hash_tag() -> None:
    assert schema.of_room("KQXWVD", "moves", 1, 2) == "ft:{KQXWVD}:moves:1:2"


def test_progress_is_read_as_it_was_written() -> None:
    progress = Progress(7, 3, Ms(1000), 57, "stuck", Ms(1200))
    assert schema.progress_of(b"7 3 1000 57 stuck 1200") == progress


def test_entries_are_a_time_and_what_happened() -> None:
    assert schema.move_of(b"1000 3-7x4") == (Ms(1000), "3-7x4")
    assert schema.event_of(b"1000 0f0f " + events.encode(joined(2))) == (Ms(1000), joined(2))


def test_a_nudge_tells_of_others_and_not_of_oneself() -> None:
    channel = schema.of_room("KQXWVD", "notify")
    assert list(schema.notifications_of("one", channel, b"two room")) == [Notification("KQXWVD", None, None, None)]
    heard = list(schema.notifications_of("one", channel, b"two moves 3\n2 7 3 1000 57 - 1200\n4 1 0 1100 63 - 1200"))
    assert heard == [
        Notification("KQXWVD", 3, 2, Progress(7, 3, Ms(1000), 57, "", Ms(1200))),
        Notification("KQXWVD", 3, 4, Progress(1, 0, Ms(1100), 63, "", Ms(1200))),
    ]
    reacted = Notification("KQXWVD", None, None, None, (2, 0, 0, 1, 0, 0))
    assert list(schema.notifications_of("one", channel, b"two reactions 2 0 0 1 0 0")) == [reacted]
    assert list(schema.notifications_of("two", channel, b"two room")) == []
    assert list(schema.notifications_of("one", schema.of_process("one"), b"two room")) == []
