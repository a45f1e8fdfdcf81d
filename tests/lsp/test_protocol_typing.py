"""What an editor asks while somebody types: through the protocol, in one session."""

from pathlib import Path

import pytest

from analyzer.lsp.state.paths import uri_of
from tests.lsp.test_protocol import answers, message, talk

TEXT = "$x = split('a', )\nnotice($facts['os']['family'])\nfile { 'a': mo\n"


@pytest.mark.slow
def test_typing(tmp_path: Path) -> None:
    """The command chooses the facts that the second hover shows."""
    uri = uri_of(str(tmp_path / "site.pp"))
    document = {"textDocument": {"uri": uri}}

    def at(line: int, character: int) -> dict[str, object]:
        return {**document, "position": {"line": line, "character": character}}

    chosen = {"command": "catgraph.chooseWorld", "arguments": ["", "@rocky-9"]}
    item = {"uri": uri, "languageId": "puppet", "version": 1, "text": TEXT}
    start: dict[str, object] = {
        "processId": None,
        "rootUri": uri_of(str(tmp_path)),
        "capabilities": {},
    }
    ended = talk(
        message("initialize", start, 1),
        message("textDocument/didOpen", {"textDocument": item}),
        message("textDocument/completion", at(2, 14), 2),
        message("textDocument/signatureHelp", at(0, 16), 3),
        message("textDocument/semanticTokens/full", document, 4),
        message("textDocument/hover", at(1, 24), 5),
        message("workspace/executeCommand", chosen, 6),
        message("textDocument/hover", at(1, 24), 7),
        message("completionItem/resolve", {"label": "x", "data": "function split|"}, 8),
        message("shutdown", None, 9),
        message("exit", None),
    )
    found = answers(ended.stdout)
    able = found[1]["capabilities"]
    assert able["completionProvider"]["resolveProvider"]
    assert able["semanticTokensProvider"]["full"]
    assert able["semanticTokensProvider"]["range"]
    assert [one["label"] for one in found[2]["items"]] == ["mode"]
    assert found[3]["activeParameter"] == 1
    assert len(found[4]["data"]) % 5 == 0
    assert "windows-2022" in found[5]["contents"]["value"]
    assert found[7]["contents"]["value"].endswith("`RedHat`: @rocky-9")
    assert "Return the parts" in found[8]["documentation"]["value"]
