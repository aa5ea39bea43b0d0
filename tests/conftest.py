"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# How long an example takes says more about what else the machine is doing than about the program. The examples are the
# same each time, so that a test fails for who has broken something; others are tried by `--hypothesis-profile soak`.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, print_blob=True
)
settings.register_profile("soak", settings.get_profile("any machine"), derandomize=False, max_examples=2000)
settings.load_profile("any machine")
