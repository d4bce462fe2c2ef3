"""What the audit and `EmphaticClassifier` share: folds, closed-form kernel ridge, temperature, greedy selection."""
