"""Classifiers by name that need no configuration, from this library and scikit-learn: their models can be saved.

`emphatic fit` builds its models from these recipes, and `comparison` adds those of other libraries to them. A recipe
takes a raw table: it prepares numbers, categories and missing values itself.
"""

from emphatic.recipes.methods import RECIPES
from emphatic.recipes.progress import show_progress
from emphatic.recipes.recipe import Recipe, sample_rows

__all__ = ["RECIPES", "Recipe", "sample_rows", "show_progress"]
