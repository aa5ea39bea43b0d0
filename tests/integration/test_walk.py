"""A move and a command, followed through the modules of the server."""

import pytest

from tests.tools.walk import modules_that_pass_on, shown, walks

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_move_and_a_command_pass_through_few_modules(address: str) -> None:
    move, command = await walks(address)
    assert len(modules_that_pass_on(move)) <= 8, shown(move)
    assert len(modules_that_pass_on(command)) <= 12, shown(command)
    for step in move:
        assert len({(call.module, call.function) for call in step}) == len(step), "no function is called twice"
