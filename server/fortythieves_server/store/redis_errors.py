"""What an error of Redis means: try again, give up, or it is a bug."""

import re

from redis.exceptions import (
    AskError,
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from fortythieves.errors import Refused

#: RuntimeError is what uvloop says of a connection that is closed; redis-py finds no node of a cluster where one fails.
LOST_CONNECTION = (
    RedisConnectionError,
    RedisTimeoutError,
    RedisClusterException,
    ClusterError,
    OSError,
    RuntimeError,
)

#: What Redis refuses for now: it is loading, its disk or its memory is full, it is a replica or has none; in a cluster,
#: the key has moved to another node, or is about to.
_PASSING = re.compile(
    # Redis 6 says it behind the words that the script failed.
    r"(^|-)(LOADING|MISCONF|OOM|READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY)\b"
)


class StoreDown(Exception):
    """Redis cannot be reached, or too much waits for it already."""


class Behind(Exception):
    """The log has moved on since the decision: read it and decide again."""


class Lost(Exception):
    """Redis has lost data of this room: its log is shorter than it was, of another epoch, or gone."""


class Newer(Refused):
    """The log of room ``code`` has something of a newer version in it, so that this process cannot serve it."""

    def __init__(self, code: str) -> None:
        super().__init__("newer-room", code=code)


class Closed(Exception):
    """A move that came too early, too late, or after its log was sealed; ``code`` is the error's for the player."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_passing(answer: object) -> bool:
    """Whether Redis refuses for now, so that the same is worth another try."""
    # redis-py has classes of their own for some, and takes the word away from their texts.
    known = (
        BusyLoadingError,
        ReadOnlyError,
        MasterDownError,
        ClusterDownError,
        OutOfMemoryError,
        TryAgainError,
        AskError,
    )
    return isinstance(answer, known) or (isinstance(answer, ResponseError) and bool(_PASSING.search(str(answer))))


def reason(error: BaseException) -> str:
    """What went wrong, for somebody who has to mend it."""
    if isinstance(error, AuthenticationError) and "HELLO must be called" in str(error):
        return "a password is required"  # Redis explains how a program would have to log in.
    return str(error) or "there is no answer in time"
