"""shared/vectors/fairness.json holds the judgement of the browser to that of the program."""

from tests.client.bot.make_fairness import FILE, text


def test_the_file_matches_its_generator() -> None:
    assert FILE.read_text("utf-8") == text(), "python -m tests.client.bot.make_fairness"
