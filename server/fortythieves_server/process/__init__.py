"""Processes and files: ports, the embedded Redis, the supervisor, house bots."""
