"""
Units where the emphasis is
===========================

An RBF network answers with a sum of bells. Paper 000 draws the centres of the bells from the weights of the
samples, so that the networks of later rounds have their units where the ensemble still has difficulties.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from emphatic.learners import SampledCentres

X, y = make_moons(500, noise=0.2, random_state=0)
network = RBFNetworkClassifier(SampledCentres(fraction=0.05))

# %%
# The centres of all networks from round 5 on, under three values of lambda. With 0 the emphasis is on the
# boundary, with 1 on the errors. ``design_emphasis`` would let the centres follow another emphasis than the
# output weights.

figure, axes = plt.subplots(1, 3, figsize=(10.5, 3.7), sharex=True, sharey=True)
for axis, lam in zip(axes, (0.0, 0.5, 1.0), strict=True):
    model = RealAdaBoostClassifier(network, Mixed(lam), n_estimators=15, random_state=0).fit(X, y)
    axis.scatter(*X.T, c=["#e39aa4" if label else "#9dc0dd" for label in y], s=12, linewidth=0)
    for member in model.estimators_[5:]:
        axis.scatter(*member.centres_.T, facecolor="none", edgecolor="black", s=26, linewidth=0.8)
    axis.set_title(f"Mixed({lam:g})")
    axis.set_axis_off()
plt.show()
