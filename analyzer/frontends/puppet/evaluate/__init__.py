"""Expressions as Python closures: a tree is compiled once and evaluated in any number of scopes.

Read `thunks.py` first, then `machine.py`: a thunk is a compiled node, the machine what it runs on.
The compilers of nodes are in `literals.py`, `operators.py`, `arithmetic.py`, `access.py`,
`control.py`, `calls.py` and `templates.py`; `compare.py`, `text.py` and `ruby.py` have the meaning
of values, `scope.py` variables, `errors.py` the errors in Puppet's words, `limits.py` the bounds.
"""
