"""`EmphaticClassifier`, the one to try first.

`classifier` runs a `search` over candidates (`kernels`, `networks`, `trees`, `scikit_learn`), then blends the best of
them and explains the choice (`blend`).
"""

from emphatic.auto.classifier import EmphaticClassifier

__all__ = ["EmphaticClassifier"]
