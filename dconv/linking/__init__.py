"""Names to places: symbols, resolution of references, examples, backlinks, keyword tables."""
