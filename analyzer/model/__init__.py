"""Puppet's nouns as plain values, which need only the standard library.

Read `catalog` first: `resource`, `refs`, `relationship` and `statements` are its parts, `nouns` its
words, `completeness` its gaps. `types` has the facts about types that the graph needs; `names` and
`tags` have Puppet's spelling. `values` are Puppet's values that Python lacks, with `versions`,
`timestamp` and `timespan`; `keys` makes them keys of hashes, `unknowns` finds Unknown in them.
`automatic` and `stubs` replace values that are not computed: by declarations in modules' Ruby
files, and by values of users.
"""
