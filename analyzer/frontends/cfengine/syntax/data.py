"""What becomes of a text that is given for a data container (cf3parse_logic.h)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.cfengine.syntax.ast import Call, Data, Scalar, Value
from analyzer.frontends.cfengine.syntax.json_text import NoJson, read_json


def container(text: str) -> Value:
    """Return data written as JSON or YAML; where that must wait, the call that will read it."""
    if len(text) > 3 and text[0] == "@" and text[1] in "({":
        return Call("mergedata", (Scalar(text[2:-1]),))
    yaml = len(text) > 3 and text.startswith("---")
    if "$(" not in text and "${" not in text:
        found = read_yaml(text) if yaml else read_data(text)
        if isinstance(found, dict | list):
            return Data(found)
    return Call("parseyaml" if yaml else "parsejson", (Scalar(text),))


def read_data(text: str) -> Any:
    """Read JSON, None where it is none."""
    try:
        return read_json(text)
    except NoJson:
        return None


def read_yaml(text: str) -> Any:
    """Read YAML, None where it is none."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None
