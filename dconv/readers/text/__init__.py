"""The reader of numbered, underlined, indented plain text: lines, outline, rules, nesting."""
