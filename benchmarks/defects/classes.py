"""The classes of defects, and how many of each were repaired in HAProxy's manuals."""

from __future__ import annotations

from dataclasses import dataclass

from defects import layout, names, order, signatures, tables
from defects.defect import DefectGenerator


@dataclass(frozen=True, slots=True)
class DefectClass:
    """A class of defects: its `generators` put such defects into a text.

    `repaired` counts those that commits to HAProxy's manuals repaired and that are easy or
    moderately easy to see; each generator stands for the same share of them.
    """

    name: str
    repaired: int
    generators: tuple[DefectGenerator, ...]


CLASSES = (
    DefectClass("order of entries", 63, (order.entry_moved, order.entry_swapped)),
    DefectClass("order of tables", 16, (order.row_moved,)),
    DefectClass("order of an index", 11, (order.index_moved,)),
    DefectClass("order of a matrix", 9, (order.matrix_moved,)),
    DefectClass("order of commands", 6, (order.command_moved,)),
    DefectClass("quoted names", 31, (
        names.mention_misspelt, names.mention_short_misspelt, names.mention_permuted,
        names.mention_marks, names.mention_shortened, names.mention_old,
        names.see_also_misspelt,
    )),
    DefectClass("signatures", 27, (
        signatures.bracket_dropped, signatures.bracket_other, signatures.comma_moved,
        signatures.type_dropped, signatures.type_misspelt, signatures.colon_blanks,
        signatures.blanks_doubled, signatures.blank_dropped,
    )),
    DefectClass("missing from an index", 25, (order.index_row_dropped,)),
    DefectClass("missing from a matrix", 18, (order.matrix_row_dropped,)),
    DefectClass("matrix against entry", 15, (tables.matrix_mark, tables.usage_mark)),
    DefectClass("indentation", 10, (
        layout.body_deep, layout.body_shallow, layout.example_flat, layout.label_misspelt,
        layout.see_also_glued, layout.see_also_label, layout.blank_line_dropped,
    )),
    DefectClass("arguments", 10, (
        signatures.described_renamed, signatures.signature_renamed,
        signatures.argument_dropped, signatures.description_dropped, signatures.none_claimed,
    )),
    DefectClass("doubled words", 12, (names.word_doubled, names.word_doubled_over)),
    DefectClass("references to sections", 6, (
        names.number_missing, names.number_other, names.number_of_topic,
    )),
    DefectClass("names in headings", 10, (names.heading_misspelt, names.row_misspelt)),
    DefectClass("long lines", 10, (layout.line_too_long,)),
    DefectClass("numbers of sections", 9, (layout.number_repeated, layout.dot_dropped)),
    DefectClass("underlines", 8, (layout.underline_length,)),
    DefectClass("characters", 12, (
        layout.tab_for_blanks, layout.trailing_blanks, layout.typographic_character,
    )),
    DefectClass("quotes", 7, (names.quote_dropped,)),
    DefectClass("names in examples", 11, (names.sample_misspelt, names.directive_misspelt)),
    DefectClass("summary", 12, (
        tables.summary_dropped, tables.summary_changed, tables.summary_order,
        tables.title_changed,
    )),
    DefectClass("missing from tables", 5, (order.summary_row_dropped,)),
    DefectClass("entry in another section", 1, (order.entry_elsewhere,)),
    DefectClass("placeholders", 3, (signatures.placeholder_misspelt,)),
    DefectClass("entry twice", 5, (order.entry_repeated,)),
    DefectClass("deprecated names", 4, (names.deprecated_recommended,)),
    DefectClass("usage missing", 7, (tables.usage_dropped, tables.usage_misspelt)),
    DefectClass("rows of tables", 8, (
        tables.cells_shifted, tables.border_broken, tables.row_over_two_lines,
        order.stale_row, order.row_types_changed,
    )),
    DefectClass("see also and counts", 4, (names.see_also_itself, names.count_wrong)),
)  # fmt: skip
