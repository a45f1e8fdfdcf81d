"""Attributes each difference of catalogs to the changed lines of code or data behind it.

A line is a cause if the difference is gone, or is another one, as soon as that line alone is
undone.
"""
