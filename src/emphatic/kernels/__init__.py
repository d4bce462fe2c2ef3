"""Arrays in, arrays out: no classes, no randomness, no scikit-learn. Each has a slow twin in tests/reference."""
