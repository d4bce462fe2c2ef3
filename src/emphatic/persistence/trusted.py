"""The list of trusted types: what a model file may hold, by name.

skops makes an object by `__new__` and by setting its attributes. For numbers, text, lists, arrays and scikit-learn's
public estimators it knows itself that this is harmless; here are our classes, and those of scikit-learn that fitted
models hold and skops does not know. Only classes that do nothing but keep what they are given, and never a prefix such
as `emphatic.`, under which there are also commands and stores.
"""

OURS = frozenset(
    f"emphatic.{name}"
    for name in (
        "auto.blend.Blend",
        "auto.blend.Member",
        "auto.classifier.EmphaticClassifier",
        "auto.encoding.TableEncoder",
        "auto.kernels.KernelModel",
        "auto.kernels.KernelRidge",
        "auto.networks.Network",
        "auto.networks.NetworkModel",
        "auto.scikit_learn.GradientEnsemble",
        "auto.scikit_learn.GradientModel",
        "auto.scikit_learn.GradientTrees",
        "auto.scikit_learn.LinearModel",
        "auto.scikit_learn.Logistic",
        "auto.trees.BaggedTrees",
        "auto.trees.BoostedTrees",
        "auto.trees.ForestModel",
        "boosting.fuzzy_boost.classifier.FuzzyBoostClassifier",
        "boosting.real_adaboost.RealAdaBoostClassifier",
        "clustering.fuzzy_c_means.FuzzyCMeans",
        "emphasis.controlled.Controlled",
        "emphasis.dynamic_mixed.DynamicMixed",
        "emphasis.exponential.Exponential",
        "emphasis.fuzzy_entropy.FuzzyEntropy",
        "emphasis.mixed.Mixed",
        "emphasis.neighbour.Neighbour",
        "emphasis.pattern_type.PatternType",
        "emphasis.uniform.Uniform",
        "fusion.classifier.FusionClassifier",
        "kernels.random_trees.Trees",
        "kernels.softmax_mlp.Layers",
        "learners.prototypes.ClassKMeans",
        "learners.mlp_network.MLPNetworkClassifier",
        "learners.parallel_perceptron.ParallelPerceptronClassifier",
        "learners.prototypes.Prototypes",
        "learners.random_tree.Shape",
        "learners.rbf_design.SampledCentres",
        "learners.rbf_network.RBFNetworkClassifier",
        "multiview.class_tree.classifier.ClassTreeClassifier",
        "multiview.class_tree.node.Node",
        "multiview.forest.MultiViewForestClassifier",
        "multiview.views.digit_views.DigitViews",
        "recipes.preparation.CategoryColumns",
        "recipes.svc.ProbableSVC",
        "tables.transformer.TableTransformer",
        "tables.transformer._Scale",
    )
)

SCIKIT_LEARNS = frozenset(
    f"sklearn.{name}"
    for name in (
        "_loss.link.HalfLogitLink",
        "_loss.link.Interval",
        "_loss.link.LogitLink",
        "_loss.link.MultinomialLogit",
        "_loss.loss.HalfBinomialLoss",
        "_loss.loss.HalfMultinomialLoss",
        "calibration._CalibratedClassifier",
        "calibration._SigmoidCalibration",
        "ensemble._hist_gradient_boosting.binning._BinMapper",
        "ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "metrics._dist_metrics.EuclideanDistance64",
        "metrics._dist_metrics.MinkowskiDistance64",
        "neighbors._ball_tree.BallTree",
        "neighbors._kd_tree.KDTree",
        "neural_network._stochastic_optimizers.AdamOptimizer",
        "neural_network._stochastic_optimizers.SGDOptimizer",
        "preprocessing._label.LabelBinarizer",
        "tree._tree.Tree",
    )
)

HELD_FUNCTIONS = frozenset({"functools.partial", "sklearn.utils.validation.check_array"})
"""What HistGradientBoosting keeps of a FunctionTransformer: a function that only checks its argument."""

TRUSTED = OURS | SCIKIT_LEARNS | HELD_FUNCTIONS
