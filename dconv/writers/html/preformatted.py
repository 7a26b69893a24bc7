"""Preformatted lines to HTML: code, console sessions, ASCII drawings, other text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.tree import Preformatted, StyledCode
from dconv.writers.html.context import PageContext
from dconv.writers.html.escape import attribute, text

WIDTHS = (40, 60, 80, 100, 132)  # columns; the theme has a font size for each
# a line of an ASCII drawing: "+---+", "|  a  |", "----->", "  |"
DRAWN = re.compile(r"[-=_~+]{3}|[─-▟]|^\s*[|+]|\|\s*$|\|.*\s\|")
MIN_DRAWN_LINES = 2
MIN_DRAWN_PART = 1 / 4  # of the lines
# "$ socat …", "# haproxy -c", "> show info", "[23:03:39]> help", "master> quit"
PROMPT = re.compile(r"\s*(?:[$#]|(?:\[[\d:]+\] ?)?(?:[\w-]{1,20})?>)\s")
# prompts in a session of a plain user, where "# " starts a comment or a line of output
USER_PROMPT = re.compile(r"\s*(?:\$|(?:\[[\d:]+\] ?)?(?:[\w-]{1,20})?>)\s")
SHELL_PROMPTS = ("$", "#")
OUTPUT_MARK = ">>>"  # marks output of a program
# quoted parts of a shell's command: "\"", "'it is'", '"a \" in it"'
QUOTED = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
QUOTE = re.compile(r"""['"]""")
MAX_QUOTE_LINES = 4  # lines that an open quote may span
# that of directives: the theme gives it to all links in code, so that these need no class
STYLE_OF_PLAIN_LINKS = "dir"


def preformatted(node: Preformatted, context: PageContext) -> str:
    """The lines of `node`; drawings get a class for the number of their columns."""
    if not node.language and _is_drawing(node.lines):
        longest = max(map(len, node.lines), default=0)
        classes = next((f"drawing c{width}" for width in WIDTHS if longest <= width), "drawing")
    else:
        classes = f"language-{attribute(node.language or 'text')}"
    if node.styled_code:
        html = "".join([_styled_code(part, context) for part in node.styled_code])
    elif node.language == "console":
        html = _console(node.lines)
    else:
        html = text("\n".join(node.lines))
    # HTML ignores a line end right behind <pre>
    line_end = "\n" if html.startswith("\n") else ""
    return f'<pre tabindex="0" class="{classes}">{line_end}{html}</pre>\n'


def _styled_code(part: StyledCode, context: PageContext) -> str:
    html = text(part.text)
    if part.target:
        style = f' class="{part.style}"' if part.style != STYLE_OF_PLAIN_LINKS else ""
        return f"{context.link_start(part.target)}{style}>{html}</a>"
    return f'<span class="{part.style}">{html}</span>' if part.style else html


def _is_drawing(lines: Sequence[str]) -> bool:
    """Whether `lines` are an ASCII drawing, which must neither wrap nor be cut off."""
    drawn_count = sum(bool(DRAWN.search(line)) for line in lines)
    return drawn_count >= max(MIN_DRAWN_LINES, len(lines) * MIN_DRAWN_PART)


def _console(lines: Sequence[str]) -> str:
    """A console session, with prompts and output marked."""
    rows: list[str] = []
    end = -1  # index of the last line of the current command
    if not any(PROMPT.match(line) or line.startswith(OUTPUT_MARK) for line in lines):
        return text("\n".join(lines))  # commands without prompts and output
    is_user_session = any(line.lstrip().startswith("$ ") for line in lines)
    pattern = USER_PROMPT if is_user_session else PROMPT
    for index, line in enumerate(lines):
        prompt = pattern.match(line) if index > end else None
        if prompt:
            end = _command_end(lines, index, prompt, pattern)
            start = prompt.end()
            rows.append(f'<span class="prompt">{text(line[:start])}</span>{text(line[start:])}')
        elif index <= end or not line:
            rows.append(text(line))
        else:
            rows.append(f'<span class="output">{text(line)}</span>')
    return "\n".join(rows)


def _command_end(
    lines: Sequence[str], index: int, prompt: re.Match[str], pattern: re.Pattern[str]
) -> int:
    """The index of the last line of a command, which a backslash or an open quote continues."""
    end = index
    while lines[end].endswith("\\") and end + 1 < len(lines):
        end += 1
    if prompt[0].strip() not in SHELL_PROMPTS:
        return end
    for last in range(end, min(end + MAX_QUOTE_LINES, len(lines))):
        if last > end and pattern.match(lines[last]):
            break
        command = "\n".join(lines[index : last + 1])[prompt.end() :]
        if not QUOTE.search(QUOTED.sub("", command)) and not command.endswith("\\"):
            return last
    return end
