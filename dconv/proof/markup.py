"""The tags that `html` writes around source text, as patterns.

The proof treats any other tag as a word that no source has, whether it hides text ("<p hidden>",
"<template>", "<!--") or changes its meaning ("<ol>" without numbers, a "<td>" over two rows).
"""

from __future__ import annotations

import re

_STYLE = "com|dir|num|op|sec|str|var"  # of words in examples
_ID = r'(?: id="[^"]*")?'

# tags that are inside a word; a run of others starts a block
INLINE = re.compile(
    r"</(?:a|b|code|del|em|i|small|span|strong|sup|var)>|<(?:b|code|del|em|i|strong|var)>"
    r'|<code class="literal">'
    r'|<br class="line">'
    rf'|<a href="[^"]*"(?: (?:class="(?:from|literal|{_STYLE})"|rel="external"))?>'
    r'|<a class="var" href="[^"]*">'
    r'|<a href="[^"]*"(?: id="[^"]*")?(?: name="[^"]*")?>'
    r'|<a id="[^"]*"(?: name="[^"]*")?>|<a name="[^"]*">'
    rf'|<span class="(?:number|marker|separator|prompt|output|{_STYLE})">'
    r'|<span class="hidden">(?=[^<]*</span>[^<]*</span>)'
)
BLOCK = re.compile(
    r"(?:(?:</(?:p|li|dt|td|th|tr|thead|tbody|table|div|section|aside|blockquote|figure|figcaption|h[1-6])>"
    r"|<br>|</dd>(?!\s*<dd)|</dl>(?<!</dt>\n</dl>)|</[uo]l>"
    rf"|<(?:blockquote|li|dd|figcaption|thead|tbody|dt{_ID}|tr{_ID}(?: class=\"letter\")?)>"
    r'|<span class="(?:yes(?: (?:[Xx]|stated))?|no(?: -)?|stated)">'
    rf'|<p(?:{_ID} class="(?:label|labelled|lead|lead long|see-also|title)")?>'
    rf'|<h[1-6]{_ID} class="(?:label|section|title|name signatures)">'
    r'|<dl(?: class="card" data-from="\d+">|>(?=\s*<dt))'
    # an item's number is between two tags by now: "<li> 3 <li>"
    r'|<ul>(?!\s*<li> \S* <li>)'
    r'|<ol(?: type="[aA]"| class="marked")?>(?=\s*<li> \S* <li>)'
    r'|<section id="[^"]*" class="entry">'
    r'|<aside class="(?:note|warning|footnote" id="[^"]*)" role="note">|<figure class="example">'
    r'|<div class="(?:narrow|table(?: wide)?" role="group" aria-label="Table" tabindex="0)">'
    r'|<table class="(?:columns|grid|matrix|pipes|ruled|summary)">'
    r")\s*)+"
)
PRE = re.compile(
    r'<pre tabindex="0" class="(?:language-[^"]*|drawing(?: c\d+)?)">\n?(.*?)</pre>', re.DOTALL
)
# the state of a chip: '<span class="yes">defaults</span>', which the theme marks with a tick
CHIP = re.compile(r'(<span class="(?:(yes)|yes ([Xx])|no (-))">(?:(?!</span>).)*)</span>')
# the number of an item: the browser writes it, or it is in the text
ITEM = re.compile(r"<li value=\"(\d+)\">|<li><span class=\"marker\">([^<]*)</span>")
# a picture stands for its text: <img src="a.png" alt="words">
IMAGE = re.compile(r'<img src="[^"]*" alt="([^"]*)">')
CELL_START = re.compile(
    r'<td(?: colspan="(\d+)")?(?: class="(?:yes(?: named)?|no)")?>'
    r'|<th scope="(?:col|colgroup|row)"(?: colspan="(\d+)")?>'
)
# a cell of a head that names nothing is not a name of a column
HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
HEAD_CELL_WITH_TEXT = re.compile(r"<td(?=[^>]*>\s*[^<\s])")
# elements whose words became data
ELEMENT_WITH_LINES = re.compile(
    rf'<(?:code{_ID} class="signature(?: bare)?"|dd|span|h2|a href="[^"]*")'
    r' data-lines="\+?\d+(?:-\d+)?"(?: class="chips")?>'
)
