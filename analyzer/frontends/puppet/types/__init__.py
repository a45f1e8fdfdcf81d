"""Puppet's type system. Read `model/base.py` first: types are plain values, grouped in `model/`.

Each operation is a table by the class of a type, in a module or room above them:

text                     how types are printed (what `str` returns)
generalize, normalize    the type without limits, the type in its shortest form
traits                   whether values can be iterated over or called
assignable, leaves       whether every value of a type is of another; its rows for plain types
infer                    the type of a value, and what types have in common
instance                 whether a value is of a type; `unknowns`: also of an Unknown one
signatures               parameters of functions, and which arguments they accept
mismatches/              messages about types and arguments that do not fit; assertions
parsing/                 a type from a text or a syntax tree, as Puppet's TypeParser reads it
specialize/              the same by the evaluator: a name with brackets
construct/               `Type.new`, the formats of `String.new`
problems                 all errors, with Puppet's messages
"""

from __future__ import annotations

from analyzer.frontends.puppet.types.model.base import Printed, Type
from analyzer.frontends.puppet.types.model.collections import TupleType
from analyzer.frontends.puppet.types.model.objects import InitType
from analyzer.frontends.puppet.types.text import printed


def _signatures(wanted: InitType) -> tuple[Type, list[TupleType]]:
    # Few programs use Init: the constructors are loaded when one asks.
    from analyzer.frontends.puppet.types.construct.new import accepted_types

    return accepted_types(wanted)


# Types use these two functions of the modules above them.
Printed.printer = printed
InitType.signatures = _signatures
