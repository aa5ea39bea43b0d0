"""The error that keeps a server from starting."""


class StartError(Exception):
    """The server cannot start, for a reason that its operator can fix. ``str()`` explains how."""
