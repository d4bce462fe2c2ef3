"""The recipes of this library and of scikit-learn, the one to try first at the front.

Ours are the ensembles of the papers, with parameters that nobody had to tune. Of scikit-learn's, besides seed and
threads, only one parameter is not at its default: LogisticRegression has `max_iter=1000`, which it asks for itself when
100 iterations were not enough.
"""

from functools import partial

from sklearn.tree import DecisionTreeClassifier

from emphatic.emphasis import Mixed, PatternType
from emphatic.learners import MLPNetworkClassifier, ParallelPerceptronClassifier, RBFNetworkClassifier, SampledCentres
from emphatic.recipes.preparation import CategoryColumns
from emphatic.recipes.recipe import Recipe

_BOOST = "emphatic.boosting.real_adaboost:RealAdaBoostClassifier"
_SMALL_TREE = DecisionTreeClassifier(max_depth=3, min_samples_leaf=5)  # a leaf of one sample would be certain of it
_SMALL_MLP = MLPNetworkClassifier(5, max_epochs=200, stall=20)
_RBF = RBFNetworkClassifier(SampledCentres(0.1))
_PERCEPTRONS = {"estimator": ParallelPerceptronClassifier(), "emphasis": PatternType(), "n_estimators": 20}

# fmt: off
OURS = (
    Recipe("EmphaticClassifier", "ours", "emphatic.auto:EmphaticClassifier", {"n_jobs": 1}, prepare=None, slow=True),
    # Paper 000: units on a tenth of the samples, three parts error and seven parts proximity to the boundary.
    Recipe("RealAdaBoost of RBF networks", "ours", _BOOST, {"estimator": _RBF, "emphasis": Mixed(0.3)}, slow=True),
    Recipe("RealAdaBoost of trees", "ours", _BOOST,
           {"estimator": _SMALL_TREE, "emphasis": Mixed(0.5), "n_estimators": 100}),
    # Paper 001: small networks.
    Recipe("RealAdaBoost of MLPs", "ours", _BOOST,
           {"estimator": _SMALL_MLP, "emphasis": Mixed(0.5), "n_estimators": 20}, slow=True),
    # Paper 004.
    Recipe("FuzzyBoost", "ours", "emphatic.boosting.fuzzy_boost:FuzzyBoostClassifier", slow=True),
    # Paper 002: the emphasis of balanced training patterns, stopped before it rests on too few samples.
    Recipe("Parallel perceptrons", "ours", _BOOST, {**_PERCEPTRONS, "min_ess": 5}, two_classes=True, slow=True),
)

SCIKIT_LEARNS = (
    Recipe("AdaBoost", "peer", "sklearn.ensemble:AdaBoostClassifier"),
    # By default it takes categorical columns of a frame as they are, but no more than 255 categories per column.
    Recipe("HistGradientBoosting", "peer", "sklearn.ensemble:HistGradientBoostingClassifier",
           prepare=partial(CategoryColumns, max_categories=255)),
    Recipe("RandomForest", "peer", "sklearn.ensemble:RandomForestClassifier", {"n_jobs": 1}),
    Recipe("ExtraTrees", "peer", "sklearn.ensemble:ExtraTreesClassifier", {"n_jobs": 1}),
    Recipe("SVC", "peer", "emphatic.recipes.svc:ProbableSVC", slow=True),
    Recipe("MLP", "peer", "sklearn.neural_network:MLPClassifier"),
    Recipe("LogisticRegression", "peer", "sklearn.linear_model:LogisticRegression", {"max_iter": 1000}),
)
# fmt: on

RECIPES = {recipe.name: recipe for recipe in (*OURS, *SCIKIT_LEARNS)}
"""By name."""
