"""What paper 003 says about forests (Table 3, section 3.1, conclusion), judged."""

from collections.abc import Mapping

from emphatic.papers.claims import Claim
from emphatic.papers.p003.digits import view_sets
from emphatic.papers.p003.fingerprint import judge_fingerprint
from emphatic.papers.p003.judging import NOT_FINISHED, NOT_PUBLIC, judge_differences, mean, most_like_the_papers
from emphatic.papers.p003.kept import Forests, agreement, count_kept, count_single
from emphatic.papers.p003.settings import PER_CLASS, SOFT_RULES, list_settings, tree_setting
from emphatic.papers.p003.table import accuracies
from emphatic.study.results import Errors


def judge_forests(errors: Mapping[str, Errors], forests: Mapping[str, Forests]) -> list[Claim]:
    """All claims about Table 3 and its figures, from the errors and the forests of each problem."""
    return [
        _compare_with_best_tree(errors),
        judge_differences(
            "Table 3, section 3",
            "The forest of the five single views is more accurate than that of all 31 sets.",
            {name: _compare(name, found, "MVF_single", "MVF(all)") for name, found in errors.items()},
            "single views minus all sets in points",
        ),
        judge_differences(
            "Table 3",
            "Votes of trees by evidence are more accurate than votes of walks.",
            {name: _compare_evaluations(name, found) for name, found in errors.items()},
            "evidence minus walk in points",
        ),
        _judge_product(errors),
        _judge_best_of_all(errors),
        _judge_similar(forests),
        _judge_kept(forests),
        judge_differences(
            "Table 3, section 3.1",
            "Pruning the 31 trees to five does no harm: it is more accurate than all of them.",
            {name: _compare(name, found, "MVF(5)", "MVF(all)") for name, found in errors.items()},
            "five by kappa minus all sets in points",
        ),
        *judge_fingerprint(errors, forests),
        _judge_removal(errors, forests),
        judge_differences(
            "Section 3.1",
            "Principal components contribute to accuracy.",
            {name: _compare(name, found, "MVF_single", "MVF_single without pca_40") for name, found in errors.items()},
            "with minus without pca_40 in points, single views",
        ),
        _judge_pca_kept(forests),
        _judge_pca_independence(forests),
        Claim("Table 3", "The accuracies as printed.", None, NOT_PUBLIC),
        Claim("Figure 1", "The architecture of a forest.", None, "a drawing of the method: nothing is measured"),
        Claim("Figure 2", "The class tree on pixels and histograms.", None, f"redrawn on other digits; {NOT_PUBLIC}"),
        Claim("Figure 3", "The class tree on pixels.", None, f"redrawn on other digits; {NOT_PUBLIC}"),
        Claim("Figure 4", "A sample of the digits.", None, f"redrawn on other digits; {NOT_PUBLIC}"),
    ]


def read_means(problem: str, found: Errors, shape: str) -> dict[str, float]:
    """Mean accuracy of a shape by decision, such as "DS, Mean"; those that are finished."""
    values = {name: accuracies(found, setting) for name, setting in list_settings(problem, shape).items()}
    return {name: mean(each) for name, each in values.items() if each}


def _compare(problem: str, found: Errors, better: str, worse: str) -> dict[str, float]:
    first, second = read_means(problem, found, better), read_means(problem, found, worse)
    return {name: first[name] - second[name] for name in first if name in second and name != "DS, Dempster"}


def _compare_evaluations(problem: str, found: Errors) -> dict[str, float]:
    differences = {}
    for shape in ("MVF_single", "MVF(all)", "MVF(5)"):
        means = read_means(problem, found, shape)
        if {"DS, MV", "DT, MV"} <= means.keys():
            differences[shape] = means["DS, MV"] - means["DT, MV"]
    return differences


def _tree_means(problem: str, found: Errors) -> dict[str, float]:
    values = {
        "+".join(views): accuracies(found, tree_setting(problem, views, "evidence", PER_CLASS[0]))
        for views in view_sets(problem)
    }
    return {views: mean(each) for views, each in values.items() if each}


def _compare_with_best_tree(errors: Mapping[str, Errors]) -> Claim:
    differences = {}
    for problem, found in errors.items():
        single = [value for views, value in _tree_means(problem, found).items() if "+" not in views]
        means = read_means(problem, found, "MVF_single")
        if len(single) == sum(len(views) == 1 for views in view_sets(problem)):
            named = {name: value - max(single) for name, value in means.items() if name != "DS, Dempster"}
            differences[problem] = named
    return judge_differences(
        "Abstract, Table 3, section 4",
        "Multi-view learning improves accuracy: the forest of single views is above its best tree.",
        differences,
        "forest minus its best tree (by evidence, on the test folds) in points",
    )


def _judge_product(errors: Mapping[str, Errors]) -> Claim:
    place, text = "Table 3", "Product is the best rule for the forest of single views."
    parts, wins = [], []
    for problem, found in errors.items():
        means = read_means(problem, found, "MVF_single")
        rules = {name: means[f"DS, {name}"] for name in ("MV", *SOFT_RULES) if f"DS, {name}" in means}
        if len(rules) == 1 + len(SOFT_RULES):
            wins.append(rules["Prod"] >= max(rules.values()))
            parts.append(f"{problem} " + ", ".join(f"{name} {value:.2f}" for name, value in rules.items()))
    if not parts:
        return Claim(place, text, None, NOT_FINISHED)
    evidence = f"best on {sum(wins)} of {len(wins)} sets; holds if on all: {'; '.join(parts)}"
    return Claim(place, text, all(wins), evidence)


def _judge_best_of_all(errors: Mapping[str, Errors]) -> Claim:
    place, text = "Table 3", "The best of all 31 trees is hardly better than the best single view (0.11 points)."
    parts, gains = [], []
    for problem, found in errors.items():
        means = _tree_means(problem, found)
        if len(means) == len(view_sets(problem)):
            gains.append(max(means.values()) - max(value for views, value in means.items() if "+" not in views))
            parts.append(f"{problem} {gains[-1]:+.2f} ({max(means, key=lambda views: means[views])})")
    if not parts:
        return Claim(place, text, None, NOT_FINISHED)
    return Claim(place, text, max(gains) < 0.5, f"holds if less than 0.5 points everywhere: {'; '.join(parts)}")


def _judge_similar(forests: Mapping[str, Forests]) -> Claim:
    place, text = "Section 3", "Some of the trees of all sets of views are similar."
    parts, fewer = [], []
    for problem, found in forests.items():
        for shape in ("MVF(all)", "MVF(all), squared gap"):
            if shape in found:
                different = [metrics["different_trees"] for metrics in found[shape]]
                total = len(found[shape][0]["kept_views"])
                fewer.append(max(different) < total)
                parts.append(f"{problem}, {shape}: {min(different)} to {max(different)} different trees of {total}")
    if not parts:
        return Claim(place, text, None, NOT_FINISHED)
    return Claim(place, text, all(fewer), f"holds if equal trees occur in every fold: {'; '.join(parts)}")


def _judge_kept(forests: Mapping[str, Forests]) -> Claim:
    place, text = "Section 3.1", "The five trees that kappa keeps are the five single views."
    parts, whole = [], []
    for problem, found in forests.items():
        if "MVF(5)" in found:
            single = count_single(found["MVF(5)"])
            whole.append(min(single) == 5)
            parts.append(f"{problem} {mean(single):.1f} of 5")
    if not parts:
        return Claim(place, text, None, NOT_FINISHED)
    evidence = f"single views among the five, mean over the folds; holds if all five in every fold: {', '.join(parts)}"
    return Claim(place, text, all(whole), evidence)


def _judge_removal(errors: Mapping[str, Errors], forests: Mapping[str, Forests]) -> Claim:
    """Not a claim of the paper's: the other reading of its sentence on pruning."""
    place = "Section 3.1"
    text = "Read as removal of similar trees, pruning is more accurate than by pairs (our reading)."
    kept = ", ".join(
        f"{problem} {mean(count_single(found['MVF(5), by removal'])):.1f}"
        for problem, found in forests.items()
        if "MVF(5), by removal" in found
    )
    differences = {name: _compare(name, found, "MVF(5), by removal", "MVF(5)") for name, found in errors.items()}
    rule = f"single views kept of 5: {kept}; removal minus pairs in points" if kept else "removal minus pairs in points"
    return judge_differences(place, text, differences, rule)


def _judge_pca_kept(forests: Mapping[str, Forests]) -> Claim:
    place, text = "Section 3.1", "Principal components contribute to diversity: kappa keeps their tree."
    problem = most_like_the_papers(list(forests))
    folds = forests[problem].get("MVF(5)", []) if problem else []
    if not folds:
        return Claim(place, text, None, NOT_FINISHED)
    times = count_kept(folds)["pca_40"]
    evidence = f"{problem}: kept in {times} of {len(folds)} folds; holds if in most"
    return Claim(place, text, 2 * times > len(folds), evidence)


def _judge_pca_independence(forests: Mapping[str, Forests]) -> Claim:
    place, text = "Section 4", "The view of principal components is independent of that of the pixels."
    problem = most_like_the_papers(list(forests))
    folds = forests[problem].get("MVF_single", []) if problem else []
    if not folds or "kappa" not in folds[0]:
        return Claim(place, text, None, NOT_FINISHED)
    values = agreement(folds)
    own, average = values["image_vector", "pca_40"], mean(list(values.values()))
    rank = 1 + sum(value > own for value in values.values())
    evidence = (
        f"{problem}: kappa of their trees on test rows is {own:.3f}, the mean of all {len(values)} pairs "
        f"{average:.3f}, rank {rank} from the most similar; holds if not above the mean"
    )
    return Claim(place, text, own <= average, evidence)
