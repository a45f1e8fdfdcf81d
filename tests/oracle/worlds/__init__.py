"""Plants conditional findings in generated and packaged modules, and asks Puppet about each.

`python -m tests.oracle.worlds` runs it; read `check` first.
"""
