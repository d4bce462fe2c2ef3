"""What the captions of paper 000's tables say about an interpretation."""

from collections.abc import Sequence


def list_lambdas(lambdas: Sequence[float]) -> str:
    """The values of lambda, one after the other."""
    return ", ".join(f"{lam:g}" for lam in lambdas)


def describe_vote(negative: str) -> str:
    """Where votes come from, and what becomes of a negative edge."""
    ends = {
        "flip": "a negative edge gives a negative vote, as equation 4 has it",
        "stop": "a learner with a negative edge is drawn again up to five times, then growth ends",
    }
    return f"Votes come from the edge under Real AdaBoost's own distribution; {ends[negative]}."


def describe_solver(solver: str, step_scale: str, regularisation: float | None) -> str:
    """How output weights are trained."""
    if solver == "sgd":
        how = f'stochastic gradient descent, as in the paper, with steps scaled by "{step_scale or "max"}"'
    elif regularisation is None:
        how = "ridge, regularisation chosen by cross-validation inside each training part"
    else:
        how = f"ridge, regularisation {regularisation:g}"
    return f"Output weights: {how}."
