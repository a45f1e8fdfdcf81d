"""Brackets behind a type, as the evaluator takes them; `access.py` is the entry."""
