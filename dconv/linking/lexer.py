"""A Pygments lexer for HAProxy's configuration files; it does not depend on dconv.

`pygmentize -l haproxy` finds it as a plug-in (entry point `pygments.lexers`).  It
follows the configuration manual, sections 2.1 to 2.4: words, quoting, environment
variables and conditional blocks.  Actions, fetches and converters have types of their own
below the standard ones, so that every style of Pygments has a colour for them.
"""

from __future__ import annotations

import re
from typing import ClassVar, TypeAlias

from pygments.lexer import RegexLexer, bygroups, default, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,
)

Rules: TypeAlias = list[object]

SECTION: _TokenType = Keyword.Namespace
DIRECTIVE: _TokenType = Keyword
ACTION: _TokenType = Name.Function.Action
FETCH: _TokenType = Name.Function.Fetch
CONVERTER: _TokenType = Name.Function.Converter
FORMAT_ALIAS: _TokenType = Name.Variable.Magic

SECTIONS = (
    "acme", "backend", "cache", "crt-store", "defaults", "fcgi-app", "frontend", "global",
    "healthcheck", "http-errors", "listen", "log-forward", "log-profile", "mailers", "peers",
    "program", "resolvers", "ring", "traces", "userlist",
)  # fmt: skip
# what is in front of an action: "http-request", "tcp-request content"
RULE_SETS = (
    r"(?:http-request|http-response|http-after-response|quic-initial"
    r"|tcp-re(?:quest|sponse)[ \t]++(?:connection|session|content))(?=[ \t])"
)
# directives whose second word is a part of the name: "timeout client", "stats uri"
TWO_WORD_DIRECTIVES = (
    "capture", "compression", "declare", "email-alert", "external-check", "hash-balance-factor",
    "hold", "http-check", "http-error", "monitor", "option", "persist", "rate-limit", "stats",
    "stick", "tcp-check", "tcp-request", "tcp-response", "timeout",
)  # fmt: skip
END = r"(?!\S)"  # of a word
START = r"(?<!\S)"
# "frontend", "mode", "tune.h2.initial-window-size"
WORD = r"[^\s\"'\\#${}(),%!|]++"
# "req.hdr", but not "0x1f"
FUNCTION = r"[A-Za-z_][\w.-]*+"
# "30s", "10m", "50%", "1.5", "-1"
NUMBER = r"[+-]?\d++(?:\.\d++)?+(?:us|ms|[smhdkKMGB%])?+(?=[\s,)\]\"'}:]|$)"
# "192.168.0.0/16", "10.0.0.1:80", "*:443", ":8080", "[::1]:80", "unix@/run/a", "::1"
ADDRESS = (
    r"(?:\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,3}|:[\d+-]++)?+|\*?:\d[\d-]*+"
    r"|\[[\da-fA-F:.]{2,45}\](?::\d++)?+|[\da-fA-F]{0,4}::[\da-fA-F:]{0,40}(?:/\d{1,3})?+)"
    r"(?=[\s,)\]\"'}]|$)"
)
# "${LOCAL_SYSLOG-127.0.0.1}", "$HOME", "${LIST[*]}"
VARIABLE = r"\$(?:\{[^}\n\"]*+\}|[A-Za-z_]\w*+)"
# "\ ", "\\", "\x41", "\n"
ESCAPE = r"\\(?:x[\da-fA-F]{2}|.)"
# what log formats hold: "%ci", "%{+Q}o", "%{+Q,+X}r", but not "%["
FORMAT = r"%(?:\{[^}\n\"']*+\}[A-Za-z]*+|[A-Za-z]{1,4}\b)"
# the words that match an ACL or compare: "-i", "-m beg", "gt 2"
METHOD = r"(-m)([ \t]++)([a-z]++)" + END
FLAG = r"(?:-[a-zA-Z]|--)" + END
COMPARISON = r"(?:eq|ge|gt|le|lt)(?=[ \t]+-?\d)"


def _quote_rules(quote: str) -> Rules:
    """The rules for any place in an expression of samples inside `quote`."""
    is_single_quoted = quote == "'"  # no other quote or escape counts inside it
    rules: Rules = [
        (r"[ \t]++", Whitespace),
        (r"\\", String.Escape) if is_single_quoted else (r"\\\n", Punctuation),
        (r"\\(?:\\\\)?[\"']", String.Escape),
        (ESCAPE, String.Escape),
        (r"\$", Text) if is_single_quoted else (VARIABLE, Name.Variable),
    ]
    if quote:
        return [*rules, (rf"(?={quote})", bygroups(), "#pop")]
    return [*rules, (r'"', String.Double, "double"), (r"'", String.Single, "single")]


def _expression_states(quote: str) -> dict[str, Rules]:
    """The states of an expression of samples inside `quote` (`"`, `'` or none).

    The states leave a closing quote to the state of the string, which ends all that is open
    in it.  Pygments itself resets the states at the end of a line that no rule matches.
    """
    name = {"": "", '"': "double-", "'": "single-"}[quote]
    shared_rules = _quote_rules(quote)
    call = f"{name}call"
    return {
        f"{name}expression": [
            (r"\]", String.Interpol, "#pop"),
            (rf"({FUNCTION})(\()", bygroups(FETCH, Punctuation), (f"{name}chain", call)),
            (FUNCTION, FETCH, f"{name}chain"),
            *shared_rules,
            (r".", Text),
        ],
        f"{name}chain": [
            (rf"(,)([ \t]*+)({FUNCTION})(\()",
             bygroups(Punctuation, Whitespace, CONVERTER, Punctuation), call),
            (rf"(,)([ \t]*+)({FUNCTION})", bygroups(Punctuation, Whitespace, CONVERTER)),
            default("#pop"),
        ],
        call: [
            (r"\)", Punctuation, "#pop"),
            (r"\(", Punctuation, "#push"),
            (r"[,|]", Punctuation),
            *shared_rules,
            (ADDRESS, Number.Address),
            (NUMBER, Number),
            (r"[^\s\"'\\$(),|]++", Name),
            (r".", Text),
        ],
    }


class HAProxyLexer(RegexLexer):
    """For configuration files of HAProxy 3.4, as its manual describes them."""

    name = "HAProxy configuration"
    url = "https://www.haproxy.org/"
    aliases: ClassVar[list[str]] = ["haproxy"]
    filenames: ClassVar[list[str]] = ["haproxy.cfg", "*.haproxy"]
    mimetypes: ClassVar[list[str]] = ["text/x-haproxy"]
    flags = re.MULTILINE

    tokens: ClassVar[dict[str, Rules]] = {
        "root": [
            (r"\s++", Whitespace),
            (r"#[^\n]*+", Comment.Single),
            (r"\.(?:if|elif|else|endif|notice|warning|alert|diag)" + END,
             Comment.Preproc, "arguments"),
            (words(SECTIONS, suffix=r"(?=[\s#]|\Z)"), SECTION, "section"),
            (r"(?:no|default)(?=[ \t]+\S)", Keyword.Reserved, "directive"),
            default("directive"),
        ],
        "directive": [
            (r"[ \t]++", Whitespace),
            (RULE_SETS, DIRECTIVE, ("#pop", "action")),
            (r"(acl)([ \t]++)([^\s\"'\\#]++)([ \t]++)",
             bygroups(DIRECTIVE, Whitespace, Name.Label, Whitespace), ("#pop", "sample")),
            (r"(stick)([ \t]++)(on|match|store-request|store-response)([ \t]++)",
             bygroups(DIRECTIVE, Whitespace, DIRECTIVE, Whitespace), ("#pop", "sample")),
            (rf"({'|'.join(TWO_WORD_DIRECTIVES)})([ \t]++)([a-z][\w-]*+)",
             bygroups(DIRECTIVE, Whitespace, DIRECTIVE), ("#pop", "arguments")),
            (WORD, DIRECTIVE, ("#pop", "arguments")),
            default(("#pop", "arguments")),
        ],
        "section": [
            (r"[ \t]++", Whitespace),
            (r"#[^\n]*+", Comment.Single),
            (r"from" + END, Keyword),
            (r"[^\s\"'\\#$]++", Name.Class),
            default(("#pop", "arguments")),
        ],
        "action": [
            (r"[ \t]++", Whitespace),
            (r"(set-var)(\()([\w.]*+)((?:,[^)\s]*+)?+)(\))([ \t]++)",
             bygroups(ACTION, Punctuation, Name.Variable, Name, Punctuation, Whitespace),
             ("#pop", "sample")),
            (r"(track-sc\d?+)([ \t]++)", bygroups(ACTION, Whitespace), ("#pop", "sample")),
            (rf"({FUNCTION})(\()", bygroups(ACTION, Punctuation), ("#pop", "arguments", "call")),
            (r"[a-z][\w.-]*+", ACTION, ("#pop", "arguments")),
            default(("#pop", "arguments")),
        ],
        # an expression of samples in one word, then arguments
        "sample": [
            (rf"({FUNCTION})(\()",
             bygroups(FETCH, Punctuation), ("#pop", "arguments", "chain", "call")),
            (FUNCTION, FETCH, ("#pop", "arguments", "chain")),
            default(("#pop", "arguments")),
        ],
        "arguments": [
            (r"\n", Whitespace, "#pop"),
            (r"[ \t]++", Whitespace),
            (START + r"#[^\n]*+", Comment.Single),
            (r"\\\n", Punctuation),
            (START + r"(?:if|unless)" + END, Operator.Word),
            (START + r"(?:\|\||or)" + END, Operator),
            (START + r"(!?+)(\{)([ \t]++)",
             bygroups(Operator, Operator, Whitespace), ("#pop", "anonymous-acl")),
            (r"[{}]" + END, Operator),
            (START + r"!(?=\S)", Operator),
            (START + METHOD, bygroups(Name.Tag, Whitespace, Name.Constant)),
            (START + FLAG, Name.Tag),
            (START + COMPARISON, Operator.Word),
            (r"(?<![^\s,=@])" + ADDRESS, Number.Address),
            (START + NUMBER, Number),
            (rf"{START}({FUNCTION})(\()", bygroups(FETCH, Punctuation), ("chain", "call")),
            (r"%\[", String.Interpol, "expression"),
            (FORMAT, FORMAT_ALIAS),
            (VARIABLE, Name.Variable),
            (ESCAPE, String.Escape),
            (r'"', String.Double, "double"),
            (r"'", String.Single, "single"),
            (r"[,()=|]", Punctuation),
            (r"[^\s\"'\\$%,()=|{}]++", Name),
            (r".", Text),
        ],
        "anonymous-acl": [
            (r"!(?=[\w ])", Operator),
            (r"[ \t]++", Whitespace),
            default(("#pop", "sample")),
        ],
        "double": [
            (r'"', String.Double, "#pop"),
            (r"\\\n", String.Escape),
            (ESCAPE, String.Escape),
            (VARIABLE, Name.Variable),
            (r"%\[", String.Interpol, "double-expression"),
            (FORMAT, FORMAT_ALIAS),
            (r"[^\"\\$%\n]++", String.Double),
            (r".", String.Double),
        ],
        "single": [
            (r"'", String.Single, "#pop"),
            (r"%\[", String.Interpol, "single-expression"),
            (FORMAT, FORMAT_ALIAS),
            (r"[^'%\n]++", String.Single),
            (r".", String.Single),
        ],
        **_expression_states(""),
        **_expression_states('"'),
        **_expression_states("'"),
    }
