"""Defects that maintainers of manuals have had to repair, made on purpose: one module a topic.

    defect.py       what a defect is, and a manual to make it in
    order.py        entries and rows out of their place, missing, twice
    tables.py       tables, summaries, tables of sections
    names.py        names, references and words of prose
    signatures.py   signatures and what is said of their arguments
    layout.py       titles, columns, labels, signs
    kinds.py        all of them, with how often each was repaired
"""
