"""Puppet's type system: types as values, what is of them, and values made by them.

parse.parse_type(text or tree, resolver)     a type, as the TypeParser reads it; parse.alias
access.named_type, access.specialize         the same by the evaluator: a name, brackets
type.instance(value), type.assignable(type)  unknowns.is_instance where values may be Unknown
infer.infer, infer_set, type_of, common_type the type of a value
str(type), text.expanded                     how it is printed
describe, describe_calls, asserting          what does not fit, in Puppet's words
callables.signature_of, dispatch             parameters and arguments
new.new_instance(type, arguments)            Type.new; string_new.to_text for String.new
problems.TypeProblem                         all errors, with Puppet's message
"""
