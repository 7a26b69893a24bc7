"""Equations of eqn(7) as lines of text, as mandoc writes them for a terminal: `c^2`, `a/(b + c)`.

Source: `eqn_term.c` of mandoc, which does it with the equation itself; here it is done with the
MathML of mandoc's HTML, which no other format has.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

NO_SPACE_BEFORE = tuple("!\"'),.:;?]}")
NO_SPACE_AFTER = tuple("\"'([{")
MINUS = ("-", "\N{MINUS SIGN}")
# mandoc's HTML has a line break before and after each equation, a terminal has none
SPACE_AFTER_OPENING = re.compile(r"(?:^|(?<=\s))([\"'(\[“‘]+)\s+$")
SPACE_BEFORE_CLOSING = re.compile(r"\s+(?=[\"')\]”’]*[!,.:;?)\]])")
# what is written between the parts of an element
OPERATORS = {
    "mfrac": ("/",), "msub": ("_",), "msup": ("^",), "msubsup": ("_", "^"),
    "munder": ("_",), "mover": ("^",), "munderover": ("_", "^"),
}  # fmt: skip


def write_equations(root: Element) -> None:
    """Replace each `math` of mandoc's HTML by a `span` with its line; `root` is changed."""
    for parent in root.iter():
        last: Element | None = None
        for child in parent:
            if child.tag == "math":
                line = equation_line(child)
                before = (parent.text if last is None else last.tail) or ""
                before = before.rstrip() if line.startswith(("^", "_")) else (
                    SPACE_AFTER_OPENING.sub(r"\1", before))  # fmt: skip
                if last is None:
                    parent.text = before
                else:
                    last.tail = before
                tail = child.tail
                child.clear()
                child.tag, child.text = "span", line
                child.tail = (
                    SPACE_BEFORE_CLOSING.sub("", tail, count=1)
                    if tail and SPACE_BEFORE_CLOSING.match(tail) else tail
                )
            last = child


def equation_line(element: Element) -> str:
    """The line of an element of MathML."""
    children = list(element)
    match element.tag:
        case "mfenced":
            return f"{element.get('open', '')}{_row(children)}{element.get('close', '')}"
        case "msqrt":
            line = _row(children)
            return f"√{line}" if line.startswith("(") else f"√({line})"
        case tag if tag in OPERATORS and children:
            line = _operand(children[0], is_base=True)
            for operator, child in zip(OPERATORS[tag], children[1:], strict=False):
                is_accent = tag in ("mover", "munder") and child.tag == "mo"
                line += _operand(child) if is_accent else operator + _operand(child)
            return line
        case _:
            return _row(children) if children else "".join((element.text or "").split())


def _row(children: list[Element]) -> str:
    line = ""
    is_open = True
    for child in children:
        part = equation_line(child)
        if line and not is_open and not part.startswith(NO_SPACE_BEFORE):
            line += " "
        is_open = part.endswith(NO_SPACE_AFTER) or (not line and part in MINUS)
        line += part
    return line


def _operand(element: Element, *, is_base: bool = False) -> str:
    """The line of a part of a fraction or of a script, in parentheses where eqn had braces."""
    line = equation_line(element)
    children = list(element)
    if element.tag != "mrow" or not children:
        return line
    lone = children[0] if len(children) == 1 else None
    # `roman x` is a row of one part, too; only the style of its font distinguishes it from `{ x }`
    is_braced = lone is None or (
        not is_base and "fontstyle" not in lone.attrib and len(lone.text or "") <= 1)  # fmt: skip
    return f"({line})" if is_braced else line
