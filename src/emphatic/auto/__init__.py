"""`EmphaticClassifier`, the one to try first.

- `classifier` is what users meet; `deciding` (from probabilities to classes and sets) and `explained` (why) are parts
  of it that need only the fitted model.
- A fit makes one or more attempts (`attempt`), each a `search` over candidates that ends in a blend (`blend`): one on
  the whole table, or, with a `budget`, on `samples`.
- Candidates (`candidate` is their contract): `kernels`, `networks`, `trees`, `gradient`, `logistic`; of sparse
  matrices also `linear`.
"""

from emphatic.auto.classifier import EmphaticClassifier

__all__ = ["EmphaticClassifier"]
