"""The documentation of names: of Puppet's types, functions and metaparameters, and from files.

`puppet_types` and `metaparameters` are tables. `attributes` reads them, and defines, classes and
types in Ruby. `documentation` reads comments, `functions` signatures, `values` data and facts.
"""
