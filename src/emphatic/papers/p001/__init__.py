"""Paper 001: boosting ensembles with controlled emphasis intensity."""
