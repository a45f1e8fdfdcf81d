"""The names of nodes in messages (Puppet::Pops::Model::ModelLabelProvider)."""

from __future__ import annotations

from analyzer.frontends.puppet.syntax import ast

_LABELS: dict[type, str] = {
    ast.LiteralInteger: "Literal Integer",
    ast.LiteralFloat: "Literal Float",
    ast.AccessExpression: "'[]' expression",
    ast.EppExpression: "Epp Template",
    ast.ExportedQuery: "Exported Query",
    ast.VirtualQuery: "Virtual Query",
    ast.AndExpression: "'and' expression",
    ast.OrExpression: "'or' expression",
    ast.InExpression: "'in' expression",
    ast.LiteralList: "Array Expression",
    ast.LiteralHash: "Hash Expression",
    ast.KeyedEntry: "Hash Entry",
    ast.LiteralBoolean: "Boolean",
    ast.LiteralString: "String",
    ast.LambdaExpression: "Lambda",
    ast.LiteralDefault: "'default' expression",
    ast.LiteralUndef: "'undef' expression",
    ast.LiteralRegularExpression: "Regular Expression",
    ast.Nop: "Nop Expression",
    ast.NamedAccessExpression: "'.' expression",
    ast.NotExpression: "'not' expression",
    ast.VariableExpression: "Variable",
    ast.TextExpression: "Expression in Interpolated String",
    ast.UnaryMinusExpression: "Unary Minus",
    ast.UnfoldExpression: "Unfold",
    ast.BlockExpression: "Block Expression",
    ast.ApplyBlockExpression: "Apply Block Expression",
    ast.ConcatenatedString: "Double Quoted String",
    ast.HostClassDefinition: "Host Class Definition",
    ast.FunctionDefinition: "Function Definition",
    ast.PlanDefinition: "Plan Definition",
    ast.NodeDefinition: "Node Definition",
    ast.ResourceTypeDefinition: "'define' expression",
    ast.ResourceOverrideExpression: "Resource Override",
    ast.Parameter: "Parameter Definition",
    ast.ParenthesizedExpression: "Parenthesized Expression",
    ast.IfExpression: "'if' statement",
    ast.UnlessExpression: "'unless' Statement",
    ast.CallNamedFunctionExpression: "Function Call",
    ast.CallMethodExpression: "Method call",
    ast.ApplyExpression: "'apply' expression",
    ast.CaseExpression: "'case' statement",
    ast.CaseOption: "Case Option",
    ast.RenderStringExpression: "Epp Text",
    ast.RenderExpression: "Epp Interpolated Expression",
    ast.ResourceBody: "Resource Instance Definition",
    ast.ResourceDefaultsExpression: "Resource Defaults Expression",
    ast.ResourceExpression: "Resource Statement",
    ast.SelectorExpression: "Selector Expression",
    ast.SelectorEntry: "Selector Option",
    ast.QualifiedName: "Name",
    ast.QualifiedReference: "Type-Name",
    ast.TypeAlias: "Type Alias",
    ast.TypeMapping: "Type Mapping",
    ast.TypeDefinition: "Type Definition",
}

_OPERATIONS = (
    ast.ArithmeticExpression,
    ast.MatchExpression,
    ast.ComparisonExpression,
    ast.AssignmentExpression,
    ast.AttributeOperation,
    ast.RelationshipExpression,
)


def label(node: object) -> str:
    """Return the name of a node's kind, without an article."""
    known = _LABELS.get(type(node))
    if known is not None:
        return known
    if isinstance(node, ast.CollectExpression):
        return label(node.query)
    if isinstance(node, ast.HeredocExpression):
        return f"'@({node.syntax})' expression"
    if isinstance(node, ast.ReservedWord):
        return f"Reserved Word '{node.word}'"
    if isinstance(node, _OPERATIONS):
        return f"'{node.operator}' expression"
    return "Object"


def a_label(node: object) -> str:
    """Return the label with the article that Puppet finds for its first letter."""
    text = label(node)
    return f"{_article(text)} {text}"


def a_label_capitalized(node: object) -> str:
    """Return the label with its article, as the beginning of a sentence."""
    text = label(node)
    return f"{_article(text).capitalize()} {text}"


def _article(text: str) -> str:
    first = text[1] if text[0] in "'\"" else text[0]
    return "an" if first in "aeiouyAEIOUY" else "a"
