"""Manuals of any length, made for measuring: written as HAProxy's are, about ovens.

A text of twice the lines has twice the sections, entries, links and examples, in a
tree of sections that gets wider and not deeper.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

HEADER = """\
                        -----------------------
                          HAProxy
                          Configuration Manual
                        -----------------------
                             version 0.1


"""
CHAPTER = """\
{number}. Bakery {number}
-------------{underline}

This chapter tells how ovens of the bakery {number} are heated, what they bake, and what
goes into the logs. Section {number}.1 has the rules, and "{earlier_name}" is what most begin with.

"""
SECTION = "\n{number}. {title}\n{underline}\n\n"
PROSE = """\
Ovens of this kind are heated before the dough goes in, and they stay warm for as long
as somebody bakes. The settings below can be written in any order; where two of them
say something about the same oven, the later one holds. See section {section} for more.

  - "{earlier_name}" is the first thing to set, since nothing is baked in a cold oven;
  - a <degree> has no unit, and grows with the heat of the day, from 0 to 900;
  - what is logged tells of each loaf (RFC 9110) at most once.

     name      weight    heat
    ---------+---------+--------
     rye         900      240
     wheat       750      230

"""
KEYWORD = """\
{name} <degree> [ slow | quick ]
  Heat the oven number {count} before loaves go in

  May be used in sections :   defaults | frontend | listen | backend
                                 yes   |    yes   |   yes  |   yes

  Arguments :
    <degree>  is how hot it shall be, a number from 0 to 900. An oven that is not
              told heats as "{earlier_name}" says.

    slow      heats for an hour, which is what rye likes.

  The oven stays as hot as <degree> until it is told otherwise, also while nobody
  bakes. Where bread burns, a lower <degree> helps, or opening the door.

  Example :
        listen oven-{count}
            {name} 240 slow
            bind :80{count}

  See also : "{earlier_name}" and section {section}.

"""
FETCH = """\
{name}(<loaf>) : integer
  Returns how much the <loaf> weighs, in grams, or 0 where the oven is empty. It is
  mostly used with "{earlier_name}", and costs nothing.

  Example :
        http-request deny if {{ {name}(1) gt 900 }}

"""
KINDS = (
    ("Alphabetically sorted keywords reference", "heat-{count}", KEYWORD, 13),
    ("Fetching loaves", "loaf.weight-{count}", FETCH, 26),
    ("Bind options", "door-{count}", KEYWORD, 13),
    ("Rules of ovens", "", PROSE, 20),
)


def manual(lines: int) -> str:
    """A manual of `lines` lines."""
    return HEADER + "".join(islice(_lines(lines), lines - HEADER.count("\n")))


def _lines(lines: int) -> Iterator[str]:
    width = 4 + round((lines / 300) ** 0.5)  # sections are about 300 lines long
    chapter = count = 0
    while True:
        chapter += 1
        underline = "-" * len(str(chapter))
        yield from CHAPTER.format(
            number=chapter, underline=underline * 2, earlier_name=_earlier_name(count)
        ).splitlines(keepends=True)
        for section in range(1, width + 1):
            number = f"{chapter}.{section}"
            title, name, entry, entries = KINDS[section % len(KINDS)]
            underline = "-" * (len(number) + len(title) + 2)
            heading = SECTION.format(number=number, title=title, underline=underline)
            yield from heading.splitlines(keepends=True)
            for _ in range(entries):
                count += 1
                yield from entry.format(
                    name=name.format(count=count), count=count, earlier_name=_earlier_name(count),
                    section=f"{chapter}.{section // 2 + 1}",
                ).splitlines(keepends=True)


def _earlier_name(count: int) -> str:
    """The name of a keyword that is somewhere before."""
    return f"heat-{max(14, count - count % 13)}"
