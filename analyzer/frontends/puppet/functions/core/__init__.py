"""Puppet's own functions.

Read `numbers.py` first: a family is a module of functions under `@function`. `iterables.py` has the
values that loops go through, for `iteration.py`, `stepping.py` and `trees.py`; `numerals.py` the
numbers of `sprintf.py`.
"""
