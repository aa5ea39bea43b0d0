"""Raise the limit of open connections and files of this process."""

import contextlib
import logging

log = logging.getLogger(__name__)

#: A busy evening needs more: each player has one connection, and briefly six more while the page loads. A guess.
ENOUGH = 4096
#: Used where the system sets no limit.
_MANY = 100_000


def raise_limit() -> int:
    """Raise the limit as far as the system allows. Logs a warning if that is not enough. Returns the limit."""
    import resource  # which is not on every system that has the other commands

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # macOS reports a hard limit that it does not accept.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MANY if soft == resource.RLIM_INFINITY else min(soft, _MANY)
    if limit < ENOUGH:
        log.warning(
            "this process can only open %d files and connections: raise its limit (ulimit -n) to %d", limit, ENOUGH
        )
    return limit
