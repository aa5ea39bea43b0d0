"""Plays like a person who sees only the visible cards. Pure."""
