"""
Weight against margin
=====================

The *margin* of a sample is negative where the ensemble is wrong about it, near zero where it is undecided, and
positive where it is right. Most emphases are a curve: the weight that a sample gets for its margin.
``emphatic.plot.emphasis`` draws it for any emphasis, your own included, since it asks the emphasis itself.

Hover over the curves, or click on a name of the legend to hide one.
"""

# sphinx_gallery_thumbnail_path = 'images/plot-emphasis.png'
from emphatic import plot
from emphatic.emphasis import Brown, Controlled, Exponential, Focal, Logistic, Mada, Mixed, Savage, Tangent

plot.emphasis(Exponential(), Mixed(0.3), Mixed(0.7), Controlled(alpha=0.3))

# %%
# A straight line on this logarithmic scale is Real AdaBoost's: weights grow without limit as a sample becomes
# more wrong. ``Mixed`` bends the line: below 0.5 down on both sides, so that the boundary is what counts, and
# above 0.5 up on both sides. ``Controlled`` cannot fall below a share of the largest weight.
#
# Losses that are made for noisy labels flatten out to the left, or fall again:

plot.emphasis(Exponential(), Logistic(), Mada(), Focal(), Savage(), Tangent(), Brown(c=2.0), scale="linear")
