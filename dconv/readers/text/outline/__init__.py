"""The rules of the outline: header, summary, titles and footer, one construct a file."""
