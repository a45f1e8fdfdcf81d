"""The inputs of a compile: environment, facts, classifier, exported resources of other nodes.

Read `environment.py` first: the settings, and how a path becomes an environment. `modules.py` finds
modules on disk, `facts.py` reads sets of facts and `legacy_facts.py` adds facter's old names,
`classifier.py` asks a node classifier (`guarded.py` runs programs that the user names), and
`exchange.py` compiles nodes until their exported resources (`exports.py`, `store_file.py`) settle.
"""
