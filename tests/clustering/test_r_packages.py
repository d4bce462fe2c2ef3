"""What R's packages print: e1071 1.7-13, cluster 2.1.4 (R 4.2.2), and the example of votes in the article on fclust."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import scale

from emphatic.clustering import (
    FuzzyCMeans,
    fuzzy_adjusted_rand_score,
    partition_coefficient,
    partition_entropy,
    xie_beni_index,
)
from emphatic.datasets import load

IRIS, WINE = load_iris().data, scale(load_wine().data)


def converge(X, m, rows):
    return FuzzyCMeans(3, m=m, init=X[rows], tol=1e-15, max_iter=1000).fit(X)


CENTRES = {
    2.0: [
        [5.00396596056, 3.41408885982, 1.48281553091, 0.253546316721],
        [5.88893233967, 2.76106935566, 4.36395161254, 1.397315024935],
        [6.77501119843, 3.05238226367, 5.64678175036, 2.053546646366],
    ],
    1.5: [
        [5.00600927199, 3.42028368102, 1.47484683003, 0.251832981516],
        [5.88871913336, 2.74853561442, 4.37752781135, 1.414380426636],
        [6.82728847343, 3.06615081996, 5.70574139461, 2.066778875818],
    ],
}


@pytest.mark.parametrize(("m", "objective"), [(2.0, 60.5057106295), (1.5, 74.3821841871)])
def test_clusters_of_iris_are_those_of_e1071(m, objective):
    # X <- as.matrix(iris[, 1:4])
    # r <- cmeans(X, X[c(1, 61, 121), ], iter.max = 1e5, m = m, control = list(reltol = 1e-15))
    # r$centers; r$withinerror * 150
    found = converge(IRIS, m, [0, 60, 120])
    np.testing.assert_allclose(found.cluster_centers_, CENTRES[m], atol=1e-6)
    assert found.objective_ == pytest.approx(objective, abs=1e-6)


def test_indices_of_iris_are_those_of_e1071():
    # fclustIndex(r, X, index = "partition.coefficient"), "partition.entropy" and "xie.beni", for m = 2. The last one
    # divides by the number of rows twice: `withinerror` is a mean already
    found = converge(IRIS, 2.0, [0, 60, 120])
    shares = found.membership_
    assert partition_coefficient(shares) == pytest.approx(0.783397486117, abs=1e-6)
    assert partition_entropy(shares) == pytest.approx(0.395491581692, abs=1e-6)
    assert xie_beni_index(IRIS, shares, found.cluster_centers_) / 150 == pytest.approx(0.000912721020831, abs=1e-8)


SHARES = {
    "iris": (
        (IRIS, 2.0, [0, 120, 60]),
        60.5057106295,
        [
            [0.996623586026, 0.00107203426093, 0.00230437971316],
            [0.975852543382, 0.00749794715460, 0.01664950946348],
            [0.979825921498, 0.00641457854393, 0.01375949995775],
        ],
    ),
    "wine": (
        (WINE, 1.5, [0, 60, 130]),
        1079.59315717,
        [
            [0.953610979247, 0.0328663060517, 0.0135227147015],
            [0.778762420625, 0.1806104187171, 0.0406271606576],
            [0.928866188892, 0.0533068411329, 0.0178269699747],
        ],
    ),
}


@pytest.mark.parametrize(("given", "objective", "shares"), SHARES.values(), ids=SHARES)
def test_fuzzy_c_means_is_fanny_of_squared_distances(given, objective, shares):
    # f <- fanny(X, 3, memb.exp = m, metric = "SqEuclidean", maxit = 1e5, tol = 1e-15); f$objective; f$membership[1:3, ]
    # fanny knows distances only: half the mean squared distance inside of a cluster is that from its mean
    found = converge(*given)
    np.testing.assert_allclose(found.membership_[:3], shares, atol=1e-6)
    assert found.objective_ == pytest.approx(objective, abs=1e-6)


def test_clusters_of_votes_are_those_of_the_article_on_fclust():
    # R Journal 11(1), 2019, pages 198-210: NEFRC(D, k = 2, m = 1.5) of the Gower distances between the members of
    # Congress who voted on all 16 questions. Of two answers, that is the squared distance over 16, so its objective is
    # that of fuzzy c-means over 16. NEFRC goes row by row and stops when the squares of all changes sum to less than
    # 1e-9: from eight random starts, a plain loop stopped so had an index 0.8e-6 to 1.4e-6 below that of the minimum.
    # The printed one is 1.5e-6 below it
    problem = load("vote")
    answers = pd.DataFrame(problem.X)
    complete = answers.notna().all(axis=1).to_numpy()
    X, parties = (answers[complete] == "y").to_numpy(dtype=float), np.asarray(problem.y)[complete]
    found = FuzzyCMeans(2, m=1.5, tol=1e-15, max_iter=1000, random_state=0).fit(X)
    counts = pd.crosstab(found.labels_, parties)[["democrat", "republican"]].to_numpy()
    assert sorted(counts.tolist()) == [[19, 101], [105, 7]]
    assert fuzzy_adjusted_rand_score(parties, found.membership_) == pytest.approx(0.4871095, abs=2e-6)
