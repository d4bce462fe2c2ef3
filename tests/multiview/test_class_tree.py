"""Class trees: closed forms against brute force, walks and evidence, any classifier and any views, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.fusion.evidence import Masses, orthogonal_sum
from emphatic.learners.prototypes import ClassKMeans
from emphatic.multiview.class_tree import ClassTreeClassifier, Node
from emphatic.multiview.class_tree.evaluation import combine, predict_masses, walk
from emphatic.multiview.class_tree.node import assign_sides
from emphatic.multiview.class_tree.planning import View, all_partitions, least_cost_partition, plan_tree

X, y = load_iris(return_X_y=True)
VIEWS = {"sepal": [0, 1], "petal": [2, 3]}


def small(**parameters):
    """A tree of small networks."""
    return ClassTreeClassifier(RBFNetworkClassifier(ClassKMeans(5)), **{"random_state": 0, **parameters})


@pytest.mark.contract
@parametrize_with_checks(
    [
        ClassTreeClassifier(),
        ClassTreeClassifier(views={"some": slice(None, None, 2), "all": None}, evaluation="walk"),
        ClassTreeClassifier(GaussianNB(), {"first": slice(0, 1), "all": "all"}, masses="balloon"),
    ]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# evidence: identities 19 to 21


@st.composite
def trees(draw, most=7):
    """A tree over 2 to `most` classes, of any shape."""
    classes = draw(st.permutations(range(draw(st.integers(2, most)))))

    def grow(members):
        cut = draw(st.integers(1, len(members) - 1))
        parts = members[:cut], members[cut:]
        below = [grow(part) if len(part) > 1 else None for part in parts]
        return Node("view", *(tuple(sorted(part)) for part in parts), *below)

    return grow(classes)


def random_answers(tree, rng, n=4, certain=False):
    """Masses on the sides of every node; with `certain` nothing is left for ignorance."""
    shares = rng.dirichlet(np.ones(3), size=(n, len(list(tree))))[..., :2]
    if certain:
        first = rng.integers(1, 64, shares.shape[:2]) / 64  # sums of such numbers are exact
        shares = np.stack([first, 1 - first], axis=-1)
    masses = {node.split: shares[:, number] for number, node in enumerate(tree)}
    return lambda node, rows: masses[node.split][rows]


def n_classes_of(tree):
    return len(tree.first) + len(tree.second)


def bits(classes):
    return sum(1 << code for code in classes)


def by_brute_force(tree, ask, how, n=4):
    """The orthogonal sum of all nodes, by intersecting all their sets."""
    n_classes, rows = n_classes_of(tree), np.arange(n)
    theta = 2**n_classes - 1
    sources = []

    def visit(node, trust):
        w = ask(node, rows)
        outside = theta & ~bits(node.first + node.second) if how == "balloon" else 0
        sets = [bits(node.first) | outside, bits(node.second) | outside, theta]
        source = Masses.of(sets, np.column_stack([w, 1 - w.sum(axis=1)]), n_classes)
        sources.append(source.discount(trust) if how == "discount" else source)
        for k, (_, child) in enumerate(node.branches):
            if child is not None:
                visit(child, trust * w[:, k])

    visit(tree, np.ones(n))
    return orthogonal_sum(*sources)


@pytest.mark.parametrize("how", ["discount", "plain", "balloon"])
@given(tree=trees(), seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_closed_forms_are_the_orthogonal_sum(how, tree, seed):
    ask = random_answers(tree, np.random.default_rng(seed))
    found = combine(tree, ask, (4, n_classes_of(tree)), how)
    expected = by_brute_force(tree, ask, how)
    np.testing.assert_allclose(found.supports, expected.belief(), atol=1e-13)
    np.testing.assert_allclose(found.conflict, expected.conflict, atol=1e-13)


@given(tree=trees(), seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_certain_balloon_supports_sum_to_1(tree, seed):
    ask = random_answers(tree, np.random.default_rng(seed), certain=True)
    found = combine(tree, ask, (4, n_classes_of(tree)), "balloon")
    np.testing.assert_allclose(found.supports.sum(axis=1), 1)
    assert not found.conflict.any()


def test_undiscounted_certainty_leaves_nothing():
    """Four classes, two nodes side by side: each excludes what the other says, whatever they say."""
    below = Node("v", (0,), (1,), None, None), Node("v", (2,), (3,), None, None)
    tree = Node("v", (0, 1), (2, 3), *below)
    ask = random_answers(tree, np.random.default_rng(0), n=20, certain=True)
    plain = combine(tree, ask, (20, 4), "plain")
    assert not plain.supports.any()
    np.testing.assert_array_equal(plain.conflict, 1)
    discounted = combine(tree, ask, (20, 4), "discount")
    assert (discounted.supports.max(axis=1) > 0).all()


def test_undiscounted_masses_fail_on_digits():
    """A node off the path vetoes classes that it never saw: 54% are right where the walk has 96%."""
    images, digits = load_digits(return_X_y=True)
    train, test = slice(0, 1200), slice(1200, None)
    tree = ClassTreeClassifier(random_state=0).fit(images[train], digits[train])
    accuracy = {
        how: tree.set_params(masses=how).score(images[test], digits[test]) for how in ("discount", "balloon", "plain")
    }
    walked = tree.set_params(evaluation="walk").score(images[test], digits[test])
    assert accuracy["plain"] < 0.7
    assert min(accuracy["discount"], accuracy["balloon"], walked) > 0.95


def test_plain_masses_need_ignorance():
    with pytest.raises(
        ValueError, match='masses="plain" is not allowed with GaussianNB, which cannot express ignorance'
    ):
        ClassTreeClassifier(GaussianNB(), masses="plain").fit(X, y)
    ClassTreeClassifier(GaussianNB(), masses="plain").fit(X[:100], y[:100])  # two classes: one node
    ClassTreeClassifier(GaussianNB(), masses="plain", evaluation="walk").fit(X, y)
    small(masses="plain").fit(X, y)


@pytest.mark.parametrize("how", ["discount", "plain", "balloon"])
def test_two_classes_evidence_is_the_walk(how):
    rows = y > 0
    tree = small(masses=how).fit(X[rows], y[rows])
    far = np.vstack([X, 100 * X, -X])  # also where nothing speaks for either
    evidence = tree.predict(far)
    np.testing.assert_array_equal(evidence, tree.set_params(evaluation="walk").predict(far))


def test_walk_follows_the_larger_mass():
    tree = Node("v", (0, 2), (1,), Node("v", (0,), (2,), None, None), None)
    masses = {
        tree.split: np.array([[0.6, 0.2], [0.1, 0.2], [0.3, 0.3]]),
        tree.left.split: np.array([[0.2, 0.3], [0.9, 0.0], [0.5, 0.5]]),
    }
    found = walk(tree, lambda node, rows: masses[node.split][rows], (3, 3))
    np.testing.assert_array_equal(found, [[0, 0, 1], [0, 1, 0], [1, 0, 0]])  # of equal masses the first


# the shape of a tree


@pytest.mark.parametrize("n_classes", [2, 3, 5, 10, 12])
def test_a_tree_of_k_classes_has_k_minus_1_nodes_and_every_class_is_a_leaf_once(n_classes):
    table, labels = make_blobs(30 * n_classes, n_features=3, centers=n_classes, random_state=0)
    tree = ClassTreeClassifier(GaussianNB(), random_state=0).fit(table, labels)
    nodes = list(tree.root_)
    assert len(nodes) == n_classes - 1 == len(tree.classifiers_)
    leaves = [
        side for node in nodes for side, child in ((node.first, node.left), (node.second, node.right)) if child is None
    ]
    assert sorted(leaves) == [(code,) for code in range(n_classes)]
    for node in nodes:
        assert min(node.first) < min(node.second)
        for side, child in ((node.first, node.left), (node.second, node.right)):
            assert child is None or sorted(child.first + child.second) == sorted(side)


def cost(centroids, side):
    return sum(((part - part.mean(axis=0)) ** 2).sum() for part in (centroids[side], centroids[~side]))


@given(st.integers(2, 7), st.integers(0, 1000))
def test_partition_is_the_cheapest_of_all(n, seed):
    centroids = np.random.default_rng(seed).normal(size=(n, 3))
    found = least_cost_partition(centroids, np.random.default_rng(0))
    assert found[0] and not found.all()
    assert len(all_partitions(n)) == 2 ** (n - 1) - 1 == len({tuple(one) for one in all_partitions(n)})
    assert cost(centroids, found) <= min(cost(centroids, one) for one in all_partitions(n)) + 1e-9


def test_many_centroids_are_parted_by_k_means():
    rng = np.random.default_rng(0)
    truth = np.arange(30) % 3 == 0
    centroids = rng.normal(size=(30, 4)) + 9.0 * truth[:, None]
    np.testing.assert_array_equal(least_cost_partition(centroids, np.random.default_rng(1)), truth)


@pytest.mark.parametrize("n", [3, 8, 15])
def test_equal_centroids_are_parted_all_the_same(n):
    found = least_cost_partition(np.ones((n, 2)), np.random.default_rng(0))
    assert found[0] and not found.all()
    assert n > 10 or found.sum() == 1  # of equal costs the smallest side


def test_the_best_view_is_chosen_by_hand():
    tree = small(views=VIEWS).fit(X, y)
    assert [node.view for node in tree.root_] == ["petal", "petal"]
    assert small(views={"copy": [2, 3], "petal": [2, 3]}).fit(X, y).root_.view == "copy"  # of equal ones the first
    view = View("petal", X[:, 2:], y, np.full(150, 1 / 150), "samples", 0)
    first, second = X[y == 0, 2:], X[y > 0, 2:]
    means = first.mean(axis=0), np.mean([X[y == k, 2:].mean(axis=0) for k in (1, 2)], axis=0)
    inner = [np.linalg.norm(part - mean, axis=1).mean() for part, mean in zip((first, second), means)]
    assert view.split((0, 1, 2)) == ((0,), (1, 2))
    assert view.score((0, 1, 2)) == pytest.approx(np.linalg.norm(means[0] - means[1]) / sum(inner))


@pytest.mark.parametrize("inner", ["samples", "centroids"])
def test_the_squared_gap_is_the_gap_times_the_ratio(inner):
    plain, squared = (
        View("petal", X[:, 2:], y, np.full(150, 1 / 150), inner, 0, ratio) for ratio in ("gap", "squared_gap")
    )
    sides = plain.split((0, 1, 2))
    means = [plain.centroids[list(side)].mean(axis=0) for side in sides]
    assert squared.split((0, 1, 2)) == sides
    gap = np.linalg.norm(means[0] - means[1])
    assert squared.score((0, 1, 2)) == pytest.approx(gap * plain.score((0, 1, 2)))
    rows = np.arange(0, 150, 2)
    assert squared.take(rows).ratio == "squared_gap"  # folds are planned alike


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_only_the_squared_gap_depends_on_the_scale(scale):
    scaled = X * np.where(np.arange(4) < 2, scale, 1.0)  # the sepals only
    shapes = {}
    for ratio in ("gap", "squared_gap"):
        shapes[ratio] = [small(views=VIEWS, ratio=ratio).fit(table, y).root_ for table in (X, scaled)]
    assert shapes["gap"][0] == shapes["gap"][1]
    views = [node.view for node in shapes["squared_gap"][1]]
    assert views == ["sepal" if scale > 1 else "petal"] * 2
    ratios = [
        View("sepal", table[:, :2], y, np.full(150, 1 / 150), "samples", 0, "squared_gap").score((0, 1, 2))
        for table in (X, scaled)
    ]
    assert ratios[1] == pytest.approx(scale * ratios[0])


def test_inner_distances_of_centroids_are_0_for_two_classes():
    views = [View(name, X[:, at], y, np.full(150, 1 / 150), "centroids", 0) for name, at in VIEWS.items()]
    assert min(view.score((1, 2)) for view in views) > 1e9
    assert plan_tree(views, (0, 1, 2)).first == (0,)


def test_weights_are_counts():
    counts = np.random.default_rng(0).integers(0, 3, 150)
    counts[[0, 50, 100]] = 1
    rows = np.repeat(np.arange(150), counts)
    weighted = ClassTreeClassifier(GaussianNB(), VIEWS).fit(X, y, sample_weight=counts)
    repeated = ClassTreeClassifier(GaussianNB(), VIEWS).fit(X[rows], y[rows])
    assert weighted.root_ == repeated.root_
    np.testing.assert_allclose(weighted.supports(X), repeated.supports(X), rtol=1e-6)


def test_sides():
    np.testing.assert_array_equal(assign_sides(("v", (1,), (0, 3)), 5), [1, 0, -1, 1, -1])


# the classifiers at the nodes


@pytest.mark.parametrize(
    "classifier",
    [
        SVC(),
        LogisticRegression(),
        KNeighborsClassifier(),
        RBFNetworkClassifier(),
        RBFNetworkClassifier(ClassKMeans(5, per="super_class")),
        RealAdaBoostClassifier(RBFNetworkClassifier(ClassKMeans(2)), n_estimators=2),
        ClassTreeClassifier(GaussianNB()),
    ],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.parametrize("evaluation", ["walk", "evidence"])
def test_any_classifier_sits_at_a_node(classifier, evaluation):
    tree = ClassTreeClassifier(classifier, VIEWS, evaluation=evaluation, random_state=0).fit(X, y)
    assert tree.score(X, y) > 0.92
    assert {type(one) for one in tree.classifiers_.values()} == {type(classifier)}
    assert not hasattr(classifier, "classes_")
    supports = tree.supports(X)
    assert supports.min() >= 0 and supports.sum(axis=1).max() <= 1 + 1e-12


def test_a_node_is_the_network_that_one_would_train_by_hand():
    """Prototypes are those of the classes, widths look at the other side, and two outputs tell 0 from ignorance."""
    tree = ClassTreeClassifier(RBFNetworkClassifier(ClassKMeans(5), regularisation=1e-8), random_state=0).fit(X, y)
    root, below = tree.root_, tree.root_.right
    network, inner = tree.classifiers_[root.split], tree.classifiers_[below.split]
    np.testing.assert_array_equal(network.centres_[5:], inner.centres_)  # made once, for both nodes
    owner = np.repeat([0, 1, 1], 5)
    distances = np.linalg.norm(network.centres_[:, None] - network.centres_, axis=2)
    widths = np.where(owner[:, None] != owner, distances, np.inf).min(axis=1)
    np.testing.assert_allclose(network.widths_, widths)
    H = np.exp(-(np.linalg.norm(X[:, None] - network.centres_, axis=2) ** 2) / (2 * widths**2))
    Y = np.column_stack([y == 0, y > 0]).astype(float)
    W = np.linalg.solve(H.T @ H / 150 + 1e-8 * np.eye(15), H.T @ Y / 150)
    expected = np.clip(H @ W, 0, 1)
    expected /= np.maximum(expected.sum(axis=1, keepdims=True), 1)
    np.testing.assert_allclose(predict_masses("view", network, X), expected, atol=1e-5)
    np.testing.assert_array_equal(predict_masses("view", network, X + 1e4), 0)  # far from all prototypes: ignorance


def test_per_super_class_has_prototypes_of_the_sides():
    tree = ClassTreeClassifier(RBFNetworkClassifier(ClassKMeans(4, per="super_class")), random_state=0).fit(X, y)
    assert {len(one.centres_) for one in tree.classifiers_.values()} == {8}
    tree = ClassTreeClassifier(RBFNetworkClassifier(ClassKMeans(4)), random_state=0).fit(X, y)
    assert [len(tree.classifiers_[node.split].centres_) for node in tree.root_] == [12, 8]


def test_a_tree_may_be_boosted():
    boosted = RealAdaBoostClassifier(small(views=VIEWS), n_estimators=3, random_state=0).fit(X, y)
    assert boosted.score(X, y) > 0.95
    assert set(boosted.estimators_[0].columns_) == {"sepal", "petal"}


def test_the_same_seed_gives_the_same_tree():
    first, second, other = (small(views=VIEWS, random_state=seed).fit(X, y).supports(X) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


# outputs


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "parameters", [{}, {"normalise": True}, {"evaluation": "walk"}, {"masses": "balloon"}], ids=str
)
def test_supports_probabilities_outputs_and_labels_agree(n_classes, parameters):
    rows = y < n_classes
    tree = small(**parameters).fit(X[rows], y[rows])
    far = np.vstack([X, 100 * X])
    supports, probabilities, output = tree.supports(far), tree.predict_proba(far), tree.output(far)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert np.abs(output).max() <= 1
    np.testing.assert_array_equal(tree.predict(far), probabilities.argmax(axis=1))
    np.testing.assert_array_equal(tree.predict(far), output > 0 if n_classes == 2 else output.argmax(axis=1))
    total = supports.sum(axis=1)
    spoken_for = total > 0
    np.testing.assert_allclose(probabilities[spoken_for], supports[spoken_for] / total[spoken_for, None])
    if "normalise" in parameters:
        np.testing.assert_allclose(total, 1)


def test_full_conflict_and_full_ignorance_have_a_defined_answer():
    tree = small(masses="plain").fit(X, y)
    np.testing.assert_allclose(tree.predict_proba(X[:1] + 1e4), 1 / 3)  # nothing speaks for any
    assert tree.predict(X[:1] + 1e4) == [0]
    assert tree.conflict(X[:1] + 1e4) == [0]
    certain = ClassTreeClassifier(GaussianNB()).fit(X, y).set_params(masses="plain")  # refused by fit
    assert certain.conflict(X[y == 0]).min() > 0.99  # the flag
    assert np.isfinite(certain.predict_proba(X)).all()


def test_text_and_picture():
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    tree = small(views=VIEWS).fit(X, names)
    assert tree.export_text().splitlines() == [
        "petal: setosa | versicolor, virginica",
        "├─ setosa",
        "└─ petal: versicolor | virginica",
        "   ├─ versicolor",
        "   └─ virginica",
    ]
    lines, nodes, leaves = tree.plot().data
    assert list(nodes.text) == ["petal", "petal"]
    assert sorted(leaves.text) == ["setosa", "versicolor", "virginica"]
    assert "petal: setosa | versicolor, virginica" in nodes.hovertext
    assert len(lines.x) == 3 * 4  # an edge for every node and leaf but the root
    for method in ("export_text", "plot"):
        with pytest.raises(NotFittedError):
            getattr(ClassTreeClassifier(), method)()


# views


def test_views_by_name_by_function_and_as_tables_are_the_same():
    expected = small(views=VIEWS).fit(X, y)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    by_name = small(views={"sepal": ["a", "b"], "petal": slice("c", "d")}).fit(frame, y)
    np.testing.assert_array_equal(by_name.supports(frame), expected.supports(X))
    tables = {"sepal": X[:, :2], "petal": X[:, 2:]}
    as_tables = small().fit(tables, y)
    np.testing.assert_array_equal(as_tables.supports(dict(reversed(tables.items()))), expected.supports(X))
    assert as_tables.n_features_in_ == 4
    as_list = small().fit([X[:, :2], X[:, 2:]], y)
    assert list(as_list.columns_) == ["view_0", "view_1"]
    assert as_list.score([X[:, :2], X[:, 2:]], y) == pytest.approx(expected.score(X, y), abs=0.03)
    chosen = small(views={"sepal": lambda table: [0, 1], "petal": lambda table: [2, 3]}).fit(X, y)
    np.testing.assert_array_equal(chosen.supports(X), expected.supports(X))


def test_columns_of_no_view_are_not_used():
    tree = small(views={"petal": [2, 3]}).fit(X, y)
    changed = X.copy()
    changed[:, :2] = 77.0
    np.testing.assert_array_equal(tree.predict_proba(changed), tree.predict_proba(X))


# bad input


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"evaluation": "run"}, "evaluation='run' is not allowed"),
        ({"masses": "heavy"}, "masses='heavy' is not allowed"),
        ({"inner": "none"}, "inner='none' is not allowed"),
        ({"normalise": 1}, "normalise=1 is not allowed"),
        ({"ratio": "square"}, "ratio='square' is not allowed: ratio must be one of 'gap', 'squared_gap'"),
        ({"views": {}}, "views={} is not allowed"),
        ({"views": ["a"]}, "views=.* must be a dictionary"),
        ({"views": {"a": []}}, "view 'a' has no columns"),
        ({"views": {"a": [0, 4]}}, "view 'a' asks for column 4, but the table has 4"),
        ({"views": {"a": slice(0, 9)}}, "view 'a' asks for columns up to 9"),
        ({"views": {"a": "weight"}}, "view 'a' asks for column 'weight'"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        ClassTreeClassifier(**parameters).fit(X, y)


def test_estimator_must_be_a_classifier():
    with pytest.raises(TypeError, match="estimator='network' is not allowed"):
        ClassTreeClassifier("network").fit(X, y)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="only one class"):
        ClassTreeClassifier().fit(X[:50], y[:50])


def test_nan_names_its_view():
    broken = X.copy()
    broken[3, 2] = np.nan
    with pytest.raises(ValueError, match=r"view 'petal': .*NaN"):
        small(views=VIEWS).fit(broken, y)
    tree = small(views=VIEWS).fit(X, y)
    broken[3, 0] = np.inf
    with pytest.raises(ValueError, match=r"view 'sepal', 'petal': "):
        tree.predict(broken)
    with pytest.raises(ValueError, match=r"view 'b': .*NaN"):
        small().fit({"a": X[:, :2], "b": broken[:, 2:]}, y)


def test_tables_that_do_not_fit_together():
    with pytest.raises(ValueError, match="different numbers of rows"):
        small().fit([X[:, :2], X[:100, 2:]], y)
    with pytest.raises(ValueError, match="views must be None if X is several tables"):
        small(views=VIEWS).fit([X[:, :2], X[:, 2:]], y)
    tree = small().fit({"a": X[:, :2], "b": X[:, 2:]}, y)
    with pytest.raises(ValueError, match="X has the views a, c, but fit had a, b"):
        tree.predict({"a": X[:, :2], "c": X[:, 2:]})
    with pytest.raises(ValueError, match="view 'b' has shape"):
        small().fit({"a": X[:, :2], "b": X[:, 2]}, y)


@pytest.mark.parametrize("evaluation", ["walk", "evidence"])
def test_a_constant_view_and_few_samples(evaluation):
    table = np.hstack([np.zeros((150, 2)), X])
    tree = small(views={"constant": [0, 1], "good": slice(2, 6)}, evaluation=evaluation).fit(table, y)
    assert {node.view for node in tree.root_} == {"good"}
    constant = small(views={"constant": [0, 1]}, evaluation=evaluation).fit(table, y)
    assert np.isfinite(constant.predict_proba(table)).all()
    few = small(evaluation=evaluation).fit(X[[0, 1, 50, 100, 101]], y[[0, 1, 50, 100, 101]])
    np.testing.assert_array_equal(few.predict(X[[0, 50, 100]]), [0, 1, 2])


def test_a_class_without_weight_is_no_leaf():
    weight = (y != 1).astype(float)
    tree = small().fit(X, y, sample_weight=weight)
    assert tree.supports(X).shape == (150, 3)
    assert not (tree.predict(X[y != 1]) == 1).any()
    assert len(list(tree.root_)) == 1
