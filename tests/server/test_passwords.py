"""Passwords at the door of a tournament."""

from fortythieves_server import passwords


async def test_a_password_matches_itself_and_nothing_else() -> None:
    stored = await passwords.hashed("open sesame")
    assert await passwords.match("open sesame", stored)
    for other in ("open sesame ", "Open sesame", "", "öpen sesame"):
        assert not await passwords.match(other, stored)


async def test_nobody_reads_a_password_from_what_is_stored() -> None:
    one, two = await passwords.hashed("open sesame"), await passwords.hashed("open sesame")
    assert one != two, "each has a salt of its own"
    assert "sesame" not in one
