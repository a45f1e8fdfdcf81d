"""Function calls in a compile.

Read `dispatch.py` first: it finds the function that a name means, checks its arguments
(`signatures.py`) and calls it. Functions that work on the catalog are in `catalog.py`,
`resources.py`, `packages.py`, `checks.py`, `data.py` (Hiera) and `templates.py`; `library.py` calls
those of Puppet's library and those in the Puppet language.
"""
