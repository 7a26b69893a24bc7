"""The forms in which findings are told: for people, editors, programs and jobs.

    report.py    what a form is given
    text.py      the line of compilers, the line of the source and a mark
    data.py      JSON, as `dconv/lint/check.schema.json` describes it
    sarif.py     SARIF 2.1.0, which hosts of code and editors show
    github.py    annotations of GitHub's jobs
"""
