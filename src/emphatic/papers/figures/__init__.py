"""Charts of reproduced tables."""
