"""Manifests and compiles as the rules see them, and edits of manifests.

Read `subjects` first: it holds the values that rules look at. `compiles` makes them.
"""
