"""The formats of findings.

    result.py        a finding with its line: what each format is given
    text.py          for people: the line of compilers, the line of the source and a mark
    json_output.py   JSON, as `dconv/lint/check.schema.json` describes it
    sarif.py         SARIF 2.1.0, which code hosts and editors show
    github.py        annotations of GitHub workflows
    gitlab.py        Code Quality reports of GitLab
"""
