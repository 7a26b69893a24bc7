"""A product with a dialect of our own, whose configurations and log lines can be explained."""

from __future__ import annotations

from pathlib import Path

from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.settings.types import unlisted_document
from dconv.sources.texts import ReleaseTexts, SourceText

DIALECT = """
[product]
name = "lamps"
title = "Lamps"

[[dialect.entry]]
kind = "house keyword"
title = '^House$'

[[dialect.entry]]
kind = "lamp keyword"
title = '^Lamps$'

[[dialect.entry]]
kind = "stand option"
title = '^Stands$'
names = "first"

[[dialect.entry]]
kind = "probe"
title = '^Probes$'
names = "first"

[[dialect.entry]]
kind = "shade"
title = '^Shades$'

[[dialect.entry]]
kind = "flame keyword"
title = '^Flames$'

[[dialect.item]]
kind = "alias"
title = '^Lines$'
term = '%(?P<name>[A-Za-z]+)$'

[[dialect.item]]
kind = "alias"
title = '^Times$'
label = '^table$'
term = '%(?P<name>[A-Za-z]+)$'

[[dialect.item]]
kind = "letter"
title = '^Letters$'
term = '(?P<name>[A-Z-])$'
qualifier = 'the (first|second) letter'

[dialect.syntax.sections]
house = ["house keyword"]
lamp = ["lamp keyword"]

[dialect.syntax.lines]
"stand <name>" = "stand option"

[dialect.syntax.roles]
alias = ["alias"]
fetch = ["probe"]

[dialect.explain]
directive_prefixes = ["no"]
condition_words = ["when"]
timer_fields = ["Tg"]

[dialect.explain.field_patterns]
w = '[a-z]+ wick'

[dialect.explain.sections]
house = ["flame keyword"]
lamp = ["shade"]

[dialect.explain.state]
kind = "letter"
fields = ["ts"]
places = ["first", "second"]

[[dialect.explain.log_format]]
name = "log glow"
variable = "GLOW_FORMAT"
text = "%n glows %Tg %ts"
"""

TEXT = """
1. House
--------

volts <number>
  Sets the voltage.  The default is 230.

2. Lamps
--------

wick <colour> [ when <test> ]
  Chooses the wick.

  Arguments :
    <colour>  is one of:
        - amber  : warm.
        - indigo : cold.

stand <name> [param*]
  Puts it there.

log-format <text>
  Sets the lines.

gas (deprecated)
  Burns gas. This is deprecated, use "wick" instead.

3. Stands
---------

brass [ polished ]
  A stand of brass.

height <size>
  How high it is. This is considered experimental here.

4. Probes
---------

dusk([<hour>]) : boolean
  Whether it is dark.

5. Lines
--------

- %n : its name
- %Tg : how long it glowed
- %ts : what ended it
- %w : which wick
- %o : options of all that follow

6. Letters
----------

On the first letter:

- O : the owner put it out.
- - : it still burns.

On the second letter:

- N : at night.
- - : nobody knows.
"""


def texts(folder: Path, text: str = TEXT, version: str = "2") -> ReleaseTexts:
    """The texts of the release `version`: one document, `text`; settings are put into `folder`."""
    own = folder / version
    own.mkdir()
    (own / "manual.toml").write_text(DIALECT)
    product = load_product(own)
    document = unlisted_document("lamps.txt")
    source = SourceText(text.encode(), "lamps.txt", product, document, Origin("here"))
    return ReleaseTexts("lamps", "Lamps", version, "", (source,))
