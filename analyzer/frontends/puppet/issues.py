"""The issues of the Puppet language (Puppet::Pops::Issues): code, wording and severity.

Wordings agree with Puppet's to the letter, so that a message can be looked up. They are templates
of `str.format`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Issue(NamedTuple):
    """A row of the table.

    `severity` is strict where Puppet's setting of that name decides. `demotable`: Puppet lets the
    issue be less than an error.
    """

    code: str
    message: str
    severity: Literal["error", "warning", "deprecation", "strict"] = "error"
    demotable: bool = False


# Met by the lexer.
_LEXER = (
    Issue("ILLEGAL_CLASS_REFERENCE", "Illegal class reference"),
    Issue("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", "Illegal fully qualified class reference"),
    Issue("ILLEGAL_FULLY_QUALIFIED_NAME", "Illegal fully qualified name"),
    Issue("ILLEGAL_NAME_OR_BARE_WORD", "Illegal name or bare word"),
    Issue("ILLEGAL_NUMBER", "Illegal number '{value}'"),
    Issue("INVALID_HEX_NUMBER", "Not a valid hex number {value}"),
    Issue("INVALID_OCTAL_NUMBER", "Not a valid octal number {value}"),
    Issue("INVALID_DECIMAL_NUMBER", "Not a valid decimal number {value}"),
    Issue("UNCLOSED_QUOTE", "Unclosed quote after {after} followed by '{followed_by}'"),
    Issue("UNCLOSED_MLCOMMENT", "Unclosed multiline comment"),
    Issue(
        "ILLEGAL_UNICODE_ESCAPE",
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {{}} "
        "or was > 10ffff",
        "warning",
        True,
    ),
    Issue("UNRECOGNIZED_ESCAPE", "Unrecognized escape sequence '\\{ch}'", "warning", True),
    Issue(
        "ILLEGAL_BOM",
        "Illegal {format_name} Byte Order mark at beginning of input: {bytes} - remove these from "
        "the puppet source",
    ),
    Issue("EPP_INTERNAL_ERROR", "Internal error: {error}"),
    Issue("EPP_UNBALANCED_TAG", "Unbalanced epp tag, reached <eof> without closing tag."),
    Issue("EPP_UNBALANCED_COMMENT", "Reaching end after opening <%# without seeing %>"),
    Issue(
        "EPP_UNBALANCED_EXPRESSION",
        "Unbalanced embedded expression - opening <% and reaching end of input",
    ),
    Issue(
        "HEREDOC_UNCLOSED_PARENTHESIS",
        "Unclosed parenthesis after '@(' followed by '{followed_by}'",
    ),
    Issue("HEREDOC_WITHOUT_END_TAGGED_LINE", "Heredoc without end-tagged line"),
    Issue(
        "HEREDOC_INVALID_ESCAPE",
        "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{actual}'",
    ),
    Issue(
        "HEREDOC_INVALID_SYNTAX", "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])"
    ),
    Issue("HEREDOC_WITHOUT_TEXT", "Heredoc without any following lines of text"),
    Issue("HEREDOC_EMPTY_ENDTAG", "Heredoc with an empty endtag"),
    Issue(
        "HEREDOC_MULTIPLE_AT_ESCAPES",
        "An escape char for @() may only appear once. Got '{escapes}'",
    ),
)

# Met by the parser. But for the first, Puppet has no codes for them.
_PARSER = (
    Issue("SYNTAX_ERROR", "Syntax error at {where}"),
    Issue("VIRTUAL_NOT_RESOURCE", "Virtual (@) can only be applied to a Resource Expression"),
    Issue("EXPORTED_NOT_RESOURCE", "Exported (@@) can only be applied to a Resource Expression"),
    Issue(
        "RESOURCE_BODY_WITHOUT_TITLE", "Syntax error resource body without title or hash with +>"
    ),
    Issue(
        "ILLEGAL_RESOURCE_SHAPE",
        "Expression is not valid as a resource, resource-default, or resource-override",
    ),
    Issue("CLASS_KEYWORD_NOT_ALLOWED", "'class' keyword not allowed at this location"),
    Issue("QUOTED_NAME_NOT_ALLOWED", "A quoted string is not valid as a name here"),
    Issue(
        "ARGUMENTS_WITHOUT_PARENTHESES",
        "attempt to pass argument list to the function '{name}' which cannot be called without "
        "parentheses",
    ),
    Issue("ILLEGAL_ARGUMENT_LIST", "illegal comma separated argument list"),
)

_DEFINITIONS = (
    Issue(
        "NOT_TOP_LEVEL",
        "Classes, definitions, and nodes may only appear at toplevel or inside other classes",
    ),
    Issue("NOT_ABSOLUTE_TOP_LEVEL", "{an_expression} may only appear at toplevel"),
    Issue(
        "ILLEGAL_DEFINITION_NAME",
        "Unacceptable name. The name '{name}' is unacceptable as the name of {an_expression}",
    ),
    Issue(
        "ILLEGAL_DEFINITION_LOCATION",
        "Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
        demotable=True,
    ),
    Issue(
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        "{subject} is unacceptable as a top level construct in this location",
        demotable=True,
    ),
    Issue(
        "RESERVED_TYPE_NAME",
        "The name: '{name}' is already defined by Puppet and can not be used as the name of "
        "{an_expression}.",
    ),
    Issue(
        "FUTURE_RESERVED_WORD", "Use of future reserved word: '{word}'", "deprecation", True
    ),
    Issue(
        "RESERVED_WORD",
        "Use of reserved word: {word}, must be quoted if intended to be a String value",
    ),
    Issue(
        "UNSUPPORTED_EXPRESSION",
        "Expressions of type {an_expression} are not supported in this version of Puppet",
        demotable=True,
    ),
    Issue(
        "ILLEGAL_SINGLE_TYPE_MAPPING",
        "Illegal type mapping. Expected a Type on the left side, got {an_expression}",
    ),
    Issue(
        "ILLEGAL_REGEXP_TYPE_MAPPING",
        "Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, "
        "got {an_expression}",
    ),
    Issue(
        "DUPLICATE_PARAMETER",
        "The parameter '{param}' is declared more than once in the parameter list",
    ),
    Issue(
        "RESERVED_PARAMETER",
        "The parameter ${param} redefines a built in parameter in the {container}",
    ),
    Issue(
        "CAPTURES_REST_NOT_LAST", "Parameter ${param} is not last, and has 'captures rest'"
    ),
    Issue(
        "CAPTURES_REST_NOT_SUPPORTED",
        "Parameter ${param} has 'captures rest' - not supported in {container}",
    ),
    Issue(
        "ILLEGAL_NUMERIC_PARAMETER",
        "The numeric parameter name '${name}' cannot be used (clashes with numeric match result "
        "variables)",
        demotable=True,
    ),
    Issue(
        "ILLEGAL_PARAM_NAME",
        "Illegal parameter name. The given name '{name}' does not conform to the naming rule "
        "/^[a-z_]\\w*$/",
    ),
    Issue(
        "ILLEGAL_HOSTNAME_CHARS",
        "The hostname '{hostname}' contains illegal characters (only letters, digits, '_', '-', "
        "and '.' are allowed)",
    ),
    Issue(
        "ILLEGAL_HOSTNAME_INTERPOLATION",
        "An interpolated expression is not allowed in a hostname of a node",
    ),
    Issue(
        "ILLEGAL_NODE_INHERITANCE",
        "Node inheritance is not supported in Puppet >= 4.0.0. See "
        "http://links.puppet.com/puppet-node-inheritance-deprecation",
        demotable=True,
    ),
    Issue(
        "ILLEGAL_EPP_PARAMETERS",
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove "
        "leading whitespace",
        demotable=True,
    ),
)

_EXPRESSIONS = (
    Issue(
        "CROSS_SCOPE_ASSIGNMENT",
        "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces",
    ),
    Issue(
        "ILLEGAL_ASSIGNMENT",
        "Illegal attempt to assign to '{an_expression}'. Not an assignable reference",
    ),
    Issue(
        "ILLEGAL_NUMERIC_ASSIGNMENT",
        "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric "
        "variables are not assignable",
        demotable=True,
    ),
    Issue("ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment not allowed here"),
    Issue(
        "ILLEGAL_INDEXED_ASSIGNMENT",
        "Illegal attempt to assign via [index/key]. Not an assignable reference",
        demotable=True,
    ),
    Issue(
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        "The operator '{operator}' is no longer supported. See "
        "http://links.puppet.com/remove-plus-equals",
    ),
    Issue(
        "NOT_RVALUE",
        "Invalid use of expression. {an_expression} does not produce a value",
        demotable=True,
    ),
    Issue(
        "ILLEGAL_EXPRESSION",
        "Illegal expression. {an_expression} is unacceptable as {feature} in {container}",
    ),
    Issue(
        "ILLEGAL_VAR_NAME",
        "Illegal variable name, The given name '{name}' does not conform to the naming rule "
        "/^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/",
    ),
    Issue(
        "ILLEGAL_NUMERIC_VAR_NAME",
        "Illegal numeric variable name, The given name '{name}' must be a decimal value if it "
        "starts with a digit 0-9",
    ),
    Issue(
        "ILLEGAL_CLASSREF",
        "Illegal type reference. The given name '{name}' does not conform to the naming rule",
    ),
    Issue(
        "ILLEGAL_QUERY_EXPRESSION",
        "Illegal query expression. {an_expression} cannot be used in a query",
    ),
    Issue(
        "NUMERIC_OVERFLOW",
        "{an_expression} resulted in a value outside of Puppet Integer max range, got '{value}'",
    ),
    Issue("DUPLICATE_KEY", "The key '{key}' is declared more than once", "strict", True),
    Issue(
        "DUPLICATE_DEFAULT",
        "This {container} already has a 'default' entry - this is a duplicate",
    ),
    Issue(
        "IDEM_EXPRESSION_NOT_LAST",
        "This {expression} has no effect. A value was produced and then forgotten (one or more "
        "preceding expressions may have the wrong form)",
        demotable=True,
    ),
    Issue(
        "IDEM_NOT_ALLOWED_LAST",
        "This {expression} has no effect. {container} can not end with a value-producing "
        "expression without other effect",
    ),
)

_RESOURCES = (
    Issue(
        "RESOURCE_WITHOUT_TITLE",
        "This expression is invalid. Did you try declaring a '{name}' resource without a title?",
        demotable=True,
    ),
    Issue("NOT_VIRTUALIZEABLE", "Resource Defaults are not virtualizable"),
    Issue("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable", demotable=True),
    Issue(
        "MULTIPLE_ATTRIBUTES_UNFOLD",
        "Unfolding of attributes from Hash can only be used once per resource body",
    ),
    Issue(
        "ILLEGAL_ATTRIBUTE_APPEND",
        "Illegal +> operation on attribute {name}. This operator can not be used in {container}",
    ),
)

# Text of heredocs in another language.
_EMBEDDED = tuple(
    Issue(code, f"Invalid produced text having syntax: '{{syntax}}'. {wording}", demotable=True)
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
    Issue("CLASS_REDEFINED", "Class '{name}' is already defined{place}; cannot redefine"),
    Issue(
        "CLASS_REDEFINED_AS_DEFINITION",
        "'{name}' is already defined{place} as a class; cannot redefine as a definition",
    ),
    Issue(
        "CLASS_REDEFINED_AS_NODE",
        "Class '{name}' is already defined{place}; cannot be redefined as a node",
    ),
    Issue(
        "DEFINITION_REDEFINED_AS_CLASS",
        "Definition '{name}' is already defined{place}; cannot be redefined as a class",
    ),
    Issue("NODE_REDEFINED", "Node '{name}' is already defined{place}; cannot redefine"),
    Issue(
        "NODE_REDEFINED_AS_CLASS",
        "Node '{name}' is already defined{place}; cannot be redefined as a class",
    ),
    Issue(
        "ENTITY_REDEFINED",
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{kind}/{name}'. Originally "
        "set at {place}.",
    ),
)

ISSUES: dict[str, Issue] = {
    issue.code: issue
    for group in (_LEXER, _PARSER, _DEFINITIONS, _EXPRESSIONS, _RESOURCES, _EMBEDDED, _REGISTRY)
    for issue in group
}

# One code for two wordings, as in Puppet.
for _name in ("ILLEGAL_SINGLE_TYPE_MAPPING", "ILLEGAL_REGEXP_TYPE_MAPPING"):
    ISSUES[_name] = ISSUES[_name]._replace(code="ILLEGAL_TYPE_MAPPING")
