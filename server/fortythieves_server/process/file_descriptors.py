"""How many connections and files this process may have open: the limit is raised at the start."""

import contextlib
import logging
import sys

log = logging.getLogger(__name__)

#: Below this a busy evening does not fit: a player has one connection, and for a moment six more while the page loads.
ENOUGH = 4096
#: Where nobody can say: Windows has no such limit.
_MANY = 100_000


def raise_limit() -> int:
    """Take as many as the system lets us have, and say so in the log if that is not enough; returns how many."""
    if sys.platform == "win32":
        return _MANY
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # macOS has a hard limit that is not true.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MANY if soft == resource.RLIM_INFINITY else min(soft, _MANY)
    if limit < ENOUGH:
        log.warning(
            "this process may have %d files and connections open, which is few: raise its limit (ulimit -n) to %d",
            limit,
            ENOUGH,
        )
    return limit
