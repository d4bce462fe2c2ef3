"""Fuzzy c-means and its variants, their validity, memberships in classes, and further minima by deflection (paper 004).

For users, and for FuzzyBoost and the fuzzy entropy emphasis, which start from memberships in classes. All clusterers
share one loop (`alternation`) and one base (`base`); a variant is a small file.
"""

from emphatic.clustering.agreement import fuzzy_adjusted_rand_score
from emphatic.clustering.classes import align, class_memberships
from emphatic.clustering.deflection import deflect, distance
from emphatic.clustering.entropy import EntropyCMeans
from emphatic.clustering.evidential import EvidentialCMeans
from emphatic.clustering.fuzzy_c_means import FuzzyCMeans
from emphatic.clustering.gustafson_kessel import GustafsonKessel
from emphatic.clustering.medoids import FuzzyKMedoids
from emphatic.clustering.noise import NoiseCMeans
from emphatic.clustering.possibilistic import PossibilisticCMeans
from emphatic.clustering.selection import ClusterSelection, select_n_clusters
from emphatic.clustering.units import LARGEST_FUZZINESS
from emphatic.clustering.validity import (
    fuzzy_silhouette_score,
    modified_partition_coefficient,
    partition_coefficient,
    partition_entropy,
    xie_beni_index,
)

__all__ = [
    "LARGEST_FUZZINESS",
    "ClusterSelection",
    "EntropyCMeans",
    "EvidentialCMeans",
    "FuzzyCMeans",
    "FuzzyKMedoids",
    "GustafsonKessel",
    "NoiseCMeans",
    "PossibilisticCMeans",
    "align",
    "class_memberships",
    "deflect",
    "distance",
    "fuzzy_adjusted_rand_score",
    "fuzzy_silhouette_score",
    "modified_partition_coefficient",
    "partition_coefficient",
    "partition_entropy",
    "select_n_clusters",
    "xie_beni_index",
]
