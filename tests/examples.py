"""How many examples a property is tried with."""

from hypothesis import settings

#: What hypothesis tries where nobody says how many, and what all other numbers are given for.
USUAL = 100


def examples(count: int) -> settings:
    """So many in a usual run; `make soak` tries as many times more as it does where nobody says how many."""
    return settings(max_examples=count * settings().max_examples // USUAL)
