"""From probabilities to classes, or sets of classes."""
