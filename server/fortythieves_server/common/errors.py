"""What keeps a server from starting."""


class StartError(Exception):
    """The server cannot start, for a reason that its operator can mend; ``str()`` is one sentence that says how."""
