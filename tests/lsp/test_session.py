"""One long session through the protocol: progress, options, files and folders that change."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from analyzer.lsp.state.paths import uri_of
from tests.lsp.test_protocol import CYCLE, SERVER, opened, until_found

CAPABILITIES = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(
        position_encodings=[types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16]
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
    workspace=types.WorkspaceClientCapabilities(
        configuration=True,
        workspace_folders=True,
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        ),
        code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
    ),
)


registered: list[str] = []
refreshed: list[str] = []


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=SERVER)
)
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """A server for one folder; catalogs are not compiled until the options say so."""
    first = tmp_path / "first"
    (first / "manifests").mkdir(parents=True)
    (first / "environment.conf").write_text("")
    (first / "manifests" / "site.pp").write_text("include 'éa', app\n")
    lsp_client.set_configuration({"catgraph": {"compile": False}})

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: types.RegistrationParams) -> None:
        registered.extend(one.method for one in params.registrations)

    @lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
    def refresh(params: None) -> None:
        refreshed.append(types.WORKSPACE_CODE_LENS_REFRESH)

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=CAPABILITIES,
            workspace_folders=[types.WorkspaceFolder(uri_of(str(first)), "first")],
        )
    )
    yield
    await lsp_client.shutdown_session()


async def definitions(client: LanguageClient, uri: str, character: int) -> list[str]:
    place = types.Position(0, character)
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), place)
    found = await client.text_document_definition_async(params)
    assert isinstance(found, list)
    return [str(getattr(one, "uri", "")).rpartition("/")[2] for one in found]


async def settled(client: LanguageClient, uri: str, character: int, wanted: list[str]) -> None:
    """The server looks at files in turns: ask until it has."""
    for _ in range(400):
        if await definitions(client, uri, character) == wanted:
            return
        await asyncio.sleep(0.02)
    assert await definitions(client, uri, character) == wanted


def changed(client: LanguageClient, file: Path, kind: types.FileChangeType) -> None:
    event = types.FileEvent(uri_of(str(file)), kind)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def until_refreshed() -> None:
    """Wait until the server has asked for new lenses."""
    while not refreshed:
        await asyncio.sleep(0.01)


@pytest.mark.asyncio
@pytest.mark.slow
async def test_a_long_session(client: LanguageClient, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    uri = opened(client, first / "manifests" / "site.pp")
    # `app` begins at byte 15: the accent is two bytes, as the encoding was negotiated.
    assert await definitions(client, uri, 15) == []

    file = first / "modules" / "app" / "manifests" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text(CYCLE)
    changed(client, file, types.FileChangeType.Created)
    await settled(client, uri, 15, ["init.pp"])
    file.rename(file.with_name("gone"))
    changed(client, file, types.FileChangeType.Deleted)
    await settled(client, uri, 15, [])

    there = second / "modules" / "app" / "manifests" / "init.pp"
    there.parent.mkdir(parents=True)
    there.write_text(CYCLE)
    folder = types.WorkspaceFolder(uri_of(str(second)), "second")
    event = types.WorkspaceFoldersChangeEvent(added=[folder], removed=[])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await settled(client, uri, 15, ["init.pp"])

    # A request that is cancelled, known or not, costs nothing else.
    client.cancel_request(types.CancelParams(id=12345))
    assert await definitions(client, uri, 15) == ["init.pp"]

    cycle = opened(client, there)
    await asyncio.sleep(0.8)
    assert not refreshed
    assert not [one for one in client.diagnostics.get(cycle, ()) if one.code == "CG301"]
    client.set_configuration({"catgraph": {"compile": True}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await asyncio.wait_for(until_found(client, cycle, "CG301"), 60)
    # The server asks for it after it has sent the diagnostics.
    await asyncio.wait_for(until_refreshed(), 60)
    assert registered == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    ended = [
        token
        for token, reports in client.progress_reports.items()
        if reports and isinstance(reports[-1], types.WorkDoneProgressEnd)
    ]
    assert any(str(token).startswith("catgraph/index/") for token in ended)
    assert any(str(token).startswith("catgraph/compile/") for token in client.progress_reports)
