"""Everything that is fuzzed, by name."""

from typing import Any

from tests.fuzz.estimators import EstimatorTarget
from tests.fuzz.evidence import EVIDENCE
from tests.fuzz.functions import FUNCTIONS
from tests.fuzz.readers import COMMANDS, READERS

SEEDS = [0, 5, {"$generator": 1}, {"$random_state": 1}]
TREE = {"$make": ["DecisionTreeClassifier", {"max_depth": 2}]}
BAYES = {"$make": ["GaussianNB", {}]}
NEAREST = {"$make": ["KNeighborsClassifier", {"n_neighbors": 1}]}
RBF = {"$make": ["RBFNetworkClassifier", {}]}
MLP = {"$make": ["MLPNetworkClassifier", {"n_hidden": 2, "max_epochs": 10}]}
SCALED = {"$make": ["scaled", {"estimator": TREE}]}
BAD = [
    {"$make": ["Misbehaving", {"answer": answer}]}
    for answer in ("nan", "zeros", "negative", "one value", "none", "too many columns", "flat", "infinite")
]
LEARNERS = [TREE, BAYES, NEAREST, RBF, MLP, SCALED, *BAD]
MIXED = {"$make": ["Mixed", {"lam": 0.3}]}
NAMES = ("Uniform", "Controlled", "DynamicMixed", "Logistic", "Smooth", "Multiplicative", "Brown", "SoftMargin")
EMPHASES = [MIXED, *({"$make": [name, {}]} for name in NAMES)]
VOTES = [{"$make": [name, {}]} for name in ("Edge", "Equal", "LineSearch", "MarginMaximising", "Samme", "Shrunken")]
VIEWS = [
    {"$dict": {"one": [0], "all": {"$slice": [0, 2]}}},
    {"$dict": {"one": {"$slice": [0, 1]}}},
    {"$dict": {"names": ["c0", "c1"]}},
]
# what scikit-learn's own learners say of the odd tables that they are handed
FOREIGN = "least populated class|invalid value encountered|divide by zero|overflow encountered|n_neighbors"


STARTS = ["k-means++", "random", [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]]
CLUSTERS = {"n_clusters": [1, 2, 5], "n_init": [2], "max_iter": [1, 20], "tol": [0.0, 0.1], "random_state": SEEDS}


def members(*learners: Any) -> list[Any]:
    return [{"$tuple": [f"m{i}", one, None if i else {"$slice": [0, 1]}]} for i, one in enumerate(learners)]


ESTIMATORS = [
    EstimatorTarget(
        "RBFNetworkClassifier",
        {
            "design": [
                {"$make": ["SampledCentres", {"fraction": 0.5}]},
                {"$make": ["SampledCentres", {"n_centres": 3}]},
                {"$make": ["ClassKMeans", {"per_class": 2}]},
            ],
            "solver": ["ridge", "sgd", "pseudo_inverse"],
            "regularisation": [0, 1e-4, 1.0, 1e10],
            "output_range": ["clip", "tanh", "none"],
            "step": [0.01, 1.0],
            "n_epochs": [1, 5],
            "step_scale": ["max", "sum"],
            "targets": ["signs", "centred"],
            "random_state": SEEDS,
        },
        fixed={"n_epochs": 5},
    ),
    EstimatorTarget(
        "MLPNetworkClassifier",
        {
            "n_hidden": [1, 4],
            "step": [1e-4, 0.5],
            "max_epochs": [1, 20],
            "stall": [1, 5],
            "validation_fraction": [0, 0.1, 0.5, 0.9],
            "weight_range": [0.0, 1.0],
            "largest_weight": [0.1, 1e6],
            "updates": ["online", "batch", "both"],
            "random_state": SEEDS,
        },
        fixed={"max_epochs": 20},
    ),
    EstimatorTarget(
        "ParallelPerceptronClassifier",
        {
            "n_perceptrons": [1, 3, 5],
            "margin": [0.01, 0.5],
            "learning_rate": [1e-4, 0.5],
            "n_epochs": [1, 20],
            "keep": ["best", "last"],
            "step": ["sum", "mean"],
            "gamma_step": ["mean", "sum"],
            "stabilisation": [0.1, 1.0],
            "updates": ["batch", "online"],
            "random_state": SEEDS,
        },
        fixed={"n_epochs": 20},
    ),
    EstimatorTarget(
        "RealAdaBoostClassifier",
        {
            "estimator": LEARNERS,
            "emphasis": EMPHASES,
            "n_estimators": [1, 3],
            "design_emphasis": [MIXED, {"$make": ["Uniform", {}]}],
            "vote": ["auto", "emphasis", "uniform", *VOTES],
            "resample": ["auto", True, False],
            "negative": ["stop", "flip", "redraw"],
            "patience": [1, 2],
            "min_ess": [1, 5.0],
            "stop_ratio": [0.1, 0.9],
            "keep_weights": [True],
            "random_state": SEEDS,
        },
        fixed={"n_estimators": 3},
        known_warnings=FOREIGN,
    ),
    EstimatorTarget(
        "FuzzyBoostClassifier",
        {
            "estimator": LEARNERS,
            "n_estimators": [1, 4],
            "reward": [0.0, 0.9],
            "fuzziness": [1.1, 5.0],
            "n_deflections": [0, 1],
            "resample": [True, False, "auto"],
            "chains": ["both", "shared", "single"],
            "r_per_chain": [True],
            "samme": [True],
            "init": ["classes", "random"],
            "relaxation": [1.0],
            "aligned": [False],
            "keep_weights": [True],
            "random_state": SEEDS,
        },
        fixed={"n_estimators": 4},
        known_warnings=FOREIGN,
    ),
    EstimatorTarget(
        "FusionClassifier",
        {
            "members": [members(one, two) for one in (TREE, BAYES, RBF) for two in (BAYES, NEAREST, *BAD)],
            "fusion": ["dempster_shafer", "mean", "product", "maximum", "minimum", "majority"],
            "reliability": ["auto", "robust", None, 0.5, [0.5, 0.9]],
            "cv": [2, 3],
            "random_state": SEEDS,
        },
        fixed={"members": members(TREE, BAYES), "cv": 2},
        known_warnings=FOREIGN,
    ),
    EstimatorTarget(
        "ClassTreeClassifier",
        {
            "estimator": LEARNERS,
            "views": VIEWS,
            "evaluation": ["evidence", "hierarchical", "crisp"],
            "masses": ["discount", "raw"],
            "inner": ["samples", "means"],
            "normalise": [True],
            "random_state": SEEDS,
            "ratio": ["gap", "squared_gap"],
        },
        known_warnings=FOREIGN,
    ),
    EstimatorTarget(
        "MultiViewForestClassifier",
        {
            "views": VIEWS,
            "estimator": [TREE, BAYES, *BAD[:3]],
            "view_sets": ["single", "all"],
            "fusion": ["mean", "dempster_shafer", "majority"],
            "keep": [1],
            "kappa_folds": [2],
            "dedupe": [False],
            "evaluation": ["evidence", "crisp"],
            "masses": ["discount"],
            "inner": ["samples", "means"],
            "normalise": [True],
            "random_state": SEEDS,
            "ratio": ["gap", "squared_gap"],
            "pruning": ["removal"],
        },
        known_warnings=FOREIGN,
    ),
    EstimatorTarget(
        "FuzzyCMeans",
        {
            "n_clusters": [1, 2, 5],
            "m": [1.01, 1.5, 10.0],
            "init": ["k-means++", "random", [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]],
            "n_init": [2],
            "max_iter": [1, 20],
            "tol": [0.0, 0.1],
            "random_state": SEEDS,
        },
    ),
    *(
        EstimatorTarget(name, {**CLUSTERS, **values})
        for name, values in {
            "EntropyCMeans": {"temperature": ["auto", 1e-300, 0.5, 1e300], "init": STARTS},
            "EvidentialCMeans": {
                "m": [1.01, 10.0],
                "alpha": [0, 2.0],
                "noise_distance": ["auto", 1e-100, 1.0, {"$float": "inf"}],
                "focal_sets": ["pairs", "all", "singletons"],
                "init": STARTS,
            },
            "FuzzyKMedoids": {
                "m": [1.01, 10.0],
                "metric": ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "precomputed"],
                "init": ["build", "random", [0, 1, 2]],
            },
            "GustafsonKessel": {
                "m": [1.01, 10.0],
                "max_condition": [1, 1e12],
                "shrinkage": [0.5, 1],
                "init": STARTS,
            },
            "NoiseCMeans": {"m": [1.01, 10.0], "noise_distance": [1e-100, 1.0, {"$float": "inf"}], "init": STARTS},
            "PossibilisticCMeans": {"m": [1.01, 10.0], "widths": ["auto", 1, [1.0, 2.0, 1e-9]], "init": STARTS},
        }.items()
    ),
    EstimatorTarget(
        "EmphaticClassifier",
        {
            "time_budget": [0.01, 100],
            "metric": ["auto", "log_loss", "accuracy"],
            "decision": ["probability", "f1", "balanced", "cost"],
            "costs": [[[0, 1], [5, 0]], {"$dict": {"a": {"$dict": {"b": 2.0}}}}, {"$matrix": {"shape": [2, 2]}}],
            "class_weight": ["balanced", {"$dict": {"a": 2.0}}, {"$dict": {"a": -1}}],
            "label_noise": ["auto", "ignore", "weigh"],
            "random_state": SEEDS,
        },
        fixed={"time_budget": 0.05},
    ),
    EstimatorTarget(
        "TableTransformer",
        {"nominal": ["one_hot", "ordinal", "codes"], "scale": ["standard", "none"], "columns": ["all", "useful"]},
        weighted=False,
    ),
    EstimatorTarget(
        "EnsembleSearchCV",
        {
            "estimator": [
                {"$make": ["RealAdaBoostClassifier", {"estimator": one, "n_estimators": 2, "random_state": 0}]}
                for one in (TREE, RBF, NEAREST, BAD[0])
            ],
            "param_grid": [
                {"$dict": {"n_estimators": [1, 2]}},
                {"$dict": {"n_estimators": []}},
                {"$dict": {"nonsense": [1]}},
                {"$dict": {"emphasis": [{"$make": ["Mixed", {"lam": 0.1}]}, {"$make": ["Mixed", {"lam": 7}]}]}},
                [{"$dict": {"negative": ["stop", "flip"]}}, {"$dict": {}}],
            ],
            "strategy": ["grid", "random", "halving"],
            "n_iter": [1, 3],
            "factor": [2, 3],
            "cv": [2, 3],
            "scoring": ["accuracy", "neg_log_loss", "roc_auc", "unheard of"],
            "random_state": SEEDS,
        },
        fixed={
            "estimator": {"$make": ["RealAdaBoostClassifier", {"estimator": TREE, "n_estimators": 2}]},
            "param_grid": {"$dict": {"n_estimators": [1, 2]}},
            "cv": 2,
        },
        known_warnings=FOREIGN + "|Scoring failed|Only one class is present",
    ),
]

PARTS = [
    EstimatorTarget(name, values, wrap=("RealAdaBoostClassifier", "emphasis"), known_warnings=FOREIGN)
    for name, values in {
        "Annealed": {"first": EMPHASES, "last": EMPHASES, "rounds": [1, 3]},
        "Averaged": {"base": EMPHASES},
        "Brown": {"c": [1e-300, 1e-3, 0.5, 2, 1e3, 1e300]},
        "Capped": {"base": EMPHASES, "largest": [1, 1.5, 30.0, {"$float": "inf"}]},
        "Controlled": {"alpha": [0.0, 1.0], "beta": [0, 1], "f_scale": ["sum", "tanh", "clip"]},
        "CostSensitive": {
            "policy": ["adacost", "adac1", "adac2", "adac3", "csb2", "asymmetric"],
            "costs": [None, [1, 5], [1.0, 1e-300], {"$tuple": [1, 1, 2]}, [1e300, 1.0]],
            "rounds": [1, 50],
        },
        "DynamicMixed": {"lams": [[0.0], {"$tuple": [0.1, 1.0]}], "f_scale": ["raw", "sum"]},
        "Exponential": {},
        "Focal": {"gamma": [0, 0.5, 100.0]},
        "FuzzyEntropy": {
            "order": ["hard", "easy"],
            "reward": [0.0, 1.0],
            "fuzziness": [1.1, 3.0],
            "init": ["classes", "random"],
            "memberships": [{"$matrix": {"shape": [20, 2], "fill": "shares"}}],
            "random_state": SEEDS,
        },
        "Guided": {"base": EMPHASES, "guide": [None, *LEARNERS], "n_folds": [2, 5, 1000]},
        "Logistic": {},
        "Mada": {},
        "Mixed": {"lam": [0, 0.5, 1], "f_scale": ["raw", "sum", "tanh", "clip"]},
        "Multiplicative": {},
        "Neighbour": {
            "base": EMPHASES,
            "n_neighbors": [1, 3],
            "share": [0, 1],
            "same_class": [True, False],
        },
        "Oversampled": {"base": EMPHASES, "ratio": [0.2, 1.0], "n_neighbors": [1, 100]},
        "PatternType": {"policy": ["balanced", "noise", "redundant"], "near_noisy": ["all", "majority"]},
        "Robust": {"errors": [1e-9, 0.1, 0.49], "goal": [0, 0.5, 1e6], "spread": [1e-9, 0.1, 1e3]},
        "Savage": {},
        "Smooth": {"gamma": [1e-6, 0.1, 0.4999]},
        "SoftMargin": {"nu": [0.05, 0.2, 1], "accuracy": [1e-6, 0.05, 0.999]},
        "Tangent": {},
        "Undersampled": {"base": EMPHASES, "ratio": [0.1, 2.5, 1e300]},
        "Uniform": {},
    }.items()
]
PARTS += [
    EstimatorTarget(name, values, wrap=("RealAdaBoostClassifier", "vote"), known_warnings=FOREIGN)
    for name, values in {
        "Edge": {"under": ["emphasis", "bound"]},
        "Equal": {},
        "LineSearch": {},
        "MarginMaximising": {"accuracy": [1e-6, 0.1, 0.999]},
        "Samme": {},
        "Shrunken": {"rate": [1e-9, 0.1, 1], "base": [None, *VOTES]},
    }.items()
]
PARTS += [
    EstimatorTarget(name, values, wrap=("RBFNetworkClassifier", "design"))
    for name, values in {
        "ClassKMeans": {"per_class": [1, 3, 50], "overlap": [0.1, 3.0], "per": ["class", "total"]},
        "SampledCentres": {
            "fraction": [0.01, 1.0],
            "n_centres": [1, 5, 100],
            "max_centres": [1, 1000],
            "replace": [True],
            "assign": ["any_class", "own_class"],
            "width_floor": [0.0, 1.0],
        },
    }.items()
]

_ROTATIONS = {"n_rotations": [1, 3], "degrees": [0.0, 9.0, 360.0], "shape": [None, {"$tuple": [1, 2]}]}

VIEW_TARGETS = [
    EstimatorTarget(name, values, weighted=False)
    for name, values in {
        "ColumnSums": _ROTATIONS,
        "RowSums": _ROTATIONS,
        "DigitViews": {"square_root": [True], "shape": [None, {"$tuple": [1, 2]}]},
        "ImageVector": {"shape": [None, {"$tuple": [1, 2]}]},
        "OrientationHistogram": {"n_bins": [1, 4], "square_root": [True], "shape": [None, {"$tuple": [1, 2]}]},
        "PrincipalComponents": {"n_components": [1, 2], "shape": [None]},
    }.items()
]

TARGETS: dict[str, Any] = {
    target.name: target for target in [*ESTIMATORS, *PARTS, *VIEW_TARGETS, *FUNCTIONS, *EVIDENCE, *READERS, *COMMANDS]
}
