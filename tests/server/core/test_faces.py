from fortythieves.protocol import to_server as say
from fortythieves.protocol.to_server import COLOURS, PICTURES
from fortythieves_server.core import decide, events
from fortythieves_server.core.faces import BOT
from tests.server.tables import Table, entered, lobby, racing


def join(table: Table, guest: str, face: int | None = None, *, bot: bool = False) -> int:
    seat = table.join(guest, bot=bot, face=face)
    return table.room.faces[seat]


def test_a_guest_gets_the_wanted_face_unless_another_has_its_colour_or_picture() -> None:
    table = Table()
    assert join(table, "ann", 5) == 5
    assert join(table, "bob", PICTURES + 5) == PICTURES + 6
    assert join(table, "cat", 9) == 4 * PICTURES + 9  # as different from both colours as possible
    assert join(table, "dan", BOT) == 6 * PICTURES + 1


def test_only_bots_have_the_picture_of_bots_and_none_the_colour_of_a_person() -> None:
    table = Table(seats=1000)
    guests = [join(table, guest) for guest in ("ann", "bob")]
    bots = [join(table, f"bot {n}", bot=True) for n in range(COLOURS)]
    assert sorted(bots) == [colour * PICTURES + BOT for colour in range(COLOURS)]
    free = {*range(COLOURS)} - {face // PICTURES for face in guests}
    assert {face // PICTURES for face in bots[: len(free)]} == free
    assert all(join(table, f"guest {n}") % PICTURES != BOT for n in range(20))


def test_colours_differ_while_there_are_enough_then_pictures_do_then_faces_do() -> None:
    table = Table(seats=1000)
    faces = [join(table, f"guest {n}", 7) for n in range(2 * PICTURES)]
    assert len(set(faces)) == len(faces)
    assert {face // PICTURES for face in faces[:COLOURS]} == {*range(COLOURS)}
    assert {face % PICTURES for face in faces[: PICTURES - 1]} == {*range(1, PICTURES)}


def test_a_player_changes_the_face_with_or_without_the_name() -> None:
    table = lobby(2)
    ann = table.room.faces[1]
    assert table.do(2, say.Rename(1, "Bob", 30), say.Rename(1, "Bob", 30)) == [events.Renamed(2, "Bob", face=30)]
    assert table.do(2, say.Rename(1, "Bobby", 30)) == [events.Renamed(2, "Bobby")]
    assert table.room.faces == {1: ann, 2: 30}
    table.do(2, say.Leave(1))
    assert table.room.faces == {1: ann}


def test_a_racer_who_leaves_keeps_the_face_and_so_does_an_entrant_who_returns() -> None:
    table = racing(3)
    faces = dict(table.room.faces)
    table.do(2, say.Leave(1))
    assert table.room.faces == faces
    table = entered(people=2)
    faces = dict(table.room.faces)
    table.do(2, say.Leave(1))
    table.join("guest 1", face=99)
    assert table.room.faces == faces


def test_a_chat_message_has_the_face_of_its_author() -> None:
    table = lobby(2)
    table.do(2, say.Chat(1, "k", "hi"))
    table.ask(lambda room, context: decide.spectator_chats(room, "eve", "Eve", say.Chat(1, "k", "hi"), "", 33))
    assert [message.face for message in table.room.chat.values()] == [table.room.faces[2], 33]
