"""Rules of a project: `[[rules]]` and `[[contracts]]` of `catgraph.toml`.

`own` creates a `Rule` for each entry. `queries` finds the matches of an expression of the query
language. `contract` reads a contract, and `order` (layers, independence, forbidden and acyclic) or
`required` checks it. `patterns` has the names with `*`, `units` the class of each resource,
`chains` the indirect orders, and `ignored` the accepted edges.
"""
