"""The code of a refusal."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec

import pytest

from fortythieves.errors import Refused

Given = ParamSpec("Given")


def refusal(ask: Callable[Given, object], *args: Given.args, **kwargs: Given.kwargs) -> str:
    with pytest.raises(Refused) as refused:
        ask(*args, **kwargs)
    return refused.value.code


async def refusal_of(asked: Awaitable[object]) -> str:
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value.code
