"""Checks of manuals: what is wrong in a text, told with its place, before readers see it.

    subject.py     what a rule is given: a linked manual, its release, its dialect
    rule.py        what a rule is
    rules.py       all rules, in the order of the manual; a new one is added there
    run.py         rules applied to a manual
    page.py        the section of our manual about the rules
    NAME.py        one rule each, whose docstring is its page in our manual
"""
