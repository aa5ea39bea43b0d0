"""The number of examples of a property."""

from hypothesis import settings

#: The default of hypothesis, to which all other numbers refer.
USUAL = 100


def examples(count: int) -> settings:
    """This number in a usual run; `make soak` multiplies it."""
    return settings(max_examples=count * settings().max_examples // USUAL)
