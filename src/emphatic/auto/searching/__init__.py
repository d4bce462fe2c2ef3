"""From candidates to a blend: which of them are tried, on which rows, within which budget."""
