"""The fast writer of JSON against the standard library's."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from analyzer.export.encode import pretty

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(VALUES)
def test_it_writes_what_json_writes(value: Any) -> None:
    assert pretty(value, str) == json.dumps(value, indent=2, ensure_ascii=False)


def test_what_json_has_no_word_for_is_asked_of_the_caller() -> None:
    assert pretty({"a": [b"x"]}, bytes.decode) == '{\n  "a": [\n    "x"\n  ]\n}'
