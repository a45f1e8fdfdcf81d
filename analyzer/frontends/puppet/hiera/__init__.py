"""Hiera 5: the data of a node, looked up as Puppet does it, with the source of each value.

Read `lookup.py` first: a key through the layers. `functions.py` has what manifests call on top of
it. `hierarchy/` reads hiera.yaml and makes levels of it, `sources/` reads the files of data,
`values/` digs into values and merges them. `scope.py` and `services.py` are what the compiler
provides.
"""
