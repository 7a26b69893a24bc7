"""Defects like those that maintainers of manuals had to repair: one module for each topic.

    defect.py       a defect, and the manual that it is put into
    order.py        entries and rows that are out of place, missing or repeated
    tables.py       tables, summaries, tables of sections
    names.py        names, references and words of prose
    signatures.py   signatures and what is said of their arguments
    layout.py       titles, indentation, labels and characters
    classes.py      all of them, with how often each was repaired
"""
