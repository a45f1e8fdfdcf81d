"""Compiles of a path: the plan of them with reasons, and the results.

`sites` finds the sites and modules of a path that are compiled apart, `parts` has them, and what
their nodes leave out, as values, and `plan` finds the targets of one: each is a node, or a class by
itself, with a set of facts. `sources` has the ways to find nodes, a row each. `compile` compiles
targets, `exchange` those that export resources to each other. `outcomes` compiles everything at a
path, `unreached` what its nodes leave out, and `changing` reads and plans a part again with changed
texts. `programs` makes the targets programs of their facts, for a search. `outlined` has the stored
outlines of compiles.
"""
