"""The published tables of the five papers, rerun from data: `registry` lists them, `reproduce` runs them."""
