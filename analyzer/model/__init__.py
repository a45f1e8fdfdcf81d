"""Puppet's nouns as plain values: they need the standard library only.

Read `catalog` first: `resource`, `refs`, `relationship` and `statements` are its parts, `nouns` its
words, `completeness` what is not known of it, `types` what the graph must know of types, `names`
and `tags` how Puppet spells. `values` are Puppet's values that Python lacks, with `versions`,
`timestamp` and `timespan`; `keys` makes them keys of hashes, `unknowns` finds Unknown in them.
`automatic` and `stubs` are what modules' Ruby files and users say in place of what is not computed.
"""
