"""Places as editors count them, in each encoding, with no look at how the server counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.lsp.state.paths import path_of, uri_of
from analyzer.lsp.state.positions import Encoding, offset_of, position_of

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize(
    ("encoding", "unit"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)], ids=str
)
def test_the_example_of_the_specification(encoding: Encoding, unit: int) -> None:
    """The closing quote of `x="😋"` (LSP 3.17, position encodings; there in UTF-16)."""
    assert position_of('\nx="😋"', 5, encoding) == (1, unit)
    assert offset_of('\nx="😋"', 1, unit, encoding) == 5


@given(st.text("aé😀\n\r", max_size=20), st.sampled_from(ENCODINGS))
def test_there_and_back(text: str, encoding: Encoding) -> None:
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            line, unit = position_of(text, offset, encoding)
            assert offset_of(text, line, unit, encoding) == offset


def test_beyond_a_line_is_its_end() -> None:
    assert offset_of("ab\r\ncd", 0, 99, "utf-16") == 2
    assert offset_of("ab\r\ncd", 9, 0, "utf-16") == 6


def test_inside_of_a_character_is_before_it() -> None:
    assert offset_of("a😀b", 0, 2, "utf-16") == 1


def test_uris() -> None:
    assert path_of("file:///a%20b/%C3%A9.pp") == "/a b/é.pp"
    assert path_of(uri_of("/a b/é#.pp")) == "/a b/é#.pp"
    assert path_of("untitled:Untitled-1") is None
    assert path_of("file://elsewhere/etc/passwd") is None
