"""A policy as values: its blocks, evaluation of values, and the possible effects of any run.

Begin with `blocks`: a policy with its files, bundles and bodies. `bodies`, `augments`,
`normal_order` and `cross_file` belong to it. `variables`, `classes` and `evaluator` evaluate, with
`functions`, `list_functions`, `arithmetic` and `hash_order`. For the lint `sites` are the promises
with their bodies, `possible_values`, `possible_classes` and `system_classes` what texts and classes
may be, `reachability` the earliest moment of everything, `setters` who sets what.
"""
