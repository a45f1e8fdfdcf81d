"""What is Unknown may be of any type; what is Deferred is of the type its function returns."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.types.mismatches.describe import describe_parameters
from analyzer.frontends.puppet.types.model.collections import StructType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.signatures import SignatureParameter, dispatch, signature_of
from analyzer.frontends.puppet.types.unknowns import fits, is_instance
from analyzer.model.values import Deferred, Sensitive, Unknown

WHY = Unknown("no Ruby")
TEXT = WHY.as_text()


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
    one = signature_of([SignatureParameter("a", parse_type("Integer")), SignatureParameter("b")])
    two = signature_of([SignatureParameter("a", parse_type("String")), SignatureParameter("b")])
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


# A type, a value, and whether it is of the type; None where what is Unknown decides.
FITS = [
    ("Any", WHY, True),
    ("Integer", WHY, None),
    ("NotUndef", WHY, None),
    ("NotUndef", TEXT, True),
    ("Optional[Integer]", TEXT, False),
    ("String", TEXT, True),
    ("String[1]", TEXT, None),
    ("Integer", TEXT, False),
    ("Data", TEXT, True),
    ("Variant[Integer, Enum['a']]", TEXT, None),
    ("Array[Integer]", [1, WHY], None),
    ("Array[Integer]", ["a", WHY], False),
    ("Array[Any, 3]", [1, WHY], False),
    ("Array", [WHY], True),
    ("Hash[String, Integer]", {"a": WHY}, None),
    ("Hash[String, Integer]", {"a": WHY, "b": "c"}, False),
    ("Hash[Integer, Any]", {TEXT: 1}, False),
    ("Struct[{a => Integer, Optional[b] => Any}]", {"a": WHY}, None),
    ("Struct[{a => Integer, Optional[b] => Any}]", {"a": 1, "b": WHY}, True),
    ("Struct[{a => Integer}]", {WHY: 1}, None),
    ("Struct[{a => Integer, b => Integer}]", {WHY: 1}, False),
    ("Tuple[String, Integer]", ["a", WHY], None),
    ("Iterable[Integer]", [WHY], None),
    ("Iterable", [WHY], True),
    ("Sensitive[Integer]", Sensitive(TEXT), False),
    ("RichData", [{"a": [WHY]}], None),
]


@pytest.mark.parametrize(("text", "value", "expected"), FITS)
def test_fits(text: str, value: object, expected: bool | None) -> None:
    found = fits(parse_type(text), value)
    assert isinstance(found, Unknown) if expected is None else found is expected
