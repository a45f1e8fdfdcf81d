"""The tree of a Puppet program, as Puppet's own model names it (Puppet::Pops::Model).

Each node begins with its place: `offset` counts characters from the start of the text, `length` is
what Puppet marks of it: the operator of an operation, the whole of most others. (Tuples with names:
a program has hundreds of thousands of nodes, and these are built fastest.)
"""

from __future__ import annotations

from typing import Protocol

from analyzer.frontends.puppet.syntax.ast.calls import (
    CallMethodExpression,
    CallNamedFunctionExpression,
    LambdaExpression,
    Parameter,
)
from analyzer.frontends.puppet.syntax.ast.control import (
    BlockExpression,
    CaseExpression,
    CaseOption,
    IfExpression,
    SelectorEntry,
    SelectorExpression,
    UnlessExpression,
)
from analyzer.frontends.puppet.syntax.ast.definitions import (
    ApplyBlockExpression,
    ApplyExpression,
    FunctionDefinition,
    HostClassDefinition,
    NodeDefinition,
    PlanDefinition,
    Program,
    ResourceTypeDefinition,
    TypeAlias,
    TypeDefinition,
    TypeMapping,
)
from analyzer.frontends.puppet.syntax.ast.literals import (
    ConcatenatedString,
    HeredocExpression,
    KeyedEntry,
    LiteralBoolean,
    LiteralDefault,
    LiteralFloat,
    LiteralHash,
    LiteralInteger,
    LiteralList,
    LiteralRegularExpression,
    LiteralString,
    LiteralUndef,
    Nop,
    QualifiedName,
    QualifiedReference,
    ReservedWord,
    TextExpression,
    VariableExpression,
)
from analyzer.frontends.puppet.syntax.ast.operators import (
    AccessExpression,
    AndExpression,
    ArithmeticExpression,
    AssignmentExpression,
    ComparisonExpression,
    InExpression,
    MatchExpression,
    NamedAccessExpression,
    NotExpression,
    OrExpression,
    ParenthesizedExpression,
    RelationshipExpression,
    UnaryMinusExpression,
    UnfoldExpression,
)
from analyzer.frontends.puppet.syntax.ast.resources import (
    AttributeOperation,
    AttributesOperation,
    CollectExpression,
    ExportedQuery,
    ResourceBody,
    ResourceDefaultsExpression,
    ResourceExpression,
    ResourceOverrideExpression,
    VirtualQuery,
)
from analyzer.frontends.puppet.syntax.ast.templates import (
    EppExpression,
    RenderExpression,
    RenderStringExpression,
)

Operation = AttributeOperation | AttributesOperation


class Node(Protocol):
    """Any node: what all of them have. (A union of all, each of tuples of all, is past mypy.)"""

    @property
    def offset(self) -> int:
        """Return the offset of the node in the text, in characters."""
        ...

    @property
    def length(self) -> int:
        """Return the number of characters that are marked as the node."""
        ...


__all__ = [
    "AccessExpression",
    "AndExpression",
    "ApplyBlockExpression",
    "ApplyExpression",
    "ArithmeticExpression",
    "AssignmentExpression",
    "AttributeOperation",
    "AttributesOperation",
    "BlockExpression",
    "CallMethodExpression",
    "CallNamedFunctionExpression",
    "CaseExpression",
    "CaseOption",
    "CollectExpression",
    "ComparisonExpression",
    "ConcatenatedString",
    "EppExpression",
    "ExportedQuery",
    "FunctionDefinition",
    "HeredocExpression",
    "HostClassDefinition",
    "IfExpression",
    "InExpression",
    "KeyedEntry",
    "LambdaExpression",
    "LiteralBoolean",
    "LiteralDefault",
    "LiteralFloat",
    "LiteralHash",
    "LiteralInteger",
    "LiteralList",
    "LiteralRegularExpression",
    "LiteralString",
    "LiteralUndef",
    "MatchExpression",
    "NamedAccessExpression",
    "Node",
    "NodeDefinition",
    "Nop",
    "NotExpression",
    "Operation",
    "OrExpression",
    "Parameter",
    "ParenthesizedExpression",
    "PlanDefinition",
    "Program",
    "QualifiedName",
    "QualifiedReference",
    "RelationshipExpression",
    "RenderExpression",
    "RenderStringExpression",
    "ReservedWord",
    "ResourceBody",
    "ResourceDefaultsExpression",
    "ResourceExpression",
    "ResourceOverrideExpression",
    "ResourceTypeDefinition",
    "SelectorEntry",
    "SelectorExpression",
    "TextExpression",
    "TypeAlias",
    "TypeDefinition",
    "TypeMapping",
    "UnaryMinusExpression",
    "UnfoldExpression",
    "UnlessExpression",
    "VariableExpression",
    "VirtualQuery",
]
