"""The types as plain values, and the built-in names (`builtin`).

Read `base.py` first. A type here has parts, but no operation: those are in the modules above.
"""
