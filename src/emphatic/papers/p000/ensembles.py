"""The ensembles of paper 000: what a setting of its tables builds."""

from typing import Any

from emphatic.study.tasks import Setting

REGULARISATIONS = (1e-4, 1e-3, 1e-2, 1e-1)


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting.

    "emphasised" centres follow the emphasis of the output weights, "uniform" ones follow none, "separate" ones their
    own. With "lam_end", lambda changes over the rounds, from "lam" to it. "negative" says what becomes of a learner
    with a negative edge.
    """
    from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Annealed, Mixed, Uniform
    from emphatic.learners import SampledCentres

    solver = {name: setting[name] for name in ("solver", "regularisation", "step_scale") if name in setting}
    design = {"emphasised": None, "uniform": Uniform(), "separate": Mixed(setting.get("lam_cen", 0.5))}
    emphasis: Any = Mixed(setting["lam"])
    if "lam_end" in setting:
        emphasis = Annealed(emphasis, Mixed(setting["lam_end"]), rounds=setting["n_estimators"])
    return RealAdaBoostClassifier(
        RBFNetworkClassifier(SampledCentres(setting["fraction"]), **solver),
        emphasis,
        design_emphasis=design[setting["centres"]],
        n_estimators=setting["n_estimators"],
        random_state=random_state,
        negative=setting.get("negative", "stop"),
    )
