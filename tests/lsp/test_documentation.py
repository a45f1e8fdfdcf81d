"""Comments and names of code that nobody has read, as Markdown."""

import pytest

from analyzer.lsp.describe.catalogs import code
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.reference.documentation import comment_above, fenced, plain
from analyzer.lsp.reference.ruby import attributes_of
from analyzer.lsp.reference.values import value_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <b> c", "a &lt;b&gt; c"),
        ("![p](http://x/p.png)", "\\![p]\\(http://x/p.png)"),
        ("[p](command:x)", "[p]\\(command:x)"),
        ("![p][r]\n[r]: http://x", "\\![p]\\[r]\n\\[r]: http://x"),
        ("red \x1b[31m", "red \\u001b[31m"),
        ("turned \u202e", "turned \\u202e"),
    ],
)
def test_nothing_is_loaded_or_followed(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_fence_is_longer_than_those_inside() -> None:
    assert fenced("a\n```\n![p](x)") == "````puppet\na\n```\n![p](x)\n````"
    assert (code("a"), code("a`b"), code("`a`")) == ("`a`", "``a`b``", "`` `a` ``")
    assert code("a\nb") == "`a\\nb`"


COMMENT = """\
# other

# @summary Runs it.
#
# More of it.
#
# @param port
#   the port, which
#   is open
# @param [String] user the user
# @return [String] the name
"""


def test_a_comment_has_its_tags() -> None:
    text = COMMENT + "class a { }"
    found = comment_above(text, text.index("class"))
    assert found.summary() == "Runs it."
    assert found.parameter("port") == "the port, which is open"
    assert found.parameter("user") == "the user"
    assert found.of("return") == "[String] the name"
    assert "other" not in found.markdown()


def test_the_older_style_has_parameters() -> None:
    text = (
        "# A class.\n#\n# === Parameters\n# [*port*]\n#   the port\n# $user:: the user\nclass a {"
    )
    found = comment_above(text, text.index("class a"))
    assert (found.parameter("port"), found.parameter("user")) == ("the port", "the user")
    assert found.summary() == "A class."


def test_a_comment_elsewhere_is_not_of_the_class() -> None:
    text = "# other\n\nclass a {"
    assert comment_above(text, text.index("class")).markdown() == ""


def test_what_is_long_takes_no_longer() -> None:
    """Seconds, if the time went with the square of the length."""
    heredocs = "newparam(:a) do\n desc x <<-E\n" * 20_000
    assert len(attributes_of(heredocs)) == 1
    key = IndexedSymbol("key", "a", 0, 1, 0, 300_000)
    assert value_text("a: b" + " " * 200_000 + "c", key).startswith("b ")
