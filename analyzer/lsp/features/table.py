"""The table of features: the methods of the protocol, and the functions that answer them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, cast

from lsprotocol import types

from analyzer.lsp.features.legend import LEGEND
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

FEATURES = "analyzer.lsp.features"

Answer = Callable[[Snapshot, EditorRequest], Any]


class Feature(NamedTuple):
    """A row: the method, the module below `features`, its function, and its options.

    `options` are lsprotocol's for the method: the characters that trigger a completion, the
    legend of semantic tokens. A `slow` feature may read many files, so it runs on a thread and can
    be cancelled.
    """

    method: str
    module: str
    options: Any = None
    function: str = "answer"
    slow: bool = False

    @property
    def answer(self) -> Answer:
        """Return the function, imported when it is first called."""
        found: Answer = getattr(import_module(f"{FEATURES}.{self.module}"), self.function)
        return found


class CommandOptions(NamedTuple):
    """Options that a command sets, in addition to those that the client configures."""

    options: dict[str, Any]


class Command(NamedTuple):
    """A row: the name of a command, the module below `features` and its function.

    The function takes the snapshot and the list of the command's arguments, and returns the answer.
    A `WorkspaceEdit` is applied, `ShowDocumentParams` open a document, and `CommandOptions` take
    effect at once.
    """

    name: str
    module: str
    function: str = "command"

    @property
    def answer(self) -> Callable[[Snapshot, list[Any]], Any]:
        """Return the function, imported when it is first called."""
        found = getattr(import_module(f"{FEATURES}.{self.module}"), self.function)
        return cast("Callable[[Snapshot, list[Any]], Any]", found)


# In the order of the methods' names.
TABLE: tuple[Feature, ...] = (
    Feature(types.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy", function="incoming"),
    Feature(types.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy", function="outgoing"),
    Feature(types.COMPLETION_ITEM_RESOLVE, "completion", function="resolve"),
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        "code_actions",
        options=types.CodeActionOptions(
            code_action_kinds=[
                types.CodeActionKind.QuickFix,
                types.CodeActionKind.RefactorRewrite,
                "source.fixAll.catgraph",
            ]
        ),
        slow=True,
    ),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, "code_lens"),
    Feature(
        types.TEXT_DOCUMENT_COMPLETION,
        "completion",
        types.CompletionOptions(["$", ":", "[", "'", "."], resolve_provider=True),
    ),
    Feature(types.TEXT_DOCUMENT_DEFINITION, "definition"),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "highlights"),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, "links"),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbols"),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, "folding"),
    Feature(types.TEXT_DOCUMENT_HOVER, "hover"),
    Feature(types.TEXT_DOCUMENT_IMPLEMENTATION, "implementation", slow=True),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hints"),
    Feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "call_hierarchy"),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, "rename", function="prepare"),
    Feature(types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY, "type_hierarchy"),
    Feature(types.TEXT_DOCUMENT_REFERENCES, "references", slow=True),
    Feature(
        types.TEXT_DOCUMENT_RENAME,
        "rename",
        options=types.RenameOptions(prepare_provider=True),
        slow=True,
    ),
    Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, "selection"),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "semantic_tokens", LEGEND),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens", LEGEND),
    Feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        "signature_help",
        types.SignatureHelpOptions(trigger_characters=["(", ","]),
    ),
    Feature(types.TEXT_DOCUMENT_TYPE_DEFINITION, "value_source"),
    Feature(types.TYPE_HIERARCHY_SUBTYPES, "type_hierarchy", function="subtypes", slow=True),
    Feature(types.TYPE_HIERARCHY_SUPERTYPES, "type_hierarchy", function="supertypes"),
    Feature(types.WORKSPACE_SYMBOL, "workspace_symbols", slow=True),
)

# The commands of code lenses and code actions, in the order of their names.
COMMANDS: tuple[Command, ...] = (Command("catgraph.chooseWorld", "inlay_hints"),)
