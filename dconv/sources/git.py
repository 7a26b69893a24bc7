"""Texts of a tag or branch of a git repository.

Plumbing commands (`ls-tree`, `cat-file`) read the objects: no checkout, no filter, no hook, no
configuration of the user or the system.
"""

from __future__ import annotations

import posixpath
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dconv.model.values import dataclass
from dconv.settings.shared_keys import is_remote
from dconv.settings.types import DocumentSetting, GitSource
from dconv.sources.addresses import without_password
from dconv.sources.files import check_size, documents_of_files, is_text_file, utc_date
from dconv.sources.programs import ProgramResult, run
from dconv.sources.types import FetchedTexts, File, MissingError, SourceError

# "v3.4.0", "origin/main": not an operator or an option of git
REVISION = re.compile(r"[A-Za-z0-9_][\w./+~-]*")

# "https://git.example.org/it.git" | "user@git.example.org:it.git"
REMOTE = re.compile(
    r"(?: https? | ssh | git ) :// [^\s-]\S* | \w[\w.-]* @ \w[\w.-]* : [^\s-]\S*", re.VERBOSE
)

# "100644 blob 3f2a9c1b…    1234\tmanual.txt" (links: 120000; a damaged file: size "BAD")
TREE_LINE = re.compile(r"100(?:644|755|664) blob ([0-9a-f]+) +(\d+|BAD)\t([^/]+)")

# the same without a size, which is unknown of what was not fetched yet
TREE_ENTRY = re.compile(r"100(?:644|755|664) blob ([0-9a-f]+)\t(.+)", re.DOTALL)

# "committer A. Writer <writer@example.org> 1717400000 +0200"
COMMITTER = re.compile(rb"^committer [^\n]* (\d{1,15}) [+-]\d{4}$", re.MULTILINE)

# "v3.4.0", "3.4": a tag that is a version
VERSION_TAG = re.compile(r"v?(\d+(?:\.\d+)+)")

# "fatal: couldn't find remote ref v9"
GIT_ERROR = re.compile(r"^(?:fatal|error): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on this disk: its folder, and its name for messages."""

    folder: Path
    name: str


def read_git(source: GitSource, documents: tuple[DocumentSetting, ...]) -> FetchedTexts:
    """The texts in the folder of `source` at its revision.

    Raises `SourceError` if git cannot read or fetch them in time.
    """
    if not REVISION.fullmatch(source.revision) or ".." in source.revision:
        raise SourceError(
            f"'{source.revision}' is not the name of a git tag or branch; write one, such as 'main'"
        )
    if not is_remote(source.repository):
        if not Path(source.repository).is_dir():
            raise SourceError(f"{source.repository}: no such folder")
        repository = Repository(Path(source.repository), source.repository)
        return _read(repository, source, documents, *_resolve(repository, source.revision))
    if not REMOTE.fullmatch(source.repository):
        raise SourceError(
            f"{without_password(source.repository)}: not an address to fetch from; "
            "write one of https, ssh, git or http"
        )
    with tempfile.TemporaryDirectory(prefix="dconv-git-") as folder:
        repository = Repository(Path(folder), without_password(source.repository))
        commit, kind = _fetch_commit(repository, source)
        fetched = _read(repository, source, documents, commit, kind)
    if not repository.name.startswith(("http://", "https://")):
        return fetched
    texts = tuple([replace(text, url=repository.name) for text in fetched.documents])
    return replace(fetched, documents=texts)


def _resolve(repository: Repository, revision: str) -> tuple[str, str]:
    """The commit that `revision` names in a local repository, and "tag", "branch" or "commit"."""
    parsed = run_git(repository, "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}")
    if parsed.status:
        reason = error_message(parsed) or f"there is no tag or branch '{revision}'"
        raise SourceError(f"{repository.name}: {reason}")
    commit = parsed.output.decode().strip()
    for kind, prefix in (("tag", "refs/tags/"), ("branch", "refs/heads/")):
        if not run_git(repository, "show-ref", "--quiet", "--verify", prefix + revision).status:
            return commit, kind
    return commit, "commit"


def _fetch_commit(repository: Repository, source: GitSource) -> tuple[str, str]:
    """Fetch one commit; returns its name, and "tag", "branch" or "commit"."""
    run_git_checked(repository, "init", "--quiet", "--bare", "--template=", ".")
    options = ["--depth=1", *(["--filter=blob:none"] if source.files else [])]
    _fetch(repository, source, options, [source.revision])
    text = (repository.folder / "FETCH_HEAD").read_text(encoding="utf-8", errors="replace")
    commit, _, description = text.partition("\t")
    kind = description.strip().partition(" ")[0]
    return commit, kind if kind in ("tag", "branch") else "commit"


def _fetch(
    repository: Repository, source: GitSource, options: Sequence[str], names: Sequence[str]
) -> None:
    """Fetch the revisions or objects `names`.  Raises `SourceError`."""
    result = run_git(
        repository, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
        "--no-auto-maintenance", *options, "--", source.repository, *names,
    )  # fmt: skip
    if result.status:
        raise SourceError(f"{repository.name}: {_fetch_problem(result, source)}")


def _read(
    repository: Repository, source: GitSource, documents: tuple[DocumentSetting, ...],
    commit: str, kind: str,
) -> FetchedTexts:  # fmt: skip
    files = (
        _single_files(repository, source, commit) if source.files
        else _folder_files(repository, source, documents, commit)
    )
    revision = f"{kind} {source.revision}" + (f" ({commit[:12]})" if kind == "branch" else "")
    name = f"{repository.name}, {source.revision}"
    texts, notes, unreadable = documents_of_files(files, documents, name)
    version = match[1] if (match := VERSION_TAG.fullmatch(source.revision)) else ""
    return FetchedTexts(
        texts, f"git {revision} of {repository.name}", _date(repository, commit), version=version,
        full_version=version, notes=notes, unreadable=unreadable,
    )


def _folder_files(
    repository: Repository, source: GitSource, documents: tuple[DocumentSetting, ...], commit: str
) -> list[File]:
    """The texts in the folder of `source`."""
    folder = posixpath.normpath(source.folder or ".").strip("/")
    tree = f"{commit}:{'' if folder == '.' else folder}"
    listed = run_git(repository, "ls-tree", "-l", "-z", tree)
    if listed.status:
        raise SourceError(f"{repository.name}: {source.revision} has no folder '{source.folder}'")
    blobs: dict[str, str] = {}
    for line in listed.output.decode("utf-8", "replace").split("\0"):
        entry = TREE_LINE.fullmatch(line)
        if entry and is_text_file(entry[3], documents):
            check_size(0 if entry[2] == "BAD" else int(entry[2]), f"{repository.name}: {entry[3]}")
            blobs[entry[3]] = entry[1]
    return [
        File(name, run_git_checked(repository, "cat-file", "blob", blob).output)
        for name, blob in blobs.items()
    ]


def _single_files(repository: Repository, source: GitSource, commit: str) -> list[File]:
    """The files that `source` lists; of a remote repository, only they are fetched."""
    listed = run_git_checked(repository, "ls-tree", "-z", commit, "--", *source.files)
    entries = map(TREE_ENTRY.fullmatch, listed.output.decode("utf-8", "replace").split("\0"))
    blobs = {entry[2]: entry[1] for entry in entries if entry}
    missing = [file for file in source.files if file not in blobs]
    if missing:
        raise MissingError(f"{repository.name}: {source.revision} has no {', '.join(missing)}")
    to_fetch = [
        blob for blob in blobs.values() if run_git(repository, "cat-file", "-e", blob).status
    ]
    if to_fetch and is_remote(source.repository):
        _fetch(repository, source, ["--no-write-fetch-head", "--filter=blob:none"], to_fetch)
    files: list[File] = []
    for path, blob in blobs.items():
        size = int(run_git_checked(repository, "cat-file", "-s", blob).output)
        check_size(size, f"{repository.name}: {path}")
        content = run_git_checked(repository, "cat-file", "blob", blob).output
        files.append(File(path, content))
    return files


def _date(repository: Repository, commit: str) -> str:
    committer = COMMITTER.search(run_git_checked(repository, "cat-file", "commit", commit).output)
    return utc_date(int(committer[1])) if committer else ""


def run_git_checked(repository: Repository, *arguments: str) -> ProgramResult:
    """Run git like `run_git`; raises `SourceError` if it fails."""
    result = run_git(repository, *arguments)
    if result.status:
        reason = error_message(result)
        raise SourceError(f"{repository.name}: git {arguments[0]} fails ({reason})")
    return result


def run_git(repository: Repository, *arguments: str) -> ProgramResult:
    """Run git in `repository` without the configuration of the user and the system."""
    variables = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=10",
        "GIT_ALLOW_PROTOCOL": "https:http:ssh:git" if arguments[0] == "fetch" else "none",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CEILING_DIRECTORIES": str(repository.folder.absolute().parent),
    }
    # Reading objects runs no code of the repository, so it may belong to another user.
    options = ("-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=")
    command = ("git", "--no-pager", *options, *arguments)
    return run(command, repository.folder, variables)


def error_message(result: ProgramResult) -> str:
    """The first error message of git, without a final dot."""
    message = GIT_ERROR.search(result.errors)
    return message[1].rstrip(".") if message else result.errors.partition("\n")[0]


def _fetch_problem(result: ProgramResult, source: GitSource) -> str:
    message = result.errors.lower()
    if "find remote ref" in message:
        return f"there is no tag or branch '{source.revision}'"
    if "resolve host" in message or "name or service" in message or "look up" in message:
        return "the host is not found; check the network"
    if "could not read username" in message or "authentication" in message or "denied" in message:
        return "the repository does not exist or needs a password"
    return without_password(f"git cannot fetch it ({error_message(result) or 'no reason given'})")
