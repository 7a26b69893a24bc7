"""The stages in order: jobs, processes, cache, output and preview."""
