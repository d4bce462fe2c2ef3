"""Paper 000: designing RBF classifiers for weighted boosting."""
