"""The manifests and compiled catalogs that rules check, and edits of manifests.

Read `subjects` first: it defines the values that rules check. `compiles` creates them.
"""
