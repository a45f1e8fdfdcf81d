"""Going through a run."""

from tests.tui.dsl import script


def test_a_step_and_back() -> None:
    script("""
        open sample healthy_web_stack
        expect focus frontier
        expect position 0
        press s s
        expect position 2
        press S
        expect position 1
    """)


def test_the_screens_are_switched_with_keys() -> None:
    script("""
        open sample healthy_web_stack
        press 2
        expect screen graph
        press 5
        expect screen report
        press question_mark
        expect text all keys
        press escape 1
        expect screen run
    """)
