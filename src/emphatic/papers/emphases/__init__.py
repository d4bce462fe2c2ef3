"""The emphasis study: every emphasis, with four learners, on bundled problems, clean, noisy and imbalanced."""
