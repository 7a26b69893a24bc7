"""What explains configurations and log lines: the data of a release, for explain-engine.js.

    names of a release + tables of its dialect ──→ explain-data.js
    the release before it, compared            ──→ steps.js (see dconv/diff/upgrade_step.py)

docs/explain.md says what they hold, and how the engine reads.
"""
