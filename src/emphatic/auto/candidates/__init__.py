"""Ways to learn a table, one per module, and the contract that they keep."""
