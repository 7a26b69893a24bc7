"""What the text of an entry states: its defaults, its usages, and what to use instead of it.

The sentences are the manual's own; nothing is known here of a product.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from dconv.linking.passages import MAX_CACHED_TEXTS, sentences
from dconv.model import tree
from dconv.model.values import dataclass

# the value of a default: "http", 'on', 16384, 10s, a word for yes and no
VALUE = re.compile(
    r"""["'`](?P<quoted>[^"'`]+)["'`] | (?<![\w./-])(?P<plain>-?\d[\w./^]*(?<![.])%? |
    (?:on|off|yes|no|none|zero|enabled|disabled|active|inactive|unset|not\ (?:set|enabled|active)|
    unlimited|infinite|true|false|empty|auto|never|always)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
# "defaults to", "the default value since 3.3 is", "the default is": the value follows
DEFAULT_BEFORE_VALUE = re.compile(
    r"""(?P<of_another>,?\ (?:which|that)\ )?\bdefaults?\ to\b
    | \bdefault(?:\ (?:values?|size|setting|mode|policy|level|limit))?(?:\ since\ [\w.]+)?\ +
      (?:is|are|of|equals(?:\ [a-z][\w.]*\ \()?|:|=)(?!\ not\ to\b)
    | \bset\ to\b(?=[^.]{1,20}\bby\ default\b)""",
    re.VERBOSE | re.IGNORECASE,
)
STATE_WORDS = (
    r"(?:enabled|disabled|active|inactive|unset|unlimited|on|off|not (?:set|enabled|active))"
)
# "it is disabled by default", "by default this value is set to 50"
BY_DEFAULT = re.compile(
    rf"""^(?:it|they|this(?:\ \w+)?|the\ option|actions)\ (?:is|are)\ (?:usually\ )?
      (?P<before>{STATE_WORDS})\ by\ default\b
    | \band\ is\ (?P<joined>{STATE_WORDS})\ by\ default\b
    | ^by\ default,?\ (?:it|they|this\ \w+|the\ \w+|\w+)\ (?:is|are)\ (?:set\ to\ )?
      (?P<after>(?:{STATE_WORDS}|["'][^"']+["']|\d\w*)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
# "This is the default policy." after a value, "this is the default and the fastest"
TERM_IS_DEFAULT = re.compile(
    r"""^(?:\W*)this\ is\ the\ default(?:\ \w+)??(?:\.|,|\ and\b|$)
    | ^(?:\W*)\(?default(?:\)|$)""",
    re.IGNORECASE | re.VERBOSE,
)
# '"performance" being the default one'
DEFAULT_AFTER_VALUE = re.compile(
    r"""["'](?P<value>[^"']+)["'],?\ (?:being|is|as)\ the\ default\b
    | \b(?P<number>\d\w*)\ is\ the\ default\b""",
    re.VERBOSE | re.IGNORECASE,
)
# "the algorithm is set to random when no other was set": without the word "default"
IF_NO_OTHER = re.compile(
    r"""\b(?:is|are)\ set\ to\ (?P<quote>["'`]?)(?P<value>\w[\w.-]*)(?P=quote),?
      \ (?:(?:when|if)\ no\ other|unless\ another)\b
      [^.;]*\b(?:set|given|specified|configured|defined|chosen|selected|present)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# a flag: "This is recommended for public sites, and is the default."
FLAG_IS_DEFAULT = re.compile(
    r"\b(?:this|it) is (?:also )?the default\b(?! (?!for |in |on |when |since )[a-z])|"
    r",? and is the default(?=[.,;]|$)|\bit is (?:also )?enabled by default\b", re.IGNORECASE,
)
WITHOUT_FLAG = re.compile(r"by default\b", re.IGNORECASE)  # what happens by default
MAX_DISTANCE = 40  # characters between the word "default" and the value
# where a clause ends: a value after it belongs to other words
END_OF_CLAUSE = re.compile(r",? (?:but|when|if|unless|while|whereas|since|because|which)\b|[;(]")
# spellings of one value
SAME_VALUES = {
    "enabled": "on", "active": "on", "yes": "on", "true": "on",
    "disabled": "off", "inactive": "off", "no": "off", "false": "off", "not enabled": "off",
    "not active": "off", "not set": "unset", "none": "unset", "zero": "0", "unlimited": "infinite",
}  # fmt: skip
NUMBER = re.compile(r"(\d+)\s*(k|kb|kib|m|mb|mib|s|ms|seconds?)?", re.IGNORECASE)
UNITS = {"k": 1024, "m": 1024 * 1024}

# a sentence that says that something is deprecated, and one that says what to use
DEPRECATED = re.compile(
    r"\b(?:deprecated|obsolete[ds]?|discontinued|no longer|will be removed(?! from [a-z])|"
    r"(?:not|never) be used any ?more|is (?:now )?(?:redundant|superfluous))\b", re.IGNORECASE,
)
SAYS_WHAT_TO_USE = re.compile(
    r"""\binstead\b | \bin\ favou?r\ of\b | \bsuperseded\ by\b
    | \breplaced\ (?:by|with)\ (?:\w+\ ){0,3}["'`-]
    | \b(?:newer|new|preferred|replacement)\ (?:\w+\ )?is\ named\b
    | \bplease\ (?:use|see|start|switch|consider)\b
    | \b(?:equivalent|alias|same)\ (?:to|of|as)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# what to use, if a sentence before says that something is deprecated
USE = re.compile(
    r"\bus(?:e|ing) (?:the )?[\"']|"
    r"^the (?:correct|right|proper|recommended|preferred|suggested|new) "
    r"(?:approach|way|method|solution|replacement|syntax|form) is\b", re.IGNORECASE,
)
# "Deprecated.", "This keyword is deprecated", 'the "x" directive is now deprecated'
SAYS_DEPRECATED = re.compile(
    r"^deprecated\b|\b(?:this|\"[^\"]+\") (?:\w+ )?(?:is|has been) (?:now )?deprecated\b",
    re.IGNORECASE,
)
# what is around the quoted name of something older: 'to emulate the older "x"'
BEFORE_OLDER_NAME = re.compile(
    r"""(?:\b(?:emulat\w+|replac(?:es?|ing|ements?\ (?:for|of))|supersed(?:es?|ing)|in\ place\ of|
      (?:older|former|obsolete|deprecated|removed|legacy))\ (?:the\ )?(?:\w+\ )?)$""",
    re.VERBOSE | re.IGNORECASE,
)
WAS_REPLACED = re.compile(
    r"(?: \w+)? (?:is|was|has been|were) (?:now )?(?:removed|replaced|superseded)\b", re.IGNORECASE
)
QUOTED_NAME = re.compile(r"(?P<quote>[\"'])(?P<name>[^\"']+)(?P=quote)")
MAX_ADVICE_LENGTH = 300  # characters; what is longer is not a sentence
QUOTED = re.compile(r"\"([^\"]+)\"")
# "URI normalization is currently available as an experimental technical preview"
EXPERIMENTAL = re.compile(
    r"\b(?:is|are|considered)\b[^.]{0,30}\bexp(?:e?ri?|ir)mental\b|"
    r"\bstill exp(?:e?ri?|ir)mental\b", re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Default:
    """A default: of the entry, or of the argument or value `subject` that its text defines.

    `value` is as written ("10s"), `sentence` the one that says so.
    """

    value: str
    sentence: str
    subject: str = ""

    @property
    def key(self) -> str:
        """The value to compare: "disabled" is "off", 16kB is 16384."""
        value = self.value.casefold()
        match = NUMBER.fullmatch(value)
        if match is None:
            return SAME_VALUES.get(value, value)
        number, unit = int(match[1]), (match[2] or "").casefold()
        if unit.startswith("s"):
            return f"{number * 1000}ms"
        return f"{number}ms" if unit == "ms" else str(number * UNITS.get(unit[:1], 1))


def defaults(entry: tree.Entry) -> tuple[Default, ...]:
    """The defaults that the text of `entry` states, in source order, each once."""
    first_defaults: dict[tuple[str, str], Default] = {}
    for default in _defaults(entry.body):
        first_defaults.setdefault((default.subject, default.key), default)
    return tuple(first_defaults.values())


def flag_defaults(old: tree.Entry, new: tree.Entry) -> tuple[str, str] | None:
    """What happens by default in `old`, and that `new` is the default now: a sentence of each.

    None if the texts do not say so, or the entry has arguments.
    """
    if any(item.text != item.name for entry in (old, new) for item in entry.signatures
           if not item.negated):
        return None
    before, after = list(sentences(old.body)), list(sentences(new.body))
    old_defaults = [text for text in before if WITHOUT_FLAG.match(text) and text not in after]
    new_defaults = [text for text in after if FLAG_IS_DEFAULT.search(text)]
    if not old_defaults or not new_defaults or any(map(FLAG_IS_DEFAULT.search, before)):
        return None
    return old_defaults[0], new_defaults[0]


def _folded(paragraph: tree.Paragraph) -> str:
    return tree.plain_text(paragraph.content).casefold()


def _defaults(body: tuple[tree.Flow, ...]) -> Iterator[Default]:
    """Those of the prose of `body`; what a definition says is about its innermost term."""
    nodes = list(tree.walk(body))
    # most paragraphs state none, and the patterns below cost more than these words
    paragraphs = [
        node for node in nodes
        if isinstance(node, tree.Paragraph)
        and ("default" in (text := _folded(node)) or "other" in text)
    ]
    if not paragraphs:
        return
    terms: dict[int, str] = {}
    for node in nodes:
        if isinstance(node, tree.Definition) and node.terms:
            terms.update((id(below), node.terms[0].name) for below in tree.walk(node.body))
    names = frozenset(terms.values())
    for paragraph in paragraphs:
        term = terms.get(id(paragraph), "")
        for sentence in sentences([paragraph]):
            if term and TERM_IS_DEFAULT.search(sentence):
                yield Default(term, sentence)
            elif value := default_value(sentence, names):
                yield Default(value, sentence, term)


@lru_cache(maxsize=MAX_CACHED_TEXTS)  # releases of a product have most sentences in common
def default_value(sentence: str, terms: frozenset[str] = frozenset()) -> str:
    """The default that `sentence` states, or empty: the first value soon after such words.

    `terms` are those that the entry defines: they are values without quotation marks too.
    """
    text = sentence.casefold()
    if "default" in text and (value := _stated_default(sentence)):
        return value
    match = IF_NO_OTHER.search(sentence) if "other" in text else None
    if match and (match["quote"] or match["value"] in terms or VALUE.fullmatch(match["value"])):
        return match["value"]
    return ""


def _stated_default(sentence: str) -> str:
    """The value that `sentence` gives with the word "default", or empty."""
    if match := DEFAULT_AFTER_VALUE.search(sentence):
        return match["value"] or match["number"]
    if match := BY_DEFAULT.search(sentence):
        return (match["before"] or match["joined"] or match["after"]).strip("\"'")
    for match in DEFAULT_BEFORE_VALUE.finditer(sentence):
        if match["of_another"] and QUOTED.search(sentence[: match.start()]):
            continue  # '... parameter "id", which defaults to': of that one
        after = sentence[match.end() : match.end() + MAX_DISTANCE]
        if end := END_OF_CLAUSE.search(after):
            after = after[: end.start()]
        if value := VALUE.search(after):
            return value["quoted"] or value["plain"]
    return ""


def advice(body: Sequence[tree.Flow]) -> str:
    """The sentences of `body` that say what is deprecated and what to use instead, or empty.

    What to use is often in a sentence of its own, after the other.
    """
    candidates = [text for text in sentences(body) if len(text) <= MAX_ADVICE_LENGTH]
    deprecation = next((text for text in candidates if DEPRECATED.search(text)), "")
    following = candidates[candidates.index(deprecation) :] if deprecation else []
    replacement = next(chain(
        (text for text in following if SAYS_WHAT_TO_USE.search(text) or USE.search(text)),
        filter(SAYS_WHAT_TO_USE.search, candidates),
    ), "")
    return " ".join(
        dict.fromkeys(text for text in candidates if text in (deprecation, replacement))
    )


def older_names(blocks: Sequence[tree.Block]) -> Iterator[tuple[str, str]]:
    """The quoted names that sentences of `blocks` say are replaced by something else.

    Each comes with its sentence: 'to emulate the older "option lamp"'.
    """
    for sentence in sentences(blocks):
        if len(sentence) > MAX_ADVICE_LENGTH:
            continue
        for match in QUOTED_NAME.finditer(sentence):
            before, after = sentence[: match.start()], sentence[match.end() :]
            if BEFORE_OLDER_NAME.search(before) or WAS_REPLACED.match(after):
                yield match["name"], sentence


def is_deprecated(entry: tree.Entry) -> bool:
    """Whether the first sentences of `entry` say that it is deprecated."""
    return any(
        "deprecated" in text.casefold() and SAYS_DEPRECATED.search(text)
        for text in islice(sentences(entry.body[:1]), 2)
    )


def usages_by_kind(entry: tree.Entry) -> list[tuple[tree.UsageKind, tuple[tuple[str, str], ...]]]:
    """Where `entry` may be used: each kind with names and states.

    What the entry itself says of a kind replaces what tables say.
    """
    usages = [(usage.kind, usage.values) for usage in entry.usages]
    stated = [kind for kind, _ in usages]
    usages += [
        (kind, table.values) for table in entry.from_tables for kind in tree.USAGE_KINDS
        if table.name == kind and kind not in stated
    ]
    return usages


def experimental_sentence(entry: tree.Entry) -> str:
    """The sentence that says that the whole of `entry` is experimental, or empty.

    Sentences in definitions are about their terms.
    """
    paragraphs = [
        block for block in entry.body
        # the end of "experimental", which some misspell before it
        if isinstance(block, tree.Paragraph) and "mental" in _folded(block)
    ]
    return next((
        text for text in sentences(paragraphs)
        if EXPERIMENTAL.search(text) and not text.startswith("It ")  # "It": what is before
    ), "")
