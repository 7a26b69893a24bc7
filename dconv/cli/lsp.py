"""`dconv lsp`: a language server, so that editors show findings while you type.

It speaks the Language Server Protocol 3.17 over the standard streams
(https://microsoft.github.io/language-server-protocol/).  The extra "lsp" has the library.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dconv import __version__
from dconv.build import collect
from dconv.cli import check, inputs
from dconv.cli.arguments import FAILURE, SUCCESS, Arguments, UsageError
from dconv.cli.console import Console
from dconv.cli.editor_index import EditorIndex, SourceLocation, editor_index
from dconv.cli.referenced_texts import with_referenced
from dconv.lint.formats.result import Result
from dconv.lint.grouping import group_findings
from dconv.model.diagnostics import Edit, Level, UserError
from dconv.model.values import dataclass
from dconv.settings.manual import load_product
from dconv.sources.types import FetchedDocument

try:
    from lsprotocol import types
    from pygls import uris
    from pygls.lsp.server import LanguageServer
    from pygls.workspace import TextDocument
except ImportError as error:
    raise UsageError(
        "lsp: this needs the library 'pygls': pip install 'dconv[lsp]', or '.[lsp]' in a checkout"
    ) from error

if TYPE_CHECKING:
    from pygls.server import ServerErrors

PAUSE = 0.4  # seconds without a change before a text is checked
SEVERITIES: Mapping[Level, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
MAX_COMPLETIONS = 200


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The findings in a text, and what an editor asks about it."""

    results: Sequence[Result]
    index: EditorIndex


@dataclass(slots=True)
class Session:
    """The texts that are open in an editor, by their URI, with the results of their checks.

    `change_counts` counts the changes of each; a check of an older state is not published.
    `is_shut_down` is true once the editor has asked the server to shut down.
    """

    options: Arguments
    server: LanguageServer
    console: Console
    checked: dict[str, CheckedText] = field(default_factory=dict)
    change_counts: dict[str, int] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_shut_down: bool = False

    async def check(self, uri: str, pause: float = 0.0) -> None:
        """Check the text `uri` after `pause` seconds without a change, and publish the findings."""
        change = self.change_counts[uri] = self.change_counts.get(uri, 0) + 1
        await asyncio.sleep(pause)
        async with self.lock:
            if self.change_counts.get(uri) != change:
                return
            document = self.server.workspace.get_text_document(uri)
            contents = {
                os.path.realpath(other.path): other.source.encode("utf-8", "surrogateescape")
                for other in self.server.workspace.text_documents.values()
            }
            loop = asyncio.get_running_loop()
            try:
                checked = await loop.run_in_executor(
                    None, _check, Path(document.path), contents, self.options, self.console
                )
            except UserError as error:
                self.server.window_log_message(
                    types.LogMessageParams(types.MessageType.Warning, str(error))
                )
                return
        if self.change_counts.get(uri) == change:
            self.checked[uri] = checked
            diagnostics = [self._diagnostic(document, result) for result in checked.results]
            self.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics, document.version)
            )

    def close(self, uri: str) -> None:
        """Forget the text `uri` and remove its findings."""
        self.change_counts.pop(uri, None)
        self.checked.pop(uri, None)
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def locations_at(
        self, params: types.DefinitionParams | types.HoverParams
    ) -> tuple[SourceLocation, ...]:
        """Where the name at a position leads."""
        checked = self.checked.get(params.text_document.uri)
        if checked is None:
            return ()
        document = self.server.workspace.get_text_document(params.text_document.uri)
        position = document.position_codec.position_from_client_units(
            document.lines, params.position
        )
        text = document.lines[position.line] if position.line < len(document.lines) else ""
        return checked.index.locations_at(position.line + 1, text, position.character)

    def completions(self, params: types.CompletionParams) -> types.CompletionList:
        """The names that fit what is before the cursor."""
        checked = self.checked.get(params.text_document.uri)
        document = self.server.workspace.get_text_document(params.text_document.uri)
        position = document.position_codec.position_from_client_units(
            document.lines, params.position
        )
        if checked is None or position.line >= len(document.lines):
            return types.CompletionList(False, [])
        before = document.lines[position.line][: position.character]
        start, names = checked.index.completions(before)
        replaced = _range(document, Edit(
            position.line + 1, len(before) - len(start) + 1, position.line + 1, len(before) + 1, ""
        ))
        items = [
            types.CompletionItem(
                name, detail=location.title.partition("\n")[0], documentation=location.text or None,
                kind=types.CompletionItemKind.Reference, text_edit=types.TextEdit(replaced, name),
                filter_text=name,
            )
            for name, location in list(names.items())[:MAX_COMPLETIONS]
        ]
        return types.CompletionList(len(names) > MAX_COMPLETIONS, items)

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The fixes of the findings in a range."""
        uri = params.text_document.uri
        checked = self.checked.get(uri)
        if checked is None:
            return []
        document = self.server.workspace.get_text_document(uri)
        actions: list[types.CodeAction] = []
        for result in checked.results:
            line = result.finding.line - 1
            if result.fix is None or not params.range.start.line <= line <= params.range.end.line:
                continue
            edits = [types.TextEdit(_range(document, edit), edit.text) for edit in result.fix.edits]
            actions.append(types.CodeAction(
                result.fix.description, types.CodeActionKind.QuickFix,
                [self._diagnostic(document, result)], edit=types.WorkspaceEdit({uri: edits}),
            ))
        return actions

    def _diagnostic(self, document: TextDocument, result: Result) -> types.Diagnostic:
        finding = result.finding
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(document.uri, _result_range(document, other)),
                other.finding.message,
            )
            for other in result.others
        ]
        return types.Diagnostic(
            _result_range(document, result), finding.message, SEVERITIES[finding.level],
            code=finding.rule, source="dconv", related_information=related or None,
        )


def _check(
    path: Path, contents: Mapping[str, bytes], options: Arguments, console: Console
) -> CheckedText:
    """Check the file `path`, which may not exist yet; open files have these `contents`, by path.

    Raises `UserError`.
    """
    content = contents[os.path.realpath(path)]
    document = FetchedDocument(name="", file=path.name, content=content, sha256="")
    text = collect.source_text(
        document, str(path), inputs.products(options), options.dialect,
        partial(load_product, with_vocabulary=False),  # that of the search
    )
    [release_texts] = collect.group_by_release([text], product_name="", release="")
    texts = with_referenced(release_texts, options.dialect)
    texts = replace(texts, referenced_texts=tuple(
        replace(other, content=contents.get(os.path.realpath(other.path), other.content))
        for other in texts.referenced_texts
    ))
    selection = check.select(texts, options)
    documents = check.read_documents(texts, console)
    checked = check.check_documents(documents, texts, selection, options, console)
    return CheckedText(group_findings(checked.results), editor_index(documents[0]))


def _result_range(document: TextDocument, result: Result) -> types.Range:
    line = max(1, result.finding.line)
    return _range(document, Edit(line, result.start, line, result.end, ""))


def _range(document: TextDocument, edit: Edit) -> types.Range:
    """The range that `edit` replaces, in the units of the client."""
    return document.position_codec.range_to_client_units(document.lines, types.Range(
        types.Position(edit.line - 1, edit.column - 1),
        types.Position(edit.end_line - 1, edit.end_column - 1),
    ))


def _location(location: SourceLocation) -> types.Location:
    start = types.Position(location.line - 1, 0)
    uri = uris.from_fs_path(os.path.abspath(location.path))
    assert uri is not None
    return types.Location(uri, types.Range(start, start))


def _hover_text(locations: Sequence[SourceLocation]) -> str:
    """Markdown: titles as code, and what the entries say."""
    return "\n\n---\n\n".join(
        f"```text\n{location.title}\n```" + (f"\n\n{location.text}" if location.text else "")
        for location in locations
    )


class Server(LanguageServer):
    """A server that prints what is wrong with a message in one line."""

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Print the `error`, and show it in the editor."""
        sentence = " ".join(str(error).split())
        print(f"dconv: a message of the editor cannot be read: {sentence}", file=sys.stderr)
        super().report_server_error(error, source)


def _session(options: Arguments, console: Console) -> Session:
    """A session with a server and its features; `console` prints to the standard error."""
    server = Server("dconv", __version__)
    session = Session(options, server, console)

    @server.feature(types.SHUTDOWN)
    def shut_down(_: None) -> None:
        session.is_shut_down = True

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await session.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        await session.check(params.text_document.uri, PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await session.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        session.close(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        return [_location(location) for location in session.locations_at(params)]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        locations = session.locations_at(params)
        if not locations:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, _hover_text(locations)))

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=['"', "`"])
    )
    def completion(params: types.CompletionParams) -> types.CompletionList:
        return session.completions(params)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return session.actions(params)

    return session


def run(options: Arguments, _: Console) -> int:
    """Serve an editor until it ends the session; the exit status is 1 without a `shutdown`.

    The console is not used: the standard output is the protocol's.  Raises `UsageError` and
    `SettingsError`.
    """
    inputs.products(options)  # refuses wrong settings before an editor waits
    logging.getLogger("pygls.server").disabled = True  # it prints tracebacks of wrong messages
    # the server closes the stream that it writes
    stdout = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    session = _session(options, Console(sys.stderr, sys.stderr, time.monotonic, quiet=True))
    session.server.start_io(stdout=stdout)
    return SUCCESS if session.is_shut_down else FAILURE
