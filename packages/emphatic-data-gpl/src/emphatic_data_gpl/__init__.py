"""Two tables of the R package MASS, as files beside this one; `emphatic.datasets.load` reads them."""
