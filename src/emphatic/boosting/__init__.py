"""The one boosting loop and the ensembles that it grows: `growth` first, then `training` and `real_adaboost`.

For users: `RealAdaBoostClassifier`, `FuzzyBoostClassifier`, `grow`, `together.fit_together`.
"""

from emphatic.boosting.growth import Growth, grow

__all__ = ["Growth", "grow"]
