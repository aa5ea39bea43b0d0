"""A port that cannot be opened is an error of one sentence."""

import errno
import os

import pytest

from fortythieves_server.common.errors import StartError
from fortythieves_server.process.shared_port import listening


async def test_a_port_in_use_is_an_error_that_names_the_option() -> None:
    [opened] = await listening("127.0.0.1", 0)
    port = opened.getsockname()[1]
    with opened, pytest.raises(StartError) as error:
        await listening("127.0.0.1", port, "--ops-port")
    assert str(error.value) == f"Port {port} on 127.0.0.1 is in use; choose another one with --ops-port."


async def test_an_address_that_no_machine_has_is_an_error() -> None:
    """It is reserved for documentation."""
    with pytest.raises(StartError) as error:
        await listening("192.0.2.77", 8040)
    assert str(error.value) == f"Port 8040 on 192.0.2.77 cannot be opened: {os.strerror(errno.EADDRNOTAVAIL)}."
