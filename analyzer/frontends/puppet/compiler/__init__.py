"""From programs, facts and data to a catalog (Puppet::Parser::Compiler).

Read `compiler.py` first: it builds a `Compilation` (`declared/compilation.py`), the resources,
classes and scopes declared so far, and runs the tuple of `passes.py` over it. Each layer uses those
before it only: `recovery.py` (evaluates on after errors), `definitions/` (classes, defines,
functions and types, found by name), `declared/` (resources, and the Compilation), then rules that
take a Compilation: `parameters.py`, `classes.py`, `finish.py`, `declarations.py`, `nodes.py`,
`exported.py`, `gaps.py`. `statements.py`, `collectors.py` and `relations.py` make thunks of
statements. `calls/` are the functions of the catalog; `evaluator.py` answers what expressions ask
for, and is where functions evaluate again. `results/` makes the catalog and the record of it.
"""
