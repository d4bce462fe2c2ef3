"""Paper 004: ensembles via fuzzy clustering and deflection."""
