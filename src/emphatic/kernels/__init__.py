"""Arrays in, arrays out: no classes, no randomness, no scikit-learn (numba).

Called by the learners, the clusterer, the evidence and `EmphaticClassifier`; each has a slow twin in tests/reference.
"""
