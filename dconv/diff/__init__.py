"""What changes in meaning from one state of some manuals to another.

    ManualSet, ManualSet ─compare→ Comparison ─┬─ text         for a mailing list
                                               ├─ json_output  JSON, described by diff.schema.json
                                               └─ page         in the theme of the site

`dconv.linking.matching` pairs entries and sections; `entry_changes` compares a pair of
entries, `word_diff` the words of their `passages`, `references` what they refer to.
"""
