"""The error messages about unexpected tokens, in the words of cf-promises.

A row is a production of cfengine.lark: its words, or words by the kind of the token that came.
"""

from __future__ import annotations

Words = str | dict[str, str]

OPEN_BLOCK = "Expected '}}', got '{0}'"
EXPECTED: dict[str, Words] = {
    "expected_block": "Expected 'bundle' or 'body' keyword, wrong input '{0}'",
    "expected_bundle_type": "Expected bundle type, wrong input '{0}'",
    "expected_body_type": "Expected body type, wrong input '{0}'",
    "expected_agent": "Expected 'agent', got '{0}'",
    "expected_name": {
        "bundle": "Expected bundle identifier, wrong input '{0}'",
        "body": "Expected body identifier, wrong input '{0}'",
        "promise": "Expected promise type identifier, wrong input '{0}'",
    },
    "expected_parameters": "Error in bundle parameter list, expected ')', wrong input '{0}'",
    "expected_identifier": "Expected identifier, wrong input '{0}'",
    "expected_open": "Expected body open '{{', wrong input '{0}'",
    "expected_type": "Expected promise type, got '{0}'",
    "expected_end": {
        "-": "Expected '->', got '{0}'",
        ">": "Expected '->', got '{0}'",
        "NAME": "Expected attribute, got '{0}'",
        "COMMA": "Expected attribute, got '{0}' (comma after promiser is not allowed since 3.5.0)",
        "": "Expected ';', got '{0}'",
    },
    "expected_comma": {
        "NAME": "Check previous line, Expected ',', got '{0}'",
        "": "Check previous line, Expected ';', got '{0}'",
    },
    "expected_promiser": {
        "BUNDLE": OPEN_BLOCK,
        "BODY": OPEN_BLOCK,
        "": "Expected promiser string, got '{0}'",
    },
    "expected_attribute": "Expected attribute, got '{0}'",
    "expected_arrow": "Expected '=>', got '{0}'",
    "expected_semicolon": "Expected ';' check previous statement, got '{0}'",
    "expected_selection": {
        "BUNDLE": OPEN_BLOCK,
        "BODY": OPEN_BLOCK,
        "": "Expected attribute, got '{0}'",
    },
    "expected_value": "Invalid r-value type '{0}'",
    "expected_item_end": {
        "SEMIC": "Expected '}}', wrong input '{0}'",
        "FARROW": "Check list statement previous line, Expected '}}', wrong input '{0}'",
        "": "Expected ',', wrong input '{0}'",
    },
    "expected_item": "Invalid input for a list item, got '{0}'",
    "expected_argument_end": "Expected ',', wrong input '{0}'",
    "expected_argument": {
        "SEMIC": "Expected ')', wrong input '{0}'",
        "FARROW": "Check function statement  previous line, Expected ')', wrong input '{0}'",
        "": "Invalid function argument, wrong input '{0}'",
    },
}


def message(production: str, kind: str, text: str, keyword: str) -> str:
    """Return the message about a token; `keyword` is that of its block."""
    words = EXPECTED[production]
    if isinstance(words, dict):
        key = text if kind == "OTHER" else kind
        words = words.get(key) or words.get(keyword) or words[""]
    return words.format(text)
