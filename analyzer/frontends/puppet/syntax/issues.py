"""The issues of the Puppet language (Puppet::Pops::Issues): code, wording and severity.

Wordings agree with Puppet's to the letter, so that a message can be looked up. They are templates
of `str.format`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from analyzer.frontends.puppet.syntax.parse_issues import PARSE_ISSUES


class IssueRow(NamedTuple):
    """A row of the table.

    `severity` is strict where Puppet's setting of that name decides. `demotable`: Puppet lets the
    issue be less than an error.
    """

    code: str
    message: str
    severity: Literal["error", "warning", "deprecation", "strict"] = "error"
    demotable: bool = False


# The code of a definition whose name is not that of its file.
LOCATION = "ILLEGAL_DEFINITION_LOCATION"

# What keeps Puppet from loading a file whose code is as clear as any other.
UNLOADED = frozenset(
    {
        LOCATION,
        "DUPLICATE_PARAMETER",
        "ILLEGAL_DEFINITION_NAME",
        "ILLEGAL_NODE_INHERITANCE",
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        "RESERVED_PARAMETER",
    }
)

# Met by the lexer and the parser; the lexer warns of bad escapes.
_WARNINGS = frozenset({"ILLEGAL_UNICODE_ESCAPE", "UNRECOGNIZED_ESCAPE"})
_PARSING = tuple(
    IssueRow(code, message, "warning", True) if code in _WARNINGS else IssueRow(code, message)
    for code, message in PARSE_ISSUES.items()
)

_DEFINITIONS = (
    IssueRow(
        "NOT_TOP_LEVEL",
        "Classes, definitions, and nodes may only appear at toplevel or inside other classes",
    ),
    IssueRow("NOT_ABSOLUTE_TOP_LEVEL", "{an_expression} may only appear at toplevel"),
    IssueRow(
        "ILLEGAL_DEFINITION_NAME",
        "Unacceptable name. The name '{name}' is unacceptable as the name of {an_expression}",
    ),
    IssueRow(
        LOCATION,
        "Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
        demotable=True,
    ),
    IssueRow(
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        "{subject} is unacceptable as a top level construct in this location",
        demotable=True,
    ),
    IssueRow(
        "RESERVED_TYPE_NAME",
        "The name: '{name}' is already defined by Puppet and can not be used as the name of "
        "{an_expression}.",
    ),
    IssueRow("FUTURE_RESERVED_WORD", "Use of future reserved word: '{word}'", "deprecation", True),
    IssueRow(
        "RESERVED_WORD",
        "Use of reserved word: {word}, must be quoted if intended to be a String value",
    ),
    IssueRow(
        "UNSUPPORTED_EXPRESSION",
        "Expressions of type {an_expression} are not supported in this version of Puppet",
        demotable=True,
    ),
    IssueRow(
        "ILLEGAL_SINGLE_TYPE_MAPPING",
        "Illegal type mapping. Expected a Type on the left side, got {an_expression}",
    ),
    IssueRow(
        "ILLEGAL_REGEXP_TYPE_MAPPING",
        "Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, "
        "got {an_expression}",
    ),
    IssueRow(
        "DUPLICATE_PARAMETER",
        "The parameter '{param}' is declared more than once in the parameter list",
    ),
    IssueRow(
        "RESERVED_PARAMETER",
        "The parameter ${param} redefines a built in parameter in the {container}",
    ),
    IssueRow("CAPTURES_REST_NOT_LAST", "Parameter ${param} is not last, and has 'captures rest'"),
    IssueRow(
        "CAPTURES_REST_NOT_SUPPORTED",
        "Parameter ${param} has 'captures rest' - not supported in {container}",
    ),
    IssueRow(
        "ILLEGAL_NUMERIC_PARAMETER",
        "The numeric parameter name '${name}' cannot be used (clashes with numeric match result "
        "variables)",
        demotable=True,
    ),
    IssueRow(
        "ILLEGAL_PARAM_NAME",
        "Illegal parameter name. The given name '{name}' does not conform to the naming rule "
        "/^[a-z_]\\w*$/",
    ),
    IssueRow(
        "ILLEGAL_HOSTNAME_CHARS",
        "The hostname '{hostname}' contains illegal characters (only letters, digits, '_', '-', "
        "and '.' are allowed)",
    ),
    IssueRow(
        "ILLEGAL_HOSTNAME_INTERPOLATION",
        "An interpolated expression is not allowed in a hostname of a node",
    ),
    IssueRow(
        "ILLEGAL_NODE_INHERITANCE",
        "Node inheritance is not supported in Puppet >= 4.0.0. See "
        "http://links.puppet.com/puppet-node-inheritance-deprecation",
        demotable=True,
    ),
    IssueRow(
        "ILLEGAL_EPP_PARAMETERS",
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove "
        "leading whitespace",
        demotable=True,
    ),
)

_EXPRESSIONS = (
    IssueRow(
        "CROSS_SCOPE_ASSIGNMENT",
        "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces",
    ),
    IssueRow(
        "ILLEGAL_ASSIGNMENT",
        "Illegal attempt to assign to '{an_expression}'. Not an assignable reference",
    ),
    IssueRow(
        "ILLEGAL_NUMERIC_ASSIGNMENT",
        "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric "
        "variables are not assignable",
        demotable=True,
    ),
    IssueRow("ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment not allowed here"),
    IssueRow(
        "ILLEGAL_INDEXED_ASSIGNMENT",
        "Illegal attempt to assign via [index/key]. Not an assignable reference",
        demotable=True,
    ),
    IssueRow(
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        "The operator '{operator}' is no longer supported. See "
        "http://links.puppet.com/remove-plus-equals",
    ),
    IssueRow(
        "NOT_RVALUE",
        "Invalid use of expression. {an_expression} does not produce a value",
        demotable=True,
    ),
    IssueRow(
        "ILLEGAL_EXPRESSION",
        "Illegal expression. {an_expression} is unacceptable as {feature} in {container}",
    ),
    IssueRow(
        "ILLEGAL_VAR_NAME",
        "Illegal variable name, The given name '{name}' does not conform to the naming rule "
        "/^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/",
    ),
    IssueRow(
        "ILLEGAL_NUMERIC_VAR_NAME",
        "Illegal numeric variable name, The given name '{name}' must be a decimal value if it "
        "starts with a digit 0-9",
    ),
    IssueRow(
        "ILLEGAL_QUERY_EXPRESSION",
        "Illegal query expression. {an_expression} cannot be used in a query",
    ),
    IssueRow(
        "NUMERIC_OVERFLOW",
        "{an_expression} resulted in a value outside of Puppet Integer max range, got '{value}'",
    ),
    IssueRow("DUPLICATE_KEY", "The key '{key}' is declared more than once", "strict", True),
    IssueRow(
        "DUPLICATE_DEFAULT",
        "This {container} already has a 'default' entry - this is a duplicate",
    ),
    IssueRow(
        "IDEM_EXPRESSION_NOT_LAST",
        "This {expression} has no effect. A value was produced and then forgotten (one or more "
        "preceding expressions may have the wrong form)",
        demotable=True,
    ),
    IssueRow(
        "IDEM_NOT_ALLOWED_LAST",
        "This {expression} has no effect. {container} can not end with a value-producing "
        "expression without other effect",
    ),
)

_RESOURCES = (
    IssueRow(
        "RESOURCE_WITHOUT_TITLE",
        "This expression is invalid. Did you try declaring a '{name}' resource without a title?",
        demotable=True,
    ),
    IssueRow("NOT_VIRTUALIZEABLE", "Resource Defaults are not virtualizable"),
    IssueRow("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable", demotable=True),
    IssueRow(
        "MULTIPLE_ATTRIBUTES_UNFOLD",
        "Unfolding of attributes from Hash can only be used once per resource body",
    ),
    IssueRow(
        "ILLEGAL_ATTRIBUTE_APPEND",
        "Illegal +> operation on attribute {name}. This operator can not be used in {container}",
    ),
)

# Text of heredocs in another language.
_EMBEDDED = tuple(
    IssueRow(code, f"Invalid produced text having syntax: '{{syntax}}'. {wording}", demotable=True)
    for code, wording in (
        (
            "ILLEGAL_JSON",
            'JSON syntax checker: Cannot parse invalid JSON string. "{message}"',
        ),
        (
            "ILLEGAL_BASE64",
            "Base64 syntax checker: Cannot parse invalid Base64 string - {message}",
        ),
        ("ILLEGAL_PP", 'PP syntax checker: "{message}"'),
        ("ILLEGAL_EPP", 'EPP syntax checker: "{message}"'),
    )
)

# Met when the definitions of a file are registered. Puppet has no codes for them.
_REGISTRY = (
    IssueRow("CLASS_REDEFINED", "Class '{name}' is already defined{place}; cannot redefine"),
    IssueRow(
        "CLASS_REDEFINED_AS_DEFINITION",
        "'{name}' is already defined{place} as a class; cannot redefine as a definition",
    ),
    IssueRow(
        "CLASS_REDEFINED_AS_NODE",
        "Class '{name}' is already defined{place}; cannot be redefined as a node",
    ),
    IssueRow(
        "DEFINITION_REDEFINED_AS_CLASS",
        "Definition '{name}' is already defined{place}; cannot be redefined as a class",
    ),
    IssueRow("NODE_REDEFINED", "Node '{name}' is already defined{place}; cannot redefine"),
    IssueRow(
        "NODE_REDEFINED_AS_CLASS",
        "Node '{name}' is already defined{place}; cannot be redefined as a class",
    ),
    IssueRow(
        "ENTITY_REDEFINED",
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{kind}/{name}'. Originally "
        "set at {place}.",
    ),
)

ISSUES: dict[str, IssueRow] = {
    issue.code: issue
    for group in (_PARSING, _DEFINITIONS, _EXPRESSIONS, _RESOURCES, _EMBEDDED, _REGISTRY)
    for issue in group
}

# One code for two wordings, as in Puppet.
for _name in ("ILLEGAL_SINGLE_TYPE_MAPPING", "ILLEGAL_REGEXP_TYPE_MAPPING"):
    ISSUES[_name] = ISSUES[_name]._replace(code="ILLEGAL_TYPE_MAPPING")
