"""Errors of lexing and parsing, in Puppet's words (Puppet::Pops::Issues).

The last ones have no code in Puppet: they are raised by the grammar.
"""

from __future__ import annotations

PARSE_ISSUES: dict[str, str] = {
    "SYNTAX_ERROR": "Syntax error at {where}",
    "ILLEGAL_BOM": (
        "Illegal {format_name} Byte Order mark at beginning of input: {bytes} - "
        "remove these from the puppet source"
    ),
    "ILLEGAL_CLASS_REFERENCE": "Illegal class reference",
    "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE": "Illegal fully qualified class reference",
    "ILLEGAL_FULLY_QUALIFIED_NAME": "Illegal fully qualified name",
    "ILLEGAL_NUMBER": "Illegal number '{value}'",
    "INVALID_HEX_NUMBER": "Not a valid hex number {value}",
    "INVALID_OCTAL_NUMBER": "Not a valid octal number {value}",
    "INVALID_DECIMAL_NUMBER": "Not a valid decimal number {value}",
    "ILLEGAL_UNICODE_ESCAPE": (
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {{}} "
        "or was > 10ffff"
    ),
    "UNRECOGNIZED_ESCAPE": "Unrecognized escape sequence '\\{ch}'",
    "NUMBER_OUT_OF_RANGE": (
        "Internal Error, NUMBER token does not contain a valid number, {value}"
    ),
    "UNCLOSED_QUOTE": "Unclosed quote after {after} followed by '{followed_by}'",
    # Ours: Puppet ends with "stack level too deep".
    "NESTED_TOO_DEEPLY": "strings are nested too deeply",
    "UNCLOSED_MLCOMMENT": "Unclosed multiline comment",
    "EPP_UNBALANCED_TAG": "Unbalanced epp tag, reached <eof> without closing tag.",
    "EPP_UNBALANCED_COMMENT": "Reaching end after opening <%# without seeing %>",
    "EPP_UNBALANCED_EXPRESSION": (
        "Unbalanced embedded expression - opening <% and reaching end of input"
    ),
    "HEREDOC_UNCLOSED_PARENTHESIS": ("Unclosed parenthesis after '@(' followed by '{followed_by}'"),
    "HEREDOC_WITHOUT_END_TAGGED_LINE": "Heredoc without end-tagged line",
    "HEREDOC_INVALID_ESCAPE": (
        "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{actual}'"
    ),
    "HEREDOC_INVALID_SYNTAX": ("Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])"),
    "HEREDOC_WITHOUT_TEXT": "Heredoc without any following lines of text",
    "HEREDOC_EMPTY_ENDTAG": "Heredoc with an empty endtag",
    "HEREDOC_MULTIPLE_AT_ESCAPES": ("An escape char for @() may only appear once. Got '{escapes}'"),
    "NOT_VIRTUALIZABLE": "Virtual (@) can only be applied to a Resource Expression",
    "NOT_EXPORTABLE": "Exported (@@) can only be applied to a Resource Expression",
    "UNTITLED_RESOURCE": "Syntax error resource body without title or hash with +>",
    "NOT_A_RESOURCE": (
        "Expression is not valid as a resource, resource-default, or resource-override"
    ),
    "ILLEGAL_REGEXP": "{problem}: /{pattern}/",
    "KEYWORD_AS_NAME": "'class' keyword not allowed at this location",
    "STRING_AS_NAME": "A quoted string is not valid as a name here",
    "ARGUMENTS_WITHOUT_PARENTHESES": (
        "attempt to pass argument list to the function '{name}' which cannot be called "
        "without parentheses"
    ),
    "ILLEGAL_COMMA_LIST": "illegal comma separated argument list",
}
