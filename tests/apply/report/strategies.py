"""Random texts, numbers and data, such as YAML takes for something else."""

from __future__ import annotations

from hypothesis import strategies as st

ODD = """|yes|null|~|1_000|0x1f|1:30|1e5|2024-01-02|:a|- a|a: b|#|a #b|'|"|[]|{}|? a|%|&a|*a|!x|@x|
|`x`|... |---|=|<<|Inf|.5| lead|trail |a:|1.2.3|007|y|on|\t|a\tb|\x85|\u2028|a\n\n b\n|\n  a\nb"""
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    [*ODD.split("|"), "a" * 200, "word " * 40]
)
SECONDS = st.none() | st.floats(0, 1e6) | st.sampled_from([1e-9, 3.0966e-05, 1e22])
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
