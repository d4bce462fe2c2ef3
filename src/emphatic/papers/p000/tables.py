"""The tables of paper 000 by name: II, III and IV as equation 4 prints the vote, and other interpretations of them."""

from emphatic.papers.p000.table import EmphasisTable

WITH, WITHOUT, OWN = "centres drawn with emphasis", "centres drawn without emphasis", "centres with their own emphasis"
STOP = "growth ends at a negative edge"
FEW_LAMBDAS = (0.1, 0.3, 0.5, 0.7, 0.9)

TABLE_II = EmphasisTable("000-II", f"000, Table II: {WITH}", "II", "emphasised")
TABLE_III = EmphasisTable("000-III", f"000, Table III: {WITHOUT}", "III", "uniform")
# There are 121 pairs: 25 of them on folds, which then take less time than the runs.
TABLE_IV = EmphasisTable(
    "000-IV", f"000, Table IV: {OWN}", "IV", "separate", fold_lambdas=FEW_LAMBDAS, most_runs=20, parts=5
)

TABLE_II_STOP = EmphasisTable(
    "000-II-stop", f"000, Table II: {WITH}, {STOP}", "II", "emphasised", "stop", most_runs=10, parts=0
)
TABLE_III_STOP = EmphasisTable(
    "000-III-stop", f"000, Table III: {WITHOUT}, {STOP}", "III", "uniform", "stop", most_runs=10, parts=0
)


def make_descent_table(printed: str, step_scale: str) -> EmphasisTable:
    """Table III or IV with the paper's own solver, which is slow: fewer runs and λ, no cross-validation."""
    centres, what = {"III": ("uniform", WITHOUT), "IV": ("separate", OWN)}[printed]
    title = f"000, Table {printed}: {what}, gradient descent by “{step_scale}”"
    name = f"000-{printed}-sgd-{step_scale}"
    return EmphasisTable(
        name,
        title,
        printed,
        centres,
        solver="sgd",
        step_scale=step_scale,
        lambdas=FEW_LAMBDAS,
        most_runs=5,
        parts=0,
    )


TABLE_III_SGD_MAX, TABLE_III_SGD_MEAN, TABLE_III_SGD_RESAMPLE = (
    make_descent_table("III", scale) for scale in ("max", "mean", "resample")
)
TABLE_IV_SGD_MAX, TABLE_IV_SGD_MEAN, TABLE_IV_SGD_RESAMPLE = (
    make_descent_table("IV", scale) for scale in ("max", "mean", "resample")
)
