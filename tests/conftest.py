"""What holds for all tests."""

from hypothesis import settings

# How long an example takes says more about what else the machine is doing than about the program.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
