"""Diagnostics: `manifests` checks one text, `compiling` the catalogs that a file belongs to.

`worker` runs the compiles in a separate process, and `shown` turns findings into diagnostics.
"""
