"""What the tags of manual pages name, without values and placeholders."""

from __future__ import annotations

import pytest

from dconv.readers.man.names import TagContext, list_context, read_names, shared_first_words
from dconv.readers.man.runs import BREAK, Run

FILE_FORMAT = TagContext(("DIRECTIVES",), "lampd.conf", "5")
COMMANDS = TagContext(("COMMANDS",), "lampctl", "8")


@pytest.mark.parametrize(
    ("tag", "context", "names"),
    [
        ("TrimWick BOOL", FILE_FORMAT, ("TrimWick",)),
        ("Lamps NUMBER", FILE_FORMAT, ("Lamps",)),
        ("Shared Yes\nShared No", FILE_FORMAT, ("Shared",)),
        ("MaxLamps 12", FILE_FORMAT, ("MaxLamps",)),
        ("WickLevel low\nWickLevel high", FILE_FORMAT, ("WickLevel",)),
        ("LampHost STR, LampPort NUMBER", FILE_FORMAT, ("LampHost", "LampPort")),
        ("lampversion 1 | 2", COMMANDS, ("lampversion",)),
        # what looks alike
        ("CREATE LAMP lamps", FILE_FORMAT, ("CREATE LAMP lamps",)),
        ("lamp allow", FILE_FORMAT, ("lamp allow",)),
        ("Satisfy all", FILE_FORMAT, ("Satisfy",)),
        ("Order lamps,oil", FILE_FORMAT, ("Order",)),
        ("-hh | -??", COMMANDS, ("-hh", "-??")),
        ("--lamp-[no-]oil", COMMANDS, ("--lamp-oil", "--lamp-no-oil")),
        ("--colo[u]r", COMMANDS, ("--color", "--colour")),
        ("after:lamp_id[:lamp_id...]", COMMANDS, ("after",)),
        ("Lamps (default: Oil >= 3.0: n, Oil < 3.0: y)", FILE_FORMAT, ("Lamps",)),
    ],
)
def test_names_are_without_values(tag: str, context: TagContext, names: tuple[str, ...]) -> None:
    first, *others = [Run(line, "bold") for line in tag.splitlines()]
    named = read_names([first, *(run for line in others for run in (BREAK, line))], context)
    assert named is not None
    assert named.names == names


def test_tags_that_give_one_setting_several_values_name_the_setting() -> None:
    tags = [[Run(text, "bold")] for text in ("OilPolicy keep-oil", "OilPolicy burn-oil")]
    shared = shared_first_words(tags)
    context = TagContext(("DIRECTIVES",), "lampd.conf", "5", shared_in_list=shared)
    named = [read_names(tag, context) for tag in tags]
    assert [names and names.names for names in named] == [("OilPolicy",), ("OilPolicy",)]


@pytest.mark.parametrize(
    "title",
    [
        "Oil level", "Built-in lamps", "Core lamps (since 2.0)", "Ways of Burning", "Example",
        "Example 3. Oil",
    ],
)
def test_titles_in_bold_name_nothing(title: str) -> None:
    context = TagContext(("EFFECTS",), "lampattributes", "5", among_literals=True)
    assert read_names([Run(title, "bold")], context) is None


def test_an_argument_alone_names_nothing() -> None:
    context = TagContext(("ARGUMENTS",), "lampctl", "8")
    assert read_names([Run("filename", "bold")], context) is None
    assert read_names([Run("path", "bold")], FILE_FORMAT) is not None


def test_titles_of_a_list_name_nothing() -> None:
    tags = [[Run(text, "bold")] for text in ("Oil box", "Wick", "MX/M2 lamp", "Lamp.net Store")]
    context = list_context(tags, TagContext(("PLACES",), "lampctl", "8"))
    assert [read_names(tag, context) for tag in tags] == [None] * 4


def test_a_setting_called_as_a_title_is_one_among_settings_with_capitals() -> None:
    context = TagContext(
        ("DIRECTIVES",), "lampd.conf", "5", among_literals=True, among_capitalized=True
    )
    names = read_names([Run("Example", "bold")], context)
    assert names is not None
    assert names.names == ("Example",)


def test_a_count_with_its_signs_is_no_option() -> None:
    tags = [[Run(text, "italic")] for text in ("+n", "-n", "n")]
    context = list_context(tags, TagContext(("TESTS",), "snuff", "1"))
    assert [read_names(tag, context) for tag in tags] == [None, None, None]


@pytest.mark.parametrize("tag", ["oil backend (Lamp Storage)", "struct wick *trimmed"])
def test_titles_and_parameters_in_bold_name_nothing(tag: str) -> None:
    assert read_names([Run(tag, "bold")], COMMANDS) is None
