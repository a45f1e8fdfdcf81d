"""Compares our type system with the installed Puppet's, on questions at random."""

from __future__ import annotations

from collections import Counter

from .asking import ours, theirs
from .generate import questions
from .generate_regexps import regexp_questions


def compare(count: int, seed: int, shown: int = 10, only: str = "") -> int:
    """Print the agreement of each kind and what differs; 1 if anything does."""
    every = [*questions(count, seed), *regexp_questions(count, seed)]
    asked = [question for question in every if not only or question["ask"] == only]
    same: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for question, expected in zip(asked, theirs(asked), strict=True):
        ask = question["ask"]
        if "undefined method" in expected:
            # Puppet itself fails.
            continue
        total[ask] += 1
        try:
            said = ours(question)
        except Exception as error:
            said = f"!! {type(error).__name__}: {error}"
        if said == expected:
            same[ask] += 1
        elif total[ask] - same[ask] <= shown:
            rest = {key: value for key, value in question.items() if key not in ("id", "ask")}
            print(f"{question['id']}: {rest}\n  Puppet {expected}\n  ours   {said}")
    for ask, number in total.items():
        print(f"{ask:12} {same[ask]:6} of {number} agree")
    return int(same != total)
