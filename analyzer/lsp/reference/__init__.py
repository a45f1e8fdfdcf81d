"""What can be said of a name: Puppet's own types, functions and metaparameters, and what files say.

`puppet_types` and `metaparameters` are tables, `attributes` asks them, defines, classes and types
in Ruby; `documentation` reads comments, `signatures` functions, `values` data and facts.
"""
