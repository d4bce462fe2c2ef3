"""One small candidate of each family: what is tested with them holds for every list of candidates."""

from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.trees import BaggedTrees, BoostedTrees
from emphatic.learners.random_tree import Shape

FEW = (
    KernelRidge("cityblock", 1.0),
    BaggedTrees(n_trees=10),
    Logistic((0.1,)),
    Network(n_units=8, dropout=0.2, checkpoints=(20, 40)),
    BoostedTrees(0.5, Shape(3), rounds=(2, 4)),
)
