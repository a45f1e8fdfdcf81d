"""From the text of a manifest or template to its checked tree.

Read `check.py` first: `lexing/` makes tokens of the text, `parsing/` a tree (`ast/`) of the tokens,
`validate/` finds what Puppet refuses in the tree. `checked.py` does the same with the cache on disk
(`cache.py`). `pn.py` writes a tree in Puppet's notation.
"""
