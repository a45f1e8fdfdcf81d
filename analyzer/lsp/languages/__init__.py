"""The languages beside Puppet's: policies of CFEngine, Hiera's data, and `catgraph.toml`.

`table` has a row for each answer; where there is none, a feature for Puppet's files answers.
"""
