"""Paper 002: balanced boosting with parallel perceptrons."""
