"""Our classifiers and their peers on a table of the user's own: nested cross-validation, tests, one page."""
