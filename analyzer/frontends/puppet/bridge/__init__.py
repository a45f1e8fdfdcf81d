"""Ruby templates, functions and types, evaluated by a helper process over an installed Puppet.

Read `calls.py` first: it sends the calls of one compile and takes the questions of Ruby code, which
`answers.py` answers. `helper.py` starts the process (`process.py`), `wire.py` encodes values, and
`ruby/` is the other side.
"""
