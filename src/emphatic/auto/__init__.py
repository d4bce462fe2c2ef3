"""`EmphaticClassifier`, the one to try first.

- `classifier` is what users meet; `decisions` (from probabilities to classes and sets) and `why` (what a model goes by)
  need only the fitted model.
- `searching`: a fit makes one or more attempts, each a search over candidates that ends in a blend: one on the whole
  table, or, with a budget, on samples.
- `candidates`: their contract, and one module per way to learn a table.
- `encoding` and `sparse` turn tables into inputs.
"""

from emphatic.auto.classifier import EmphaticClassifier

__all__ = ["EmphaticClassifier"]
