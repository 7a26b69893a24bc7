"""`dconv check`: rules that find mistakes in manuals before readers do.

    context.py            the input of a rule: a linked manual, its release, its dialect
    rule.py               rules and findings, as values
    rules/                one rule a module, and `RULES`
    rule_docs.py          the documentation of rules: --explain, SARIF
    grouping.py           findings that one edit fixes become one
    baseline.py           findings that are known, in a file
    program_keywords.py   a manual compared with its program's own list of keywords
    formats/              findings as text, JSON, SARIF and GitHub annotations

Shared by rules: `listings` (matrices and indexes), `arguments` (of entries), `name_index` (the
name nearest to a wrong one), `unresolved_names`, `misspelt_headings`, `sort_order`, `spelling`,
`numbering`, `frequency` (what is usual in a text).

To add a check, see CONTRIBUTING.md.
"""
