"""What cannot be computed is Unknown with its cause, and only that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.formats import hocon_reader as hocon
from analyzer.formats import hocon_tokens
from analyzer.frontends.puppet.hiera.hierarchy.locations import MOST_FILES
from analyzer.model.values import Unknown
from tests.frontends.puppet.hiera import api as hiera

LEVELS = """
version: 5
hierarchy:
  - {name: secret, lookup_key: eyaml_lookup_key, path: secret.eyaml}
  - {name: role, path: "role/%{role}.yaml"}
  - {name: common, path: common.yaml}
"""


def make(folder: Path, files: dict[str, str], **variables: Any) -> hiera.Lookup:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    scope = hiera.ScopeVariables(variables)
    return hiera.Lookup(None, folder, [folder / "modules"], scope)


def test_eyaml(tmp_path: Path) -> None:
    files = {
        "hiera.yaml": LEVELS,
        "data/secret.eyaml": "a: ENC[PKCS7,abc]\nb: plain %{role}\nh: {x: 'ENC[GPG,x]', y: 1}\n",
        "data/common.yaml": "c: \"%{lookup('a')}\"\na: 1\n",
    }
    data = make(tmp_path, files, role="web")
    assert hiera.lookup(data, "b") == "plain web"
    assert hiera.lookup(data, "a") == Unknown(
        "encrypted value (hiera-eyaml) of key 'a': "
        "its private key ./keys/private_key.pkcs7.pem cannot be read"
    )
    assert hiera.lookup(data, "c") == hiera.lookup(data, "a")
    assert hiera.lookup(data, "h.y") == 1
    assert isinstance(hiera.lookup(data, "h.x"), Unknown)


def test_unknown_variable_in_a_path(tmp_path: Path) -> None:
    files = {"hiera.yaml": LEVELS, "data/common.yaml": "a: '<%{role}>'\nb: 1\n"}
    data = make(tmp_path, files, role=Unknown("fact `role`"))
    assert hiera.lookup(data, "b") == 1, "no role has data"
    files["data/role/web.yaml"] = "c: 1\n"
    data = make(tmp_path, files, role=Unknown("fact `role`"))
    assert hiera.lookup(data, "b") == Unknown("path of Hiera's level 'role': fact `role`")
    explanation = data.explain("b")
    assert [(step.entry, step.outcome) for step in explanation.sources] == [
        ("role", hiera.LookupOutcome.UNKNOWN)
    ]


def test_a_value_in_a_path_may_be_empty(tmp_path: Path) -> None:
    """Puppet reads `role//web.yaml` as `role/web.yaml`."""
    levels = 'version: 5\nhierarchy: [{name: role, path: "role/%{role}/%{part}.yaml"}]\n'
    files = {"hiera.yaml": levels, "data/role/web.yaml": "b: 1\n"}
    given = {"role": Unknown("fact `role`"), "part": "web"}
    assert isinstance(hiera.lookup(make(tmp_path, files, **given), "b"), Unknown)
    assert hiera.lookup(make(tmp_path, files, role="", part="web"), "b") == 1


def test_of_many_files_only_the_first_are_compared_with_a_path(tmp_path: Path) -> None:
    files = {"hiera.yaml": LEVELS, "data/common.yaml": "b: 1\n"}
    make(tmp_path, files)
    (tmp_path / "data/role").mkdir()
    for number in range(MOST_FILES + 1):
        (tmp_path / f"data/role/{number}.txt").touch()
    data = make(tmp_path, files, role=Unknown("fact `role`"))
    assert isinstance(hiera.lookup(data, "b"), Unknown)


def test_unknown_variable_in_a_value(tmp_path: Path) -> None:
    files = {"hiera.yaml": "version: 5\n", "data/common.yaml": "a: {x: '<%{role}>', y: 1}\n"}
    data = make(tmp_path, files, role=Unknown("fact `role`"))
    assert hiera.lookup(data, "a") == {"x": Unknown("fact `role`"), "y": 1}
    assert hiera.lookup(data, "a.x.y") == Unknown("fact `role`")


FUNCTION = "version: 5\nhierarchy:\n  - {name: f, %s: m::f}\n  - {name: c, path: common.yaml}\n"


@pytest.mark.parametrize("kind", ["data_hash", "lookup_key", "data_dig"])
def test_custom_function(tmp_path: Path, kind: str) -> None:
    files = {
        "hiera.yaml": FUNCTION % kind,
        "data/common.yaml": "lookup_options: {b: {merge: hash}}\na: 1\nb: {x: 1}\n",
        "modules/m/lib/puppet/functions/m/f.rb": "",
    }
    data = make(tmp_path, files)
    assert hiera.lookup(data, "a") == Unknown(f"Hiera's {kind} function 'm::f'")
    assert isinstance(hiera.lookup(data, "b", merge="deep"), Unknown)
    assert data.explain("b").merge == "hash"


@pytest.mark.parametrize("kind", ["data_hash", "lookup_key", "data_dig"])
def test_function_of_the_compiler(tmp_path: Path, kind: str) -> None:
    files = {
        "hiera.yaml": FUNCTION % kind,
        "data/common.yaml": "b: 2\n",
        "modules/m/functions/f.pp": "",
    }
    make(tmp_path, files)
    asked: list[Any] = []

    def function(kind: str, name: str, arguments: list[Any], context: object) -> Any:
        asked.append((kind, name, *arguments))
        if kind == "data_hash":
            return {"a": {"x": "%{role}"}}
        if arguments[0] not in ("a", ["a", "x"]):
            raise hiera.NotFound
        return {"x": "web"} if kind == "lookup_key" else "web"

    scope = hiera.ScopeVariables({"role": "web"})
    services = hiera.Services(functions=function)
    data = hiera.Lookup(None, tmp_path, [tmp_path / "modules"], scope, services=services)
    assert hiera.lookup(data, "a.x") == "web"
    assert hiera.lookup(data, "b") == 2
    assert {call[:2] for call in asked} == {(kind, "m::f")}


def test_conversion_without_types(tmp_path: Path) -> None:
    options = "lookup_options: {a: {convert_to: Sensitive}}\na: 1\n"
    data = make(tmp_path, {"hiera.yaml": "version: 5\n", "data/common.yaml": options})
    assert hiera.lookup(data, "a") == Unknown("conversion of 'a' to \"Sensitive\"")


def test_hocon(tmp_path: Path) -> None:
    config = "version: 5\nhierarchy: [{name: h, data_hash: hocon_data, paths: [a.conf, b.conf]}]\n"
    text = "a = [1]\nb = ${HOME}\nc = x ${?HOME}\n"
    included = 'include file("/etc/data.conf")\nd = 1\n'
    files = {"hiera.yaml": config, "data/a.conf": text, "data/b.conf": included}
    data = make(tmp_path, files)
    assert hiera.lookup(data, "a") == [1]
    for key, written in (("b", "${HOME}"), ("c", "${?HOME}")):
        where = f"{written} in {tmp_path}/data/a.conf"
        assert hiera.lookup(data, key) == Unknown(
            f"{where} is an environment variable of the server"
        )
    assert hiera.lookup(data, "d") == Unknown(
        f"HOCON that includes another file, in {tmp_path}/data/b.conf"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = [1,,2]", "1: Expecting a value, got ','"),
        ("\na = ", "2: Expecting a value, got end of file"),
        ("a = {\nb = 1", "2: Expecting close brace } or a comma, got end of file"),
        ("a = b = c", "1: Expecting close brace } or a comma, got '='"),
        ("= 1", "1: Expecting a field name, got '='"),
        ("a = @x", "1: Reserved character '@' is not allowed here"),
        ('a = "\\x"', "1: backslash followed by 'x'"),
        ('a = "\\u12"', "1: Malformed hex digits after \\u escape in string: '12'"),
        ("a = ${.}", "1: Invalid path in ${.}"),
        ("a = [1] x", "1: Cannot concatenate object or list with a non-object-or-list"),
        ("a = [{b += 1}]", "1: += does not work nested inside a list"),
        ("a = ${a}", "1: ${a} was part of a cycle of substitutions"),
        ("a = 1e999", "1: Infinity"),
    ],
)
def test_what_is_no_hocon(text: str, said: str) -> None:
    with pytest.raises(hocon_tokens.HoconError) as caught:
        hocon.parse(text)
    assert str(caught.value) == f"String: {said}"


def test_hiera_3_backend(tmp_path: Path) -> None:
    config = "version: 5\nhierarchy: [{name: old, hiera3_backend: mine}]\n"
    make(tmp_path, {"g/hiera.yaml": config})
    data = hiera.Lookup(tmp_path / "g/hiera.yaml", None, [], hiera.ScopeVariables({}))
    assert hiera.lookup(data, "a") == Unknown("Hiera 3 backend 'mine'")
