"""The number of examples of a property."""

from hypothesis import settings

#: The default of hypothesis, to which all other numbers refer.
USUAL = 100


def examples(count: int) -> settings:
    """Half this number in a usual run, and twenty times as many in `make soak`."""
    return settings(max_examples=count * settings().max_examples // USUAL)
