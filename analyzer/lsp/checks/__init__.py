"""What is wrong: `manifests` looks at one text, `compiling` at the catalogs that a file is part of.

`worker` keeps the compiles in a process of their own, and `shown` makes diagnostics of findings.
"""
