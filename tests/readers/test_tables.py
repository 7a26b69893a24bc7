"""Tables of every style: what is read, what stays as it is, and that no word is lost."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv.model.dialect import Dialect
from dconv.model.source import read_source
from dconv.model.tree import Argument, Reference, Row, Span, Table, plain
from dconv.readers.text.region import Anchors, Context, Region
from dconv.readers.text.rules.tables import TABLES

CORPUS = Path(os.environ.get("DCONV_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
MANUALS = sorted(CORPUS.glob("haproxy/*/*.txt"))

# TCP of `name   TCP: Con Ses   HTTP: Req`
GROUP = re.compile(r"\b(\w+): ")
RULE = re.compile(r"[-=]{3,}")

Cells = list[list[str]]


def region(content: bytes) -> Region:
    """The region of a whole text."""
    source = read_source(content, "test.txt")
    context = Context(dialect=Dialect(), anchors=Anchors())
    last = len(source.lines)
    return Region(source.lines, 0, last, 0, context, parse=lambda _: ())


def find(place: Region, at: int) -> tuple[Table, int] | None:
    """The table at a line in the first style that takes it, proved to be complete."""
    for style in TABLES:
        found = style(place, at)
        if found is not None:
            table, end = found
            assert isinstance(table, Table)
            prove(place, table, at, end)
            return table, end
    return None


def one(text: str) -> Table | None:
    """The table that starts in the first line of `text`."""
    found = find(region(dedent(text).lstrip("\n").encode()), 0)
    return found[0] if found else None


def words(text: str) -> list[str]:
    """Words without borders and rules."""
    return [word for word in re.sub(r"[|+]", " ", text).split() if not RULE.fullmatch(word)]


def table_words(table: Table) -> list[str]:
    """The words of all cells, head first."""
    return [
        word
        for row in (*table.head, *table.rows)
        for cell in row.cells
        for word in plain(cell.content).split()
    ]


def prove(place: Region, table: Table, at: int, end: int) -> None:
    """No word is lost, altered or doubled; spans and columns agree with the source."""
    lines = place.lines[at:end]
    assert table.span == Span(lines[0].number, lines[-1].number)
    assert [shown.split() for shown in table.lines] == [line.text.split() for line in lines]
    assert min(len(shown) - len(shown.lstrip()) for shown in table.lines if shown) == 0
    assert list(table.decoration) == sorted(set(table.decoration))
    data = [line.text for line in lines if line.number not in table.decoration]
    if table.kind == "matrix" and GROUP.search(data[0]):
        # The one repetition: the name of a group is said with each of its columns.
        heads = " ".join(table_words(replace(table, rows=())))
        assert set(words(heads.replace(":", ""))) == set(words(data[0].replace(":", "")))
        data, table = data[1:], replace(table, head=())
    # a cell shows a word whole that is broken at its hyphen
    shown, said = (" ".join(rows).replace("-", "- ") for rows in (table_words(table), data))
    assert Counter(words(shown)) == Counter(words(said))
    for row in (*table.head, *table.rows):
        assert sum(cell.columns for cell in row.cells) == table.columns
    spans = [row.span for row in (*table.head, *table.rows)]
    assert all(upper.last < lower.first for upper, lower in pairwise(spans))


def shown(rows: tuple[Row, ...]) -> Cells:
    """Rows as text; `name*2` is a cell over two columns."""
    return [
        [
            plain(cell.content) + (f"*{cell.columns}" if cell.columns > 1 else "")
            for cell in row.cells
        ]
        for row in rows
    ]


# name: (source, kind, head, rows)
READ: dict[str, tuple[str, str, Cells, Cells]] = {
    "grid with a rule between all rows": (
        """
        +-------+---------+
        | sort  | matcher |
        +-------+---------+
        | apple | round   |
        +-------+---------+
        | leek  | long    |
        +-------+---------+
        """,
        "grid",
        [["sort", "matcher"]],
        [["apple", "round"], ["leek", "long"]],
    ),
    "grid with rows of one line and no rules between them": (
        """
        +----+---------------+
        | ID | message       |
        +----+---------------+
        |  0 | "all is well" |
        | -1 | "broken, sad" |
        +----+---------------+
        """,
        "grid",
        [["ID", "message"]],
        [["0", '"all is well"'], ["-1", '"broken, sad"']],
    ),
    "grid whose row goes on where the first cell is empty": (
        """
        +------+--------------+
        | name | text         |
        +------+--------------+
        | one  | is the first |
        |      | of all       |
        | two  | follows      |
        +------+--------------+
        """,
        "grid",
        [["name", "text"]],
        [["one", "is the first of all"], ["two", "follows"]],
    ),
    "grid with a head of two lines": (
        """
        +-------------+----------+
        | Fruit or    | Default  |
        |  vegetable  | basket   |
        +-------------+----------+
        | apple       | wicker   |
        +-------------+----------+
        """,
        "grid",
        [["Fruit or vegetable", "Default basket"]],
        [["apple", "wicker"]],
    ),
    "grid without a head: the cells are sentences, a blank line pads them": (
        """
        +--------+------------------------+
        | COLOUR | Says how the lamp      |
        |        | shines at night.       |
        |        |                        |
        +--------+------------------------+
        | WEIGHT | Says how heavy it is.  |
        |        |                        |
        +--------+------------------------+
        """,
        "grid",
        [],
        [["COLOUR", "Says how the lamp shines at night."], ["WEIGHT", "Says how heavy it is."]],
    ),
    "grid with a double rule under the head": (
        """
        +---+-----------------------+
        |   | what it says at last. |
        +===+=======================+
        | a | yes                   |
        +---+-----------------------+
        """,
        "grid",
        [["", "what it says at last."]],
        [["a", "yes"]],
    ),
    "grid with a head over several columns whose first rule lacks the left one": (
        """
                   +-------------------+
                   |     Kind of soil  |
        +----------+---------+---------+
        |  plant   |  sand   |  clay   |
        +----------+---------+---------+
        | rose     |> grow  <|  die    |
        +----------+---------+---------+
        """,
        "grid",
        [["", "Kind of soil*2"], ["plant", "sand", "clay"]],
        [["rose", "> grow <", "die"]],
    ),
    "grid with a rule inside the head's cells": (
        """
        +--------+---------+---------+
        |  lamp  | usable  | listed  |
        |        +---------+---------+
        |        |  D | N  |  D | N  |
        +--------+----+----+----+----+
        | GREEN  |  X |    |    | X  |
        | RED    |    | X  |    |    |
        +--------+----+----+----+----+
        """,
        "grid",
        [["lamp", "usable*2", "listed*2"], ["", "D", "N", "D", "N"]],
        [["GREEN", "X", "", "", "X"], ["RED", "", "X", "", ""]],
    ),
    "grid with rows over the whole width": (
        """
        +---+------+-------+
        | R | item | note  |
        +---+------+-------+
        |    of the day    |
        +---+------+-------+
        |   | sun  | warm  |
        +---+------+-------+
        | H | moon | cold  |
        +---+------+-------+
        """,
        "grid",
        [["R", "item", "note"]],
        [["of the day*3"], ["", "sun", "warm"], ["H", "moon", "cold"]],
    ),
    "grid whose first column is seldom filled": (
        """
        +---+------+---------+
        | R | item | note    |
        +---+------+---------+
        |   | a0   | special |
        +---+------+---------+
        |   | a1   | warm    |
        | H | a2   | cold    |
        |   | a3   | cool    |
        |   |      | at noon |
        |   | a4   | icy     |
        +---+------+---------+
        """,
        "grid",
        [["R", "item", "note"]],
        [
            ["", "a0", "special"],
            ["", "a1", "warm"],
            ["H", "a2", "cold"],
            ["", "a3", "cool at noon"],
            ["", "a4", "icy"],
        ],
    ),
    "grid with records of two lines that are two columns": (
        """
        +---+------+--------------------------+------+
        | R | item | name (see elsewhere)     | type |
        |   |      | how else to say it       |      |
        +===+======+==========================+======+
        |   | $o   | special                  |      |
        +---+------+--------------------------+------+
        |               of the day                   |
        +---+------+--------------------------+------+
        | H | $sun | how bright it is         |      |
        |   |      | <[sun.light,fmt("a b")]> | int  |
        +---+------+--------------------------+------+
        |   | $moo | how dark it is           | list |
        |   |      | <[moon]>
        +---+------+--------------------------+------+
        """,
        "grid",
        [["R", "item", "name (see elsewhere)", "how else to say it", "type"]],
        [
            ["", "$o", "special", "", ""],
            ["of the day*5"],
            ["H", "$sun", "how bright it is", '<[sun.light,fmt("a b")]>', "int"],
            ["", "$moo", "how dark it is", "<[moon]>", "list"],
        ],
    ),
    "grid whose last line lacks the right border": (
        """
        +------+---------+------+
        | item | name    | type |
        +------+---------+------+
        | a    | first   | int  |
        |      | again
        +------+---------+------+
        | b    | second
        +------+---------+------+
        """,
        "grid",
        [["item", "name", "type"]],
        [["a", "first again", "int"], ["b", "second", ""]],
    ),
    "grid with text that touches its borders": (
        """
        +------+---------+
        | item | name    |
        +------+---------+
        | long1|abcdefghi|
        +------+---------+
        |x     |y        |
        +------+---------+
        """,
        "grid",
        [["item", "name"]],
        [["long1", "abcdefghi"], ["x", "y"]],
    ),
    "grid with a bar inside its text": (
        """
        +------+------------+
        | item | values     |
        +------+------------+
        | m    | none | all |
        +------+------------+
        | n    | a||b       |
        +------+------------+
        """,
        "grid",
        [["item", "values"]],
        [["m", "none | all"], ["n", "a||b"]],
    ),
    "grid whose rules end with a bar": (
        """
        +------+------+
        | item | size |
        +------+------|
        | a    | 1    |
        +------+------|
        | b    |      |
        +------+------+
        """,
        "grid",
        [["item", "size"]],
        [["a", "1"], ["b", ""]],
    ),
    "grid before a line at its own column": (
        """
        +------+------+
        | item | size |
        +------+------+
        | a    | 1    |
        +------+------+
        Text that goes on.
        """,
        "grid",
        [["item", "size"]],
        [["a", "1"]],
    ),
    "pipes with rules between rows and rows that lack cells": (
        """
          Sign  |  Plain   |  Quoted
          ------+----------+---------
          #     |  \\#      |  "#"
          ------+----------+---------
          %     |  \\%      |
          ------+----------+---------
          &     |  \\&
          ------+----------+---------
        """,
        "pipes",
        [["Sign", "Plain", "Quoted"]],
        [["#", "\\#", '"#"'], ["%", "\\%", ""], ["&", "\\&", ""]],
    ),
    "pipes with a bar as the cross of the rule, and no foot": (
        """
        Label          |  Where it is
        ---------------|-------------
        SECRET_OF_DAY  |  $[day]
        SECRET_OF_NIGHT|  $[night]
        """,
        "pipes",
        [["Label", "Where it is"]],
        [["SECRET_OF_DAY", "$[day]"], ["SECRET_OF_NIGHT", "$[night]"]],
    ),
    "pipes with cells of several lines between rules": (
        """
               State of things         |   Interval
        -------------------------------+-----------------
         ALL UP                        | "slow"
        -------------------------------+-----------------
         Going down (after "down"),    | "fast" if set,
         Going up (after "up"),        | "slow" otherwise.
         or never looked at.           |
        -------------------------------+-----------------
        """,
        "pipes",
        [["State of things", "Interval"]],
        [
            ["ALL UP", '"slow"'],
            [
                'Going down (after "down"), Going up (after "up"), or never looked at.',
                '"fast" if set, "slow" otherwise.',
            ],
        ],
    ),
    "pipes with rows of several lines, blank lines drawn between them": (
        """
          NAME      |  ID | TEXT
        ------------+-----+-----------------
           HELLO    |  1  |  Said when one
                    |     |  comes in
                    |     |
           GOODBYE  |  2  |  Said at the end
        ------------+-----+-----------------
           WHAT     | 101 |  Asked
        ------------+-----+-----------------
        """,
        "pipes",
        [["NAME", "ID", "TEXT"]],
        [
            ["HELLO", "1", "Said when one comes in"],
            ["GOODBYE", "2", "Said at the end"],
            ["WHAT", "101", "Asked"],
        ],
    ),
    "pipes with a head of several lines": (
        """
         steps per | Number of
         round     | rounds
        -----------+-----------
         10        | 170
         1000      | 690 <- top
        """,
        "pipes",
        [["steps per round", "Number of rounds"]],
        [["10", "170"], ["1000", "690 <- top"]],
    ),
    "matrix with heads in a rule, a head at the foot, and remarks": (
        """
         word                     spring    autumn
        ------------------------+---------+--------
        dig                         X (!)     X
        plant            (gone)  (*)  -       X
        mow               (*)       X         -
        -- word ----------------- spring -- autumn -
        prune roses  (deprecated)   X         -
        water                       -         -
        ------------------------+---------+--------
         word                     spring    autumn
        """,
        "matrix",
        [["word", "spring", "autumn"]],
        [
            ["dig", "X (!)", "X"],
            ["plant (gone) (*)", "-", "X"],
            ["mow (*)", "X", "-"],
            ["prune roses (deprecated)", "X", "-"],
            ["water", "-", "-"],
        ],
    ),
    "matrix without a foot: the last row counts": (
        """
        word      one     two
        --------+-------+------
        [no] a    X       -
        b c       -       yes
        """,
        "matrix",
        [["word", "one", "two"]],
        [["[no] a", "X", "-"], ["b c", "-", "yes"]],
    ),
    "matrix whose remark stands behind the last column": (
        """
        word      one     two
        --------+-------+------
        a         X       -
        b         X       X      (deprecated)
        """,
        "matrix",
        [["word", "one", "two"]],
        [["a", "X", "-"], ["b (deprecated)", "X", "X"]],
    ),
    "matrix with groups of columns, without blanks in the repeated head": (
        """
         word           SEA: Ini   LAND: Day Dusk   AIR: Req Res
        --------------+-----------+-----+------+---------+---
        swim                   X           -   -         -   -
        --word----------SEA--Ini---LAND--Day-Dusk---AIR--Req-Res-
        fly (gone)             -           -   -         X   X
        walk                   -           X   X         -   -
        --word----------SEA--Ini---LAND--Day-Dusk---AIR--Req-Res-
        """,
        "matrix",
        [["word", "SEA Ini", "LAND Day", "LAND Dusk", "AIR Req", "AIR Res"]],
        [
            ["swim", "X", "-", "-", "-", "-"],
            ["fly (gone)", "-", "-", "-", "X", "X"],
            ["walk", "-", "X", "X", "-", "-"],
        ],
    ),
    "summary with cells that stand beside their column, and no foot": (
        """
           word                            input type   output type
        ---------------------------------+------------+------------
        add(value)                         number       number
        debug([prefix][,where])             any          same
        -- word -------------------------+- input type + output type -
        map_it(name[,default])             _in_         number / text
        """,
        "summary",
        [["word", "input type", "output type"]],
        [
            ["add(value)", "number", "number"],
            ["debug([prefix][,where])", "any", "same"],
            ["map_it(name[,default])", "_in_", "number / text"],
        ],
    ),
    "summary with a cell that leaves one blank to the next column": (
        """
          word                 output type
        ---------------------+------------
        name                   text
        very_long(<a>,<b>,[c]) number
        other                  text
        ---------------------+------------
        """,
        "summary",
        [["word", "output type"]],
        [["name", "text"], ["very_long(<a>,<b>,[c])", "number"], ["other", "text"]],
    ),
    "summary with a cell that pushes the next one to the right": (
        """
          word                 output type
        ---------------------+------------
        name                   text
        even_longer_name(<what>,<ever>)  number
        other                  text
        """,
        "summary",
        [["word", "output type"]],
        [["name", "text"], ["even_longer_name(<what>,<ever>)", "number"], ["other", "text"]],
    ),
    "ruled with heads beside their columns and two blanks in a cell": (
        """
        Rule name      Same as            Use
        -------------+-------------------+-----------------------
        NEVER          no                  match nothing
        ANY_URL        url     *           match any "address"
        GET_OR_HEAD    method  GET HEAD    match two
        ALWAYS         yes                 match
                                           everything
        -------------+-------------------+-----------------------
        """,
        "ruled",
        [["Rule name", "Same as", "Use"]],
        [
            ["NEVER", "no", "match nothing"],
            ["ANY_URL", "url *", 'match any "address"'],
            ["GET_OR_HEAD", "method GET HEAD", "match two"],
            ["ALWAYS", "yes", "match everything"],
        ],
    ),
    "ruled with an empty cell in the middle": (
        """
        name      first     second
        --------+---------+--------
        a         one       two
        b                   three
        c         four
        """,
        "ruled",
        [["name", "first", "second"]],
        [["a", "one", "two"], ["b", "", "three"], ["c", "four", ""]],
    ),
    "ruled with as many pieces as columns, but not one for each": (
        """
        name      first     second
        --------+---------+--------
        a         one       two
        b  c      three
        """,
        "ruled",
        [["name", "first", "second"]],
        [["a", "one", "two"], ["b c", "three", ""]],
    ),
    "ruled with a row that starts with two dashes and is no head": (
        """
        option      meaning
        ----------+--------------
        --quiet     says nothing
        --loud      says all
        """,
        "ruled",
        [["option", "meaning"]],
        [["--quiet", "says nothing"], ["--loud", "says all"]],
    ),
    "grid with three lines in a row under a head of two names": (
        """
        +---+-----------------+
        | R | name            |
        |   | other           |
        +===+=================+
        | a | one             |
        |   | two             |
        |   | three           |
        +---+-----------------+
        """,
        "grid",
        [["R", "name other"]],
        [["a", "one two three"]],
    ),
    "bare head whose first name has two lines": (
        """
        Line     Contents
        number
           1     HELLO  /there 1.0
           2     From: me
        """,
        "columns",
        [["Line number", "Contents"]],
        [["1", "HELLO /there 1.0"], ["2", "From: me"]],
    ),
    "bare head with text of several lines and a row beside its column": (
        """
        Code  When / why
         200  all went well
         401  nobody knows who asks (when
              nobody says so)
         501 nobody wrote
             the code
         502  the rest
        """,
        "columns",
        [["Code", "When / why"]],
        [
            ["200", "all went well"],
            ["401", "nobody knows who asks (when nobody says so)"],
            ["501", "nobody wrote the code"],
            ["502", "the rest"],
        ],
    ),
    "bare head with two-letter keys and blank lines": (
        """
        Flags   Reason

           --   All is well.

           AA   The reader left. This happens
                when it rains.

           bA   The reader slept.

        What follows is prose.
        """,
        "columns",
        [["Flags", "Reason"]],
        [
            ["--", "All is well."],
            ["AA", "The reader left. This happens when it rains."],
            ["bA", "The reader slept."],
        ],
    ),
    "bare head with a third column that is aligned on the right": (
        """
        Field   Format                              Seen above
            1   name '[' number ']:'                  dog[12]:
            2   'Barks at'                            Barks at
            3   who '/' where '/' when '/' why*      me/here/-
           17   a '/' b
                '/' c                                    0/0/0
        """,
        "columns",
        [["Field", "Format", "Seen above"]],
        [
            ["1", "name '[' number ']:'", "dog[12]:"],
            ["2", "'Barks at'", "Barks at"],
            ["3", "who '/' where '/' when '/' why*", "me/here/-"],
            ["17", "a '/' b '/' c", "0/0/0"],
        ],
    ),
    "bare head with a third column that is aligned on the left": (
        """
        Field   Format      Sample
            1   a number    12
            2   some text   hello you
        """,
        "columns",
        [["Field", "Format", "Sample"]],
        [["1", "a number", "12"], ["2", "some text", "hello you"]],
    ),
}

# What is no table of any style, or not certain to be one.
LEFT: dict[str, str] = {
    "a paragraph": "Nothing but prose here.\nAnd more of it.",
    "a sentence with two blanks": "First one.  Second one\ngoes on.",
    "a title with an underline": "1. A title\n----------\n",
    "a box": """
        +-------+
        | value |
        +-------+
        """,
    "a row of boxes": """
        +---+---+------+
        | F | A |      |
        | I | B | REST |
        | N | C |      |
        +---+---+------+
        """,
    "boxes beside one another": """
        +-----+     +-----+
        |  A  |-----|  B  |
        +-----+     +-----+
        |  C  |     |  D  |
        +-----+     +-----+
        """,
    "a drawing that goes on below": """
        +-----+-----+
        |  A  |  B  |
        +-----+-----+
        |  C  |  D  |
        +-----+-----+
           |     |
        """,
    "a drawing with text below it": """
        +-----+-----+
        |  A  |  B  |
        +-----+-----+
        |  C  |  D  |
        +-----+-----+
             a foot
        """,
    "a grid with text behind its border": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   | and more
        +-----+-----+
        """,
    "a grid whose border is crossed by text": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   |
        | crossing it
        +-----+-----+
        """,
    "a grid with a line that ends inside a cell of two columns": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   |
        | crossing
        +-----+-----+
        """,
    "a grid with a row that is cut in two ways": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   |
        | over both |
        +-----+-----+
        """,
    "a grid with cells over all columns only": """
        +-----+-----+
        | one       |
        +-----+-----+
        | two       |
        +-----+-----+
        """,
    "a grid without a foot": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   |
        | E   | F   |
        """,
    "a grid with a rule of another width": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   |
        +-----+--------+
        """,
    "a grid with a rule that is indented": """
        +-----+-----+
        | A   | B   |
          +---+-----+
        | C   | D   |
        +-----+-----+
        """,
    "a grid with a cell over two rows": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   | D   |
        |     +-----+
        |     | E   |
        +-----+-----+
        """,
    "a grid with text beside a rule": """
        +-----+-----+
        | A   | B   |
        |  x  +--+--+
        |     |E |F |
        +-----+--+--+
        | a   |b |c |
        +-----+--+--+
        """,
    "a grid with a cross in its text": """
        +------+------+
        | item | text |
        +------+------+
        | a    | +--+ |
        +------+------+
        """,
    "a grid without any filled column": """
        +-----+-----+
        | A   | B   |
        +-----+-----+
        | C   |     |
        +-----+-----+
        |     | D   |
        +-----+-----+
        """,
    "a grid with a band of two rows or one, nobody knows": """
        +---------+---------+
        | A       | B       |
        +---------+---------+
        | short   | text    |
        +---------+---------+
        | a whole | is also |
        | cell is | wrapped |
        +---------+---------+
        """,
    "a grid with a key alone on a line": """
        +--------+------+
        | A      | B    |
        +--------+------+
        | one    | two  |
        | three  |      |
        | four   | five |
        +--------+------+
        """,
    "a square matrix with a label beside it": """
                | RED | BLU
            ----+-----+----
            RED | RED | BLU
            ----+-----+----
       mode BLU | BLU | BLU
        """,
    "alternatives": "all | odd | even\nnone | some",
    "alternatives over many lines": "a | b\nc | d\ne | f\ng | h\ni | j\nk | l\n---+---\n",
    "pipes with another rule": """
        A   | B
        ----+-----
        c   | d
        ------+---
        e   | f
        """,
    "pipes with a rule of another kind": "A | B\n-- | --\nc | d",
    "pipes with text in the way": """
        A   | B
        ----+-----
        c   | d
        some prose here
        """,
    "pipes with a head alone": "A   | B\n----+-----\n",
    "pipes with a line that is too short": "A   | B\n----+-----\nc   | d\ne",
    "pipes with keys that end with commas in one band": """
        A      | B
        -------+------
        one,   | first
        two    | second
        """,
    "marks under a line of code": """
        set path regsub((a|b),c)
                       |-----|-|
             first _/       /
        """,
    "marks under a line of code that has bars": """
        a | b | c
        |---|---|
        one two
        """,
    "a rule with more columns than names": """
        name     value
        -------+-------+------
        a        b       c
        """,
    "groups of columns over text": """
        name     A: b c
        -------+----+----
        one      two  three
        """,
    "a rule without rows": "name     value\n-------+--------\n",
    "a rule with rows of one column": "name     value\n-------+--------\nabc\ndef\n",
    "a ruled table with prose below": """
        name     value
        -------+--------
        a        one
        b        two
        Some prose that follows.
        """,
    "a ruled table with a short line below": """
        name     value
        -------+--------
        a        one
        Notes:
        """,
    "a ruled table that starts with a continuation": """
        name     value
        -------+--------
                 zero
        a        one
        """,
    "a ruled table whose columns cross": """
        name     first    second
        -------+--------+--------
        a        one      two
        b                     three four
        c        one two three four
        """,
    "a bare head with prose": "Flags   Reason\nThis is prose.",
    "a bare head alone": "Flags   Reason",
    "a bare head with numbers that do not rise": "Code  When\n  12  one\n  11  two",
    "a bare head with one row": "Code  When\n  12  one",
    "a bare head with rows at its own column": "Code  When\n12    one\n13    two",
    "a bare head with a row elsewhere": "Code  When\n  12  one\n  13      two",
    "a bare head with a stranger": "Code  When\n  12  one\n  ab  two",
    "a bare head with rows that lack the third column": """
        Field   Format      Sample
            1   a number    12
            2   some text
        """,
    "a bare head over flags that repeat": "Flags   Reason\n\n   AA   One.\n\n   AA   Two.\n",
    "a bare head over flags at its own column": "Flags   Reason\n\nAA      One.\n\nBB      Two.\n",
    "a bare head over code": "Flags   Reason\n\n    some code\n",
    "a bare head over flags and prose": "Flags   Reason\n\n   AA   One.\n\n   Prose again.\n",
}


@pytest.mark.parametrize("name", READ)
def test_table_is_read(name: str) -> None:
    source, kind, head, rows = READ[name]
    table = one(source)
    assert table is not None
    assert table.kind == kind
    assert shown(table.head) == head
    assert shown(table.rows) == rows


@pytest.mark.parametrize("name", LEFT)
def test_text_is_left(name: str) -> None:
    assert one(LEFT[name]) is None


def test_words_wrapped_in_a_head_are_one_name() -> None:
    table = one(
        """
        +-----+--------------------+
        | id  | a long name that   |
        |     | continues          |
        +=====+====================+
        | a   | text that is long  |
        |     | continues          |
        +-----+--------------------+
        """
    )
    assert table is not None
    assert shown(table.head) == [["id", "a long name that continues"]]
    assert shown(table.rows) == [["a", "text that is long continues"]]


def test_decoration_and_lines() -> None:
    source, *_ = READ["matrix with heads in a rule, a head at the foot, and remarks"]
    table = one(source)
    assert table is not None
    assert table.decoration == (2, 6, 9, 10)
    assert table.span == Span(1, 10)
    assert table.lines[0] == " word                     spring    autumn"
    assert [row.span.first for row in table.rows] == [3, 4, 5, 7, 8]


def test_shared_indentation_is_removed() -> None:
    found = find(region(b"    A   | B\n   -----+----\n    a   | b\n\nText.\n"), 0)
    assert found is not None
    table, end = found
    assert end == 3
    assert table.lines == (" A   | B", "-----+----", " a   | b")


def test_table_ends_where_its_region_ends() -> None:
    place = region(b"A   | B\n----+----\na   | b\nc   | d\n")
    found = find(replace(place, last=3), 0)
    assert found is not None
    assert shown(found[0].rows) == [["a", "b"]]
    assert find(replace(place, last=2), 0) is None
    grid = region(dedent(READ["grid with a rule between all rows"][0]).lstrip().encode())
    assert find(replace(grid, last=6), 0) is None


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("| x |\n+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+\n", 1),
        ("x | y\na | b\n--+--\nc | d\n", 1),
        ("x  y\n---+---\na  b\n---+---\nc  d\n", 2),
    ],
)
def test_no_table_starts_inside_another(source: str, at: int) -> None:
    place = region(source.encode())
    assert find(place, at) is None
    assert find(replace(place, first=at), at) is not None


def test_cells_know_their_place() -> None:
    place = region(
        b"  +------+---------------+\n"
        b"  | word | text          |\n"
        b"  +------+---------------+\n"
        b'  | <a>  | see "big      |\n'
        b'  |      | thing" or "b" |\n'
        b"  +------+---------------+\n"
    )
    found = find(place, 0)
    assert found is not None
    first, second = found[0].rows[0].cells
    assert first.content == (Argument("<a>"),)
    references = [part for part in second.content if isinstance(part, Reference)]
    assert references == [Reference("big thing", "big thing", 4, 17), Reference("b", "b", 5, 23)]


def test_tabs_are_columns() -> None:
    found = find(region(b"A\t| B\n--------+-----\na\t| b\n"), 0)
    assert found is not None
    assert shown(found[0].rows) == [["a", "b"]]


LINES = st.one_of(
    st.sampled_from(
        [
            "+---+---+", "+===+===+", "| a | b |", "|   | b |", "| a |   |", "|   +---+",
            "| a b   |", "|   |   |", "a   | b", "----+----", "----|----", "a    b", "a  b",
            "name  type", "-- a -+- b -", "     b", "Code  When", "  12  text", "  13  more",
            "      text", "", "Flags  Reason", "   AA  One", "   AB  Two", "A: b c  D: e",
            "X  -  X", "--  X  -",
        ]
    ),
    st.text(alphabet="+-|=aX :\"<", max_size=12),
)  # fmt: skip


@given(st.lists(LINES, max_size=14))
def test_any_lines(lines: list[str]) -> None:
    place = region("\n".join(lines).encode())
    for at in range(place.last):
        if place.lines[at].text:
            find(place, at)


@given(
    st.sampled_from(sorted(READ)),
    st.lists(st.tuples(st.integers(0, 600), st.sampled_from(["", " ", "|", "+", "-", "x", "\n"]))),
)
def test_damaged_tables(name: str, damage: list[tuple[int, str]]) -> None:
    text = dedent(READ[name][0]).lstrip("\n")
    for at, other in damage:
        text = text[:at] + other + text[at + 1 :]
    place = region(text.encode())
    for at in range(place.last):
        if place.lines[at].text:
            find(place, at)


def tables(place: Region) -> Iterator[Table]:
    """All tables that start a block."""
    at = place.next_text(0)
    while at < place.last:
        found = find(place, at)
        if found is not None:
            yield found[0]
        at = place.next_text(found[1] if found else place.block_end(at))


@pytest.mark.skipif(not MANUALS, reason="the corpus is not here")
@pytest.mark.parametrize("path", MANUALS, ids=lambda path: "-".join(path.parts[-2:]))
def test_corpus_is_complete(path: Path) -> None:
    kinds = Counter(table.kind for table in tables(region(path.read_bytes())))
    if path.name == "configuration.txt":
        assert kinds["matrix"] and kinds["grid"] and kinds["pipes"] and kinds["columns"] >= 8


@pytest.mark.skipif(not MANUALS, reason="the corpus is not here")
def test_corpus_rows() -> None:
    path = CORPUS / "haproxy" / "3.4" / "configuration.txt"
    rows: Counter[str] = Counter()
    for table in tables(region(path.read_bytes())):
        rows[table.kind] += len(table.rows)
    assert rows["summary"] == 724
    assert rows["matrix"] == 190 + 80
    assert rows["ruled"] == 23
