"""Passwords of tournaments: their stored form, and their queue."""

import asyncio
from collections.abc import AsyncIterator, Awaitable

import pytest
import pytest_asyncio

from fortythieves.errors import Refused
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.rooms import passwords as module
from fortythieves_server.rooms.passwords import Hasher, Passwords

SALT = bytes(16)
SCHOOL, EVE = "192.0.2.1", "203.0.113.7"


@pytest_asyncio.fixture
async def hasher(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hasher]:
    monkeypatch.setattr(module, "MOST_EACH", 3)
    monkeypatch.setattr(module, "MOST", 4)
    hasher = Hasher()
    yield hasher
    await hasher.close()


@pytest_asyncio.fixture
async def passwords(hasher: Hasher) -> AsyncIterator[Passwords]:
    passwords = Passwords(_limits(4), hasher)
    yield passwords
    await passwords.close()


def _limits(tries: int) -> Limits:
    return Limits()._replace(guesses=Rate(1, "hour", tries))


async def code_of(answer: Awaitable[object]) -> str:
    try:
        await answer
    except Refused as refused:
        return refused.code
    return "ok"


async def test_only_the_right_password_matches_and_a_stored_one_cannot_be_read(passwords: Passwords) -> None:
    stored = await passwords.new(SCHOOL, "open sesame")
    assert await code_of(passwords.check(SCHOOL, "open sesame", stored)) == "ok"
    for other in ("open sesame ", "Open sesame", "", "öpen sesame"):
        assert await code_of(passwords.check(SCHOOL, other, stored)) == "wrong-password"
    one, two = await passwords.new(SCHOOL, "open sesame"), await passwords.new(SCHOOL, "open sesame")
    assert one != two, "each has a salt of its own"
    assert "sesame" not in one


async def test_a_right_password_costs_one_hash_and_a_wrong_one_always_costs_one(
    passwords: Passwords, hasher: Hasher
) -> None:
    stored = await passwords.new(SCHOOL, "open sesame")
    elsewhere = Passwords(_limits(4), hasher)  # Another process, or the same one after a new start.
    before = hasher.hashes
    for n in range(5):
        assert await code_of(elsewhere.check(f"192.0.2.{n}", "open sesame", stored)) == "ok"
    assert hasher.hashes == before + 1
    for _ in range(3):
        assert await code_of(elsewhere.check(EVE, "sesame", stored)) == "wrong-password"
    assert hasher.hashes == before + 4


async def test_concurrent_equal_passwords_share_one_hash(passwords: Passwords, hasher: Hasher) -> None:
    stored = await passwords.new(SCHOOL, "open sesame")
    elsewhere = Passwords(_limits(60), hasher)
    before = hasher.hashes
    answers = await asyncio.gather(*(code_of(elsewhere.check(SCHOOL, "open sesame", stored)) for _ in range(60)))
    assert set(answers) == {"ok"}
    assert hasher.hashes == before + 1


async def test_without_attempts_left_there_is_no_answer(passwords: Passwords) -> None:
    stored = await passwords.new(SCHOOL, "open sesame")
    answers = [await code_of(passwords.check(EVE, f"{n}", stored)) for n in range(6)]
    assert answers == ["wrong-password"] * 4 + ["too-fast"] * 2
    assert await code_of(passwords.check(EVE, "open sesame", stored)) == "too-fast"
    assert await code_of(passwords.check(SCHOOL, "open sesame", stored)) == "ok"


async def test_an_address_that_fills_the_queue_loses_its_newest_entry(hasher: Hasher) -> None:
    tries = (
        [("eve 1", f"{n}") for n in range(4)] + [("eve 2", f"b{n}") for n in range(2)] + [("ann", "a"), ("bob", "b")]
    )
    answers = await asyncio.gather(*(code_of(hasher.hash(address, what, SALT)) for address, what in tries))
    # Three places for each, and four that wait: the fourth is refused, and the longest queues lose their newest ones.
    assert answers == ["ok", "ok", "too-fast", "too-fast", "ok", "too-fast", "ok", "ok"]


async def test_close_cancels_waiting_passwords() -> None:
    hasher = Hasher()
    waiting = [asyncio.create_task(hasher.hash(EVE, f"{n}", SALT)) for n in range(3)]
    await asyncio.sleep(0)
    await hasher.close()
    for task in waiting:
        with pytest.raises(asyncio.CancelledError):
            await task
