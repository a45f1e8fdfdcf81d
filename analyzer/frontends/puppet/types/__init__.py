"""Puppet's type system. Read `model/base.py` first: types are plain values, grouped in `model/`.

Each operation is a table by the class of a type, in a module or room above them:

text                     how types are printed (what `str` returns)
generalize, normalize    the type without limits, the type in its shortest form
traits                   whether values can be iterated over or called
assignability.assignable whether every value of a type is of another
infer                    the type of a value, and what types have in common
instance                 whether a value is of a type; unknowns.is_instance where it may be Unknown
signatures               parameters of functions, and which arguments they accept
mismatches/              what does not fit, in Puppet's words; assertions
parsing/                 a type from a text or a syntax tree, as Puppet's TypeParser reads it
specialize/              the same by the evaluator: a name with brackets
construct/               `Type.new`, the formats of `String.new`
problems                 all errors, with Puppet's messages
"""

# They add rows to the tables of types: how a type is printed, and the values of an Init.
from analyzer.frontends.puppet.types import text as _text  # noqa: F401
from analyzer.frontends.puppet.types.construct import new as _new  # noqa: F401
