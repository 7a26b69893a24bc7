"""All kinds of defects, in classes: how many of each were repaired in HAProxy's manuals."""

from __future__ import annotations

from dataclasses import dataclass

from defects import layout, names, order, signatures, tables
from defects.defect import DefectGenerator


@dataclass(frozen=True, slots=True)
class Class:
    """A class of defects: `repaired` counts those of its history that are easy or medium to see.

    Each of its `generators` stands for the same share of them.
    """

    name: str
    repaired: int
    generators: tuple[DefectGenerator, ...]


CLASSES = (
    Class("order of entries", 63, (order.entry_moved, order.entry_swapped)),
    Class("order of tables", 16, (order.row_moved,)),
    Class("order of an index", 11, (order.index_moved,)),
    Class("order of a matrix", 9, (order.matrix_moved,)),
    Class("order of commands", 6, (order.command_moved,)),
    Class("quoted names", 31, (
        names.mention_misspelt, names.mention_short_misspelt, names.mention_permuted,
        names.mention_marks, names.mention_shortened, names.mention_old,
        names.see_also_misspelt,
    )),
    Class("signatures", 27, (
        signatures.bracket_dropped, signatures.bracket_other, signatures.comma_moved,
        signatures.type_dropped, signatures.type_misspelt, signatures.colon_blanks,
        signatures.blanks_doubled, signatures.blank_dropped,
    )),
    Class("missing from an index", 25, (order.index_row_dropped,)),
    Class("missing from a matrix", 18, (order.matrix_row_dropped,)),
    Class("matrix against entry", 15, (tables.matrix_mark, tables.usage_mark)),
    Class("indentation", 10, (
        layout.body_deep, layout.body_shallow, layout.example_flat, layout.label_misspelt,
        layout.see_also_glued, layout.see_also_label, layout.blank_line_dropped,
    )),
    Class("arguments", 10, (
        signatures.described_renamed, signatures.signature_renamed,
        signatures.argument_dropped, signatures.description_dropped, signatures.none_claimed,
    )),
    Class("doubled words", 12, (names.word_doubled, names.word_doubled_over)),
    Class("references to sections", 6, (
        names.number_missing, names.number_other, names.number_of_topic,
    )),
    Class("names in headings", 10, (names.heading_misspelt, names.row_misspelt)),
    Class("long lines", 10, (layout.line_too_long,)),
    Class("numbers of sections", 9, (layout.number_repeated, layout.dot_dropped)),
    Class("underlines", 8, (layout.underline_length,)),
    Class("signs", 12, (layout.tab_for_blanks, layout.blank_behind, layout.sign_pasted)),
    Class("quotes", 7, (names.quote_dropped,)),
    Class("names in examples", 11, (names.sample_misspelt, names.directive_misspelt)),
    Class("summary", 12, (
        tables.summary_dropped, tables.summary_changed, tables.summary_order,
        tables.title_changed,
    )),
    Class("missing from tables", 5, (order.summary_row_dropped,)),
    Class("entry in another section", 1, (order.entry_elsewhere,)),
    Class("placeholders", 3, (signatures.placeholder_misspelt,)),
    Class("entry twice", 5, (order.entry_repeated,)),
    Class("deprecated names", 4, (names.deprecated_recommended,)),
    Class("usage missing", 7, (tables.usage_dropped, tables.usage_misspelt)),
    Class("rows of tables", 8, (
        tables.cells_shifted, tables.border_broken, tables.row_over_two_lines,
        order.stale_row, order.row_types_changed,
    )),
    Class("the like", 4, (names.see_also_itself, names.count_wrong)),
)  # fmt: skip
