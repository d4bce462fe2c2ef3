"""
Watch an ensemble grow
======================

Figures to play with: drag the slider below to see the regions of the ensemble after each round, with samples as
large as the weights that the next learner saw.
"""

# sphinx_gallery_thumbnail_path = 'images/plot-boundary.png'
from sklearn.datasets import make_moons
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier, plot
from emphatic.emphasis import Mixed

X, y = make_moons(250, noise=0.3, random_state=0)
tree = DecisionTreeClassifier(max_depth=1)
model = RealAdaBoostClassifier(tree, Mixed(0.4), n_estimators=40, keep_weights=True, random_state=0).fit(X, y)
plot.boundary(model, X, y)

# %%
# What the fit recorded about the rounds: the edges of the learners (how much better than chance each was),
# their votes, and on how many samples the emphasis effectively rested.

plot.rounds(model)
