"""What takes long is done by a process of its own, which may fail and die without anybody else noticing."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fortythieves.errors import Refused
from fortythieves_server.offload import IDLE, TIMEOUT, WAITING, Job, Offload

#: A room log with something in it that is none.
BAD = b"1 a {}"


@pytest.fixture
def waiting() -> int:
    """How many may wait."""
    return WAITING


@pytest.fixture
def idle() -> float:
    """After how many seconds without anything to do it ends."""
    return IDLE


@pytest.fixture
async def offload(waiting: int, idle: float) -> AsyncIterator[Offload]:
    offload = Offload(waiting, idle)
    yield offload
    await offload.close()


def process_of(offload: Offload) -> asyncio.subprocess.Process:
    process = offload.process
    assert process is not None
    return process


async def refused(offload: Offload, seconds: float = TIMEOUT) -> str:
    """Ask for what is refused, by the process itself."""

    async def job() -> Job:
        return "record_as_json", (b"",)

    with pytest.raises(Refused) as refusal:
        await offload.do(job, timeout=seconds)
    return refusal.value.code


async def test_a_refusal_comes_back_as_one(offload: Offload) -> None:
    assert await refused(offload) == "not-a-record"


async def test_a_bug_comes_back_as_one_and_the_next_job_is_done(offload: Offload) -> None:
    async def job() -> Job:
        return "tournament_file", (".json", BAD, "")

    with pytest.raises(RuntimeError, match="tournament_file failed: Traceback"):
        await offload.do(job)
    assert await refused(offload) == "not-a-record"


async def test_nothing_is_started_before_there_is_something_to_do(offload: Offload) -> None:
    assert offload.process is None


@pytest.mark.skipif(not Path("/proc").exists(), reason="there is no other way to see it")
async def test_it_is_told_no_token_and_no_address_of_redis(offload: Offload, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORTY_THIEVES_OPS_TOKEN", "a-very-secret-token")
    monkeypatch.setenv("FORTY_THIEVES_REDIS", "redis://:secret@localhost")
    await refused(offload)
    environment = await asyncio.to_thread(Path(f"/proc/{process_of(offload).pid}/environ").read_bytes)
    assert b"PATH=" in environment and b"secret" not in environment


async def test_one_that_was_killed_is_started_again(offload: Offload) -> None:
    await refused(offload)
    process = process_of(offload)
    process.kill()
    await process.wait()
    assert await refused(offload) == "not-a-record"


@pytest.mark.skipif(os.name == "nt", reason="no process can be stopped there")
async def test_one_that_takes_too_long_is_killed(offload: Offload) -> None:
    await refused(offload)
    process = process_of(offload)
    process.send_signal(signal.SIGSTOP)
    assert await refused(offload, seconds=0.05) == "too-fast"  # However long: it stands still.
    await process.wait()
    assert await refused(offload) == "not-a-record"


async def test_who_stops_waiting_in_the_middle_leaves_no_answer_to_the_next(offload: Offload) -> None:
    await refused(offload)
    asked = asyncio.create_task(refused(offload))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    assert await refused(offload) == "not-a-record"


@pytest.mark.parametrize("idle", [0.01])
async def test_it_ends_when_there_is_nothing_to_do(offload: Offload) -> None:
    await refused(offload)
    process = process_of(offload)
    assert await process.wait() == 0
    assert await refused(offload) == "not-a-record"


async def test_no_two_jobs_are_prepared_at_once(offload: Offload) -> None:
    inside = 0

    async def job() -> Job:
        nonlocal inside
        inside += 1
        assert inside == 1
        await asyncio.sleep(0)
        inside -= 1
        return "record_as_json", (b"",)

    answers = await asyncio.gather(*[offload.do(job) for _ in range(5)], return_exceptions=True)
    assert [type(answer) for answer in answers] == [Refused] * 5


@pytest.mark.parametrize("waiting", [1])
async def test_too_many_who_wait_are_sent_away(offload: Offload) -> None:
    go = asyncio.Event()

    async def job() -> Job:
        await go.wait()
        return "record_as_json", (b"",)

    waiting = [asyncio.create_task(offload.do(job)) for _ in range(2)]
    await asyncio.sleep(0)
    assert await refused(offload) == "too-fast"
    go.set()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert await refused(offload) == "not-a-record"


@pytest.mark.parametrize("waiting", [4])
async def test_addresses_take_turns_and_whoever_asks_for_most_makes_place(offload: Offload) -> None:
    go, done = asyncio.Event(), list[str]()

    async def ask(address: str) -> None:
        async def job() -> Job:
            await go.wait()
            done.append(address)
            return "record_as_json", (b"",)

        with pytest.raises(Refused) as refusal:
            await offload.do(job, address)
        if refusal.value.code == "too-fast":
            done.append("sent away")

    asking = []
    for address in (*["greedy"] * 5, "one", "other"):
        asking.append(asyncio.create_task(ask(address)))
        await asyncio.sleep(0)
    go.set()
    async with asyncio.timeout(60):
        await asyncio.gather(*asking)
    assert sorted(done) == ["greedy"] * 3 + ["one", "other"] + ["sent away"] * 2
    assert [address for address in done if address != "sent away"] == ["greedy", "greedy", "one", "other", "greedy"]


async def test_a_process_that_dies_in_the_middle_has_the_job_asked_for_again(
    offload: Offload, caplog: pytest.LogCaptureFixture
) -> None:
    await refused(offload)
    process = process_of(offload)

    async def job() -> Job:
        process.kill()
        return "record_as_json", (b"",)

    with pytest.raises(Refused) as refusal:
        await offload.do(job)
    assert refusal.value.code == "too-fast"
    assert "ended in the middle of record_as_json" in caplog.text
    assert await refused(offload) == "not-a-record"
