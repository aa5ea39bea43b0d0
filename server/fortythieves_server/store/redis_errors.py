"""The meaning of a Redis error: retry, give up, or a bug."""

import re

from redis import exceptions

from fortythieves.errors import Refused
from fortythieves_server.common.errors import StartError
from fortythieves_server.store.schema import SCHEMA

#: uvloop raises RuntimeError for a closed connection. redis-py raises it if a node of a cluster cannot be found.
LOST_CONNECTION = (
    *(exceptions.ConnectionError, exceptions.TimeoutError, exceptions.RedisClusterException, exceptions.ClusterError),
    *(OSError, RuntimeError),
)

#: Errors that may pass: Redis is loading, its disk or its memory is full, it is a replica or lacks one; in a cluster,
#: the key has moved to another node, or is about to. Redis 6 puts the code after the message that the script failed.
_CODE = re.compile(r"(^|-)(LOADING|MISCONF|OOM|READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY)\b")
#: redis-py has separate classes for some errors, and removes the code from their texts.
_PASSING = (
    *(exceptions.BusyLoadingError, exceptions.ReadOnlyError, exceptions.MasterDownError),
    *(exceptions.ClusterDownError, exceptions.OutOfMemoryError, exceptions.TryAgainError, exceptions.AskError),
)

#: What is missing if the user of Redis may not do something (ACL).
RIGHTS = "its user needs ~ft:* &ft:* +@all -@dangerous +info"


class StoreDown(Refused):
    """Redis cannot be reached, or too many commits or reads already wait. ``reason`` is for operators."""

    def __init__(self, reason: str) -> None:
        super().__init__("store-down")
        self.reason = reason


class OtherSchema(StartError):
    """The data in Redis has another schema."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"Another version of the server wrote the data in this Redis (its schema is {found}, and this version needs"
            f" {SCHEMA}). Start with an empty Redis (--redis) or another directory (--data), or run that version."
        )


class Behind(Exception):
    """The log has changed since the decision. Read it, then decide once more."""


class Lost(Exception):
    """Redis has lost data of this room: its log is shorter than before, has another epoch, or is gone."""


class Closed(Refused):
    """A move came too early, too late, or after its log was sealed."""


def is_passing(answer: object) -> bool:
    """Whether the error may pass, so that another attempt makes sense."""
    has_code = isinstance(answer, exceptions.ResponseError) and _CODE.search(str(answer)) is not None
    return has_code or isinstance(answer, _PASSING)


def reason(error: BaseException) -> str:
    """The error in words, for an operator."""
    if isinstance(error, exceptions.AuthenticationError) and "HELLO must be called" in str(error):
        return "a password is required"  # the text of Redis explains how a program logs in
    if isinstance(error, exceptions.NoPermissionError):
        return f"{error} ({RIGHTS})"
    return str(error) or "no answer in time"
