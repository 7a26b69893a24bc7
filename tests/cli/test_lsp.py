"""`dconv lsp`, asked over the standard streams by a client of the Language Server Protocol."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from dconv.cli import main

SPEC = Path(__file__).parent.parent / "spec"
TEXT = """\
1. Directives
-------------

backlog <number>
  Sets the the number of calls. 😀 See "mode" and section 2.

  See also : "mdoe"

mode <name>
  Sets a name.

pool <number>
  Sets a pool.

2. Limits
---------

They are high.
"""
SECONDS = 30.0  # that an answer may take on a busy machine


class Editor:
    """A client with one open text."""

    def __init__(self, file: Path) -> None:
        self.client = LanguageClient("test", "1")
        self.uri = file.as_uri()
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    async def start(self, text: str) -> None:
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(publish)
        await self.client.start_io(
            sys.executable, "-m", "dconv", "lsp", "--manuals", str(SPEC), "--dialect", "relay"
        )
        result = await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities())
        )
        assert result.server_info is not None and result.server_info.name == "dconv"
        self.client.initialized(types.InitializedParams())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(self.uri, "plaintext", 1, text)
        ))

    async def findings(self) -> list[types.Diagnostic]:
        published = await asyncio.wait_for(self.published.get(), SECONDS)
        assert published.uri == self.uri
        return list(published.diagnostics)

    def change(self, version: int, edit: types.TextDocumentContentChangePartial) -> None:
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, self.uri), [edit]
        ))

    def at(self, line: int, column: int) -> tuple[types.TextDocumentIdentifier, types.Position]:
        """A position, counted from 0, in UTF-16."""
        return types.TextDocumentIdentifier(self.uri), types.Position(line, column)


def session(
    tmp_path: Path, talk: Callable[[Editor], Awaitable[None]], on_disk: str | None = "Another.\n"
) -> None:
    """Open a text, let `talk` use it, and end; its file has the text `on_disk`, or is not there."""
    file = tmp_path / "manual.txt"
    if on_disk is not None:
        file.write_text(on_disk)

    async def run() -> None:
        editor = Editor(file)
        try:
            await editor.start(TEXT)
            await talk(editor)
            await asyncio.wait_for(editor.client.shutdown_async(None), SECONDS)
            editor.client.exit(None)
            server = editor.client._server
            assert server is not None
            assert await asyncio.wait_for(server.wait(), SECONDS) == 0
        finally:
            await editor.client.stop()

    with ThreadPoolExecutor(1) as thread:  # tests with a browser leave a running loop in this one
        thread.submit(lambda: asyncio.run(run())).result()


def test_a_wrong_message_and_an_exit_without_shutdown_are_faults_of_the_editor() -> None:
    messages = ['{"jsonrpc": "2.0", "id": 1, "method"', '{"jsonrpc": "2.0", "method": "exit"}']
    written = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in messages)
    server = subprocess.run(
        [sys.executable, "-m", "dconv", "lsp"], input=written.encode(), capture_output=True,
        check=False, timeout=SECONDS,
    )
    assert server.returncode == 1
    [line] = server.stderr.decode().splitlines()
    assert line.startswith("dconv: a message of the editor cannot be read: ")


def test_findings_follow_what_is_typed(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        doubled, unknown = await editor.findings()
        assert (doubled.code, doubled.severity) == (
            "doubled-word", types.DiagnosticSeverity.Warning
        )
        assert doubled.range.start == types.Position(4, 11)
        assert (unknown.code, unknown.source) == ("see-also-item", "dconv")
        start = types.Position(6, 15)
        for version, letter in enumerate("ab", 2):  # only the last state is checked
            editor.change(version, types.TextDocumentContentChangePartial(
                types.Range(start, start), letter
            ))
        editor.change(4, types.TextDocumentContentChangePartial(
            types.Range(start, types.Position(6, 19)), "od"
        ))
        assert [finding.code for finding in await editor.findings()] == ["doubled-word"]
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(
            types.TextDocumentIdentifier(editor.uri)
        ))
        assert await editor.findings() == []

    session(tmp_path, talk)


@pytest.mark.parametrize("on_disk", [None, ""], ids=["no file", "empty"])
def test_a_new_file_is_checked_before_it_is_saved(tmp_path: Path, on_disk: str | None) -> None:
    async def talk(editor: Editor) -> None:
        findings = await editor.findings()
        assert [finding.code for finding in findings] == ["doubled-word", "see-also-item"]

    session(tmp_path, talk, on_disk)


def test_names_lead_to_entries_and_sections(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.findings()
        name = TEXT.splitlines()[4].index('"mode"') + 2  # the sign before takes two units
        for column, line in ((name, 8), (TEXT.splitlines()[4].index("2.") + 1, 14)):
            places = await editor.client.text_document_definition_async(
                types.DefinitionParams(*editor.at(4, column))
            )
            assert places == [types.Location(
                editor.uri, types.Range(types.Position(line, 0), types.Position(line, 0))
            )]
        hover = await editor.client.text_document_hover_async(
            types.HoverParams(*editor.at(4, name))
        )
        assert hover is not None and isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value == "```text\nmode <name>\n```\n\nSets a name."
        assert await editor.client.text_document_hover_async(
            types.HoverParams(*editor.at(4, 3))
        ) is None

    session(tmp_path, talk)


def test_names_are_completed(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.findings()
        for line, before, label in ((6, '  See also : "m', "mode"), (4, "section ", "2")):
            column = len(TEXT.splitlines()[line].partition(before)[0] + before)
            column += line == 4
            answer = await editor.client.text_document_completion_async(
                types.CompletionParams(*editor.at(line, column))
            )
            assert isinstance(answer, types.CompletionList)
            item = next(item for item in answer.items if item.label == label)
            assert isinstance(item.text_edit, types.TextEdit)
            assert item.text_edit.range.end == types.Position(line, column)
            assert item.text_edit.range.start.character == column - (line == 6)

    session(tmp_path, talk)


def test_fixes_are_offered(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        doubled, _ = await editor.findings()
        actions = await editor.client.text_document_code_action_async(types.CodeActionParams(
            types.TextDocumentIdentifier(editor.uri), doubled.range,
            types.CodeActionContext([doubled]),
        ))
        assert actions is not None and len(actions) == 1
        action = actions[0]
        assert isinstance(action, types.CodeAction) and action.edit is not None
        assert action.edit.changes is not None
        (edit,) = action.edit.changes[editor.uri]
        assert isinstance(edit, types.TextEdit)
        line = TEXT.splitlines()[edit.range.start.line]
        start, end = edit.range.start.character, edit.range.end.character
        assert (line[:start] + edit.new_text + line[end:]).startswith("  Sets the number of calls.")

    session(tmp_path, talk)


def test_wrong_settings_are_refused_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", "--dialect", "rely", "--manuals", str(SPEC)]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "relay" in err
