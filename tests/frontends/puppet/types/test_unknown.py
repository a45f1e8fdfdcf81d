"""What is Unknown may be of any type; what is Deferred is of the type its function returns."""

from __future__ import annotations

from analyzer.frontends.puppet.types.callables import Parameter, dispatch, signature_of
from analyzer.frontends.puppet.types.collections import StructType
from analyzer.frontends.puppet.types.describe import describe_parameters
from analyzer.frontends.puppet.types.parse import parse_type
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.values import Deferred, Sensitive, Unknown

WHY = Unknown("no Ruby")


def params(text: str) -> StructType:
    found = parse_type(text)
    assert isinstance(found, StructType)
    return found


def test_unknown_may_be_of_any_type() -> None:
    assert is_instance(parse_type("Integer"), WHY)
    assert is_instance(parse_type("Array[Integer]"), [1, WHY])
    assert is_instance(parse_type("Hash[String, Integer]"), {"a": WHY})
    assert is_instance(parse_type("Sensitive[String]"), Sensitive(WHY))
    assert not is_instance(parse_type("Integer"), "a")


def test_unknown_arguments_choose_the_first_signature_that_the_others_fit() -> None:
    one = signature_of([Parameter("a", parse_type("Integer")), Parameter("b")])
    two = signature_of([Parameter("a", parse_type("String")), Parameter("b")])
    assert dispatch([one, two], ["x", WHY]) == 1
    assert dispatch([one, two], [WHY, 1]) == 0
    assert dispatch([one, two], [WHY]) is None


def test_unknown_parameters_are_not_refused() -> None:
    struct = params("Struct[{a => Integer, b => String}]")
    assert describe_parameters("Class[X]", struct, {"a": WHY, "b": "x"}) == ""
    said = describe_parameters("Class[X]", struct, {"a": WHY, "b": 1})
    assert said == "Class[X]: parameter 'b' expects a String value, got Integer"


def test_deferred_parameters_are_of_what_their_function_returns() -> None:
    struct = params("Struct[{a => Integer}]")
    given = {"a": Deferred("f")}
    assert describe_parameters("Class[X]", struct, given) == ""
    said = describe_parameters("Class[X]", struct, given, returns=lambda _: parse_type("String"))
    assert said == "Class[X]: parameter 'a' expects an Integer value, got String"
