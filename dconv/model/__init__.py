"""The values that travel between the stages: the tree, source lines, diagnostics, dialects."""
