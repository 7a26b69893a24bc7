"""Texts by HTTP; an incomplete download is an error."""

from __future__ import annotations

import http.client
import socket
import ssl
import time
import urllib.error
import urllib.request
from dataclasses import replace
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import IO
from urllib.parse import quote, unquote, urlsplit

from dconv import __version__
from dconv.model.file_names import file_name
from dconv.settings.types import DocumentSetting, UrlSource
from dconv.sources.addresses import describe, without_password
from dconv.sources.files import check_size, content_problem, documents_of_files
from dconv.sources.types import TIMEOUT, FetchedTexts, File, MissingError, SourceError

CHUNK_SIZE = 256 * 1024  # bytes read at a time
READ_TIMEOUT = 10.0  # seconds to wait for the next piece of a response
URL_CHARACTERS = "%/:=&?~#+!$,;'@()*[]"  # not quoted (RFC 3986, sections 2.1 and 2.2)
# no encoding, and gzip, which `documents_of_files` recognizes by its magic number
ENCODINGS = ("", "identity", "gzip", "x-gzip")
NOT_FOUND = (404, 410)  # HTTP status: the server does not have it


class SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections to http and https only, and none from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str,
        headers: http.client.HTTPMessage, newurl: str,
    ) -> urllib.request.Request | None:  # fmt: skip
        """The request for `newurl`; raises `HTTPError` for an address that is not followed."""
        allowed = ("https",) if urlsplit(req.full_url).scheme == "https" else ("http", "https")
        if urlsplit(newurl).scheme not in allowed:
            raise urllib.error.HTTPError(req.full_url, code, msg, headers, fp)
        fp.close()  # else urllib reads the response to its end, however long it is
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def read_url(source: UrlSource, documents: tuple[DocumentSetting, ...]) -> FetchedTexts:
    """The texts at the addresses of `source`.

    A listed document that the server does not have is left out.  Raises `SourceError` if the
    server has none of them, or one does not arrive whole.
    """
    if "{file}" not in source.url:
        name = source.url.partition("?")[0].rpartition("/")[2]
        urls_by_file = {unquote(name) or "manual.txt": source.url}
    else:
        urls_by_file = {
            document.file: source.url.replace("{file}", quote(document.file))
            for document in documents
        }
    files: list[File] = []
    dates: list[str] = []
    missing: MissingError | None = None
    for name, url in urls_by_file.items():
        try:
            content, date = download(url)
        except MissingError as error:
            missing = missing or error
            continue
        files.append(File(name, content))
        dates.append(date)
    if missing is not None and not files:
        raise missing
    source_name = describe(source)
    unpacked, notes, unreadable = documents_of_files(files, documents, source_name)
    urls = {file_name(name): quote(url, safe=URL_CHARACTERS) for name, url in urls_by_file.items()}
    for text in unpacked:
        if problem := content_problem(text.content, text.file):
            display_url = without_password(urls.get(text.file, source_name))
            raise SourceError(f"{display_url}: the server sends {problem}")
    texts = tuple([replace(text, url=urls.get(text.file, "")) for text in unpacked])
    newest = max(dates, default="")
    return FetchedTexts(texts, source_name, newest, notes=notes, unreadable=unreadable)


def download(url: str) -> tuple[bytes, str]:
    """The file at `url`, whole, and its date (`YYYY-MM-DD`) or an empty string.

    Raises `SourceError`, also after `TIMEOUT` seconds.
    """
    display_url = without_password(url)
    deadline = time.monotonic() + TIMEOUT
    host = _host(url, display_url)
    try:
        address = quote(url, safe=URL_CHARACTERS)
        request = urllib.request.Request(address, headers={"User-Agent": f"dconv/{__version__}"})
        opener = urllib.request.build_opener(SafeRedirects)
        with opener.open(request, timeout=READ_TIMEOUT) as response:
            _check_whole(response, display_url)
            return _body(response, display_url, deadline), _date(response.headers)
    except urllib.error.HTTPError as error:
        error.close()
        raise _refusal(error, display_url) from error
    except urllib.error.URLError as error:
        raise SourceError(f"{display_url}: {_reason(error.reason, host)}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceError(f"{display_url}: {_reason(error, host)}") from error


def _check_whole(response: http.client.HTTPResponse, display_url: str) -> None:
    """Raise `SourceError` if the response is a part of the text, or has an unknown encoding."""
    if response.status != HTTPStatus.OK:
        raise SourceError(f"{display_url}: the server answers with status {response.status}")
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ENCODINGS:
        raise SourceError(f"{display_url}: the server sends the unknown encoding '{encoding}'")


def _body(response: http.client.HTTPResponse, display_url: str, deadline: float) -> bytes:
    length = response.headers.get("Content-Length", "")
    expected = int(length) if length.isdecimal() else None
    check_size(expected or 0, display_url)
    chunks: list[bytes] = []
    size = 0
    while chunk := response.read1(CHUNK_SIZE):
        chunks.append(chunk)
        size += len(chunk)
        check_size(size, display_url)
        if time.monotonic() > deadline:
            raise TimeoutError
    if expected is not None and size != expected:
        raise SourceError(
            f"{display_url}: the download was interrupted ({size} of {expected} bytes)"
        )
    return b"".join(chunks)


def _refusal(error: urllib.error.HTTPError, display_url: str) -> SourceError:
    if error.code in NOT_FOUND:
        return MissingError(f"{display_url}: the server has no such file (status {error.code})")
    if 300 <= error.code < 400:
        return SourceError(f"{display_url}: the server redirects in circles or to no safe address")
    return SourceError(f"{display_url}: the server answers with status {error.code} {error.reason}")


def _host(url: str, display_url: str) -> str:
    """The host of `url`; raises `SourceError` for an address that cannot be downloaded."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise SourceError(f"{display_url}: not an address ({error})") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SourceError(
            f"{display_url}: not an http or https address; use 'path' for a local folder"
        )
    if "@" in parts.netloc:
        raise SourceError(f"{display_url}: dconv does not use addresses with a password; remove it")
    return parts.hostname


def _reason(error: BaseException | str, host: str) -> str:
    """Why no response came from `host`, in words."""
    match error:
        case TimeoutError():
            return "the server takes too long; try again later"
        case socket.gaierror():
            return f"the host {host} is not found; check the network"
        case ConnectionRefusedError():
            return f"the host {host} refuses the connection"
        case ssl.SSLCertVerificationError():
            return f"the certificate of {host} is not valid ({error.verify_message})"
        case http.client.BadStatusLine():
            return f"the host {host} does not answer in HTTP"
        case http.client.IncompleteRead():
            return "the download was interrupted"
        case OSError() if error.strerror:
            return f"the connection failed ({error.strerror.lower()})"
        case _:
            return f"the connection failed ({error or type(error).__name__})"


def _date(headers: Message) -> str:
    try:
        return parsedate_to_datetime(headers.get("Last-Modified", "")).date().isoformat()
    except (ValueError, TypeError):  # the header is absent or is not a date
        return ""
