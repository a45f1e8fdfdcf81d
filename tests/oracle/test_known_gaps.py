"""Each claim about Puppet has a case that Puppet answered, or is a known gap."""

from __future__ import annotations

import re
import tomllib

import pytest

from analyzer.apply.providers.table import PROVIDERS
from analyzer.frontends.puppet.compiler.calls.dispatch import CATALOG_FUNCTIONS
from analyzer.frontends.puppet.evaluate.errors import ISSUES as EVALUATION_ISSUES
from analyzer.frontends.puppet.functions import families
from analyzer.frontends.puppet.functions.stdlib import families as stdlib
from analyzer.frontends.puppet.syntax.issues import ISSUES as STATIC_ISSUES
from analyzer.frontends.puppet.syntax.parse_issues import PARSE_ISSUES
from tests.conftest import ROOT
from tests.known_gaps import FILE, known_gaps
from tests.oracle.tally import lacking_type

# How many gaps there are; lower a number when a gap is gone.
NUMBER = {
    **{"programs": 0, "functions": 28, "messages": 1, "automatic": 7, "types": 4, "providers": 1},
    "policies": 1,
}

# Where a program calls a function: with parentheses, after a dot, or as a statement.
CALL = re.compile(r"(?<![\w:$'])(?:::)?([a-z_]\w*(?:::\w+)*)\s*(?:\(|\s['\"\[$]|\|)")
PLACEHOLDER = re.compile(r"\{\w*\}|\{\{|\}\}")
METHOD = re.compile(r"\.\s*([a-z_]\w*(?:::\w+)*)")

# Texts that are recorded together with Puppet's answers.
RECORDED = (
    "functions/cases",
    "stdlib/cases",
    "stdlib",
    "cases",
    "compiler",
    "hiera/cases",
    "bridge",
)


def functions() -> set[str]:
    """The functions of Puppet and its modules that we have; those of old releases have an `@`."""
    return {
        name.partition("@")[0]
        for name in (*families.FAMILIES, *stdlib.FAMILIES, *CATALOG_FUNCTIONS)
    }


def called() -> set[str]:
    """The functions that recorded programs call."""
    folder = ROOT / "tests" / "frontends" / "puppet"
    texts = [
        "\n".join(
            line for line in path.read_text("utf-8", "replace").split("\n") if line[:1] != "#"
        )
        for name in RECORDED
        for path in sorted((folder / name).glob("*.txt"))
    ]
    return {name for text in texts for form in (CALL, METHOD) for name in form.findall(text)}


def without_a_case(names: set[str]) -> set[str]:
    return names - called()


def test_every_function_has_a_recorded_case() -> None:
    lacking = without_a_case(functions()) - set(known_gaps("functions"))
    assert not lacking, f"record a case (CONTRIBUTING.md, Add a function): {sorted(lacking)}"
    assert without_a_case(functions()) == set(known_gaps("functions")), "remove these gaps"


def without_words(messages: dict[str, str]) -> set[str]:
    """The codes of messages of which no recorded text has the longest part that is fixed."""
    folder = ROOT / "tests" / "frontends" / "puppet"
    texts = (path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.txt")))
    recorded = " ".join(" ".join(texts).split())
    fixed = {
        code: max((" ".join(part.split()) for part in PLACEHOLDER.split(message)), key=len)
        for code, message in messages.items()
    }
    return {code for code, part in fixed.items() if part not in recorded}


def test_every_word_of_an_error_is_recorded() -> None:
    messages = {code: issue.message for code, issue in STATIC_ISSUES.items()}
    messages |= {**PARSE_ISSUES, **EVALUATION_ISSUES}
    # A limit of ours: Puppet ends with a stack that is too deep.
    del messages["NESTED_TOO_DEEPLY"]
    lacking = without_words(messages) - set(known_gaps("messages"))
    assert not lacking, f"record a program that ends with these errors: {sorted(lacking)}"
    assert without_words(messages) == set(known_gaps("messages")), "remove these gaps"


def test_a_message_without_a_case_is_noticed() -> None:
    assert without_words({"NEW": "Nobody ever said {this}"}) == {"NEW"}


def test_every_provider_has_a_recorded_case() -> None:
    folder = ROOT / "tests" / "apply" / "providers" / "cases"
    texts = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.txt")))
    declared = {name.capitalize() for name in re.findall(r"\b([a-z_]+) *\{", texts)}
    assert set(PROVIDERS) - declared == set(known_gaps("providers"))


def test_a_function_without_a_case_is_noticed() -> None:
    assert "no_such_function_yet" in without_a_case({*functions(), "no_such_function_yet"})


@pytest.mark.parametrize("section", NUMBER)
def test_gaps_only_go(section: str) -> None:
    count = len(known_gaps(section))
    assert count <= NUMBER[section], "do not add gaps: correct the difference, or record a case"
    assert count == NUMBER[section], f"there are fewer gaps: set NUMBER[{section!r}] to {count}"


def test_each_gap_says_why() -> None:
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert set(found) == set(NUMBER)
    assert all(reason for section in found.values() for reason in section.values())


@pytest.mark.parametrize(
    ("error", "lacking"),
    [
        ("Evaluation Error: Unknown resource type: 'yumrepo' (file: a.pp)", "Yumrepo"),
        ("Evaluation Error: Resource type not found: Yumrepo (line: 1)", "Yumrepo"),
        ("Evaluation Error: Unknown resource type: 'nope'", ""),
    ],
)
def test_what_this_puppet_lacks_is_told_from_what_differs(error: str, lacking: str) -> None:
    assert lacking_type({"error": error}) == lacking
    assert lacking_type({"catalog": {"resources": []}, "error": error}) == ""
