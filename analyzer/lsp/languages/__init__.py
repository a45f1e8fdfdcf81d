"""The other languages besides Puppet's: CFEngine policies, Hiera data, and `catgraph.toml`.

`table` has a row for each answer; without a row, a feature for Puppet files answers.
"""
