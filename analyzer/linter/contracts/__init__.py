"""Rules of a project: `[[rules]]` and `[[contracts]]` of `catgraph.toml`.

`own` makes a `Rule` of each entry. `queries` finds what an expression of the query language
matches. A contract is read by `contract` and checked by `order` (layers, independence, forbidden
and acyclic) or `required`; `patterns` has the names with `*`, `units` the class of each resource,
`chains` orders that lead through others, and `ignored` the accepted edges.
"""
