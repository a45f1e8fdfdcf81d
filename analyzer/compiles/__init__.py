"""Compiles of a path: the plan of them with reasons, and the results.

`plan` finds the targets of a path: each is a node, or a class by itself, with a set of facts.
`sources` has the ways to find nodes, a row each. `compile` compiles targets, `exchange` those that
export resources to each other. `outcomes` compiles everything at a path, and `programs` makes the
targets programs of their facts, for a search.
"""
