"""The relationship graph with provenance: the order of resources, and the origin of each edge.

Read `relationship_graph` first: the facade, over the graph in ids that `core` shows to others.
`build` makes the `kernel` (ids and adjacency, used in this package only) from a catalog: `lookup`
finds resources by reference, `generated` adds generated resources, `autorelations` applies the
rules of `automatic/`. `provenance` maps ids back to statements, `wiring` and `replay` have the
edges in the order of Puppet's own tables, `order` and `queries` answer questions, `cycles/`
explains and breaks cycles, `diff/` compares two graphs, `query/` is the query language, `gaps`
lists unknown values. `algorithms/` works on plain adjacency lists. `findings` makes findings of the
results; `labels` and `phrases` are the words of reports.
"""
