"""`EmphaticClassifier` on Dask's collections: a search on a sample of the rows, and members that learn from all."""
