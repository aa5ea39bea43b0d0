"""Long jobs run in a separate process, which may fail and die without harm to the server."""

import asyncio
import os
import resource
import signal
from pathlib import Path

import pytest

from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import Accounts
from fortythieves_server.rooms import file_process as module
from fortythieves_server.rooms.file_process import FileProcess, Job
from tests.refusals import refusal_of


async def refused(file_process: FileProcess) -> str:
    return await refusal_of(file_process.do(("record_as_json", (b"",))))


async def running(file_process: FileProcess) -> asyncio.subprocess.Process:
    assert await refused(file_process) == "not-a-record"
    assert file_process.process is not None
    return file_process.process


async def test_a_bug_in_the_file_process_does_not_stop_the_next_job(file_process: FileProcess) -> None:
    with pytest.raises(RuntimeError, match="tournament_file failed: Traceback"):
        await file_process.do(("tournament_file", (".json", b"1 a {}", "")))
    assert await refused(file_process) == "not-a-record"


@pytest.mark.skipif(not Path("/proc").exists(), reason="there is no other way to see it")
async def test_the_file_process_gets_no_token_and_no_redis_address(
    file_process: FileProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORTY_THIEVES_OPS_TOKEN", "a-very-secret-token")
    monkeypatch.setenv("FORTY_THIEVES_REDIS", "redis://:secret@localhost")
    process = await running(file_process)
    environment = await asyncio.to_thread(Path(f"/proc/{process.pid}/environ").read_bytes)
    assert b"PATH=" in environment and b"secret" not in environment


async def test_a_killed_file_process_is_restarted(file_process: FileProcess) -> None:
    process = await running(file_process)
    process.kill()
    await process.wait()
    assert await refused(file_process) == "not-a-record"


async def test_a_job_is_refused_as_long_as_no_process_can_be_started(file_process: FileProcess) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        assert await refused(file_process) == "too-fast"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert await refused(file_process) == "not-a-record"


@pytest.mark.skipif(os.name == "nt", reason="no process can be stopped there")
async def test_a_job_that_takes_too_long_is_killed(file_process: FileProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    process = await running(file_process)
    process.send_signal(signal.SIGSTOP)
    with monkeypatch.context() as patch:
        patch.setattr(module, "TIMEOUT", 0.05)  # However long: it is stopped.
        assert await refused(file_process) == "too-fast"
    await process.wait()
    assert await refused(file_process) == "not-a-record"


async def test_a_cancelled_job_leaves_no_answer_for_the_next_one(file_process: FileProcess) -> None:
    await refused(file_process)
    asked = asyncio.create_task(refused(file_process))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    assert await refused(file_process) == "not-a-record"


async def test_an_idle_file_process_ends(file_process: FileProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE", 0.01)
    process = await running(file_process)
    assert await process.wait() == 0
    assert await refused(file_process) == "not-a-record"


async def test_close_waits_for_the_end_of_the_file_process(file_process: FileProcess) -> None:
    process = await running(file_process)
    file_process.rest()
    await file_process.close()
    assert process.returncode == 0


async def test_close_refuses_the_running_job(file_process: FileProcess) -> None:
    process = await running(file_process)
    process.send_signal(signal.SIGSTOP)
    asked = asyncio.create_task(refused(file_process))
    await asyncio.sleep(0)
    await file_process.close()
    assert await asked == "too-fast"
    assert process.returncode == -signal.SIGKILL


async def test_addresses_take_turns_in_the_file_process(file_process: FileProcess) -> None:
    done, accounts = list[str](), Accounts(Limits())

    async def ask(address: str) -> None:
        async def job() -> Job:
            done.append(address)
            return "record_as_json", (b"",)

        assert await refusal_of(file_process.do(job, accounts.of(address))) == "not-a-record"

    async with asyncio.timeout(60):
        await asyncio.gather(*map(ask, (*["greedy"] * 3, "one", "other")))
    assert done == ["greedy", "greedy", "one", "other", "greedy"]


async def test_a_job_is_refused_if_the_file_process_dies(
    file_process: FileProcess, caplog: pytest.LogCaptureFixture
) -> None:
    process = await running(file_process)

    async def job() -> Job:
        process.kill()
        return "record_as_json", (b"",)

    assert await refusal_of(file_process.do(job)) == "too-fast"
    assert "ended during record_as_json" in caplog.text
    assert await refused(file_process) == "not-a-record"
