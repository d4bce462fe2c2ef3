"""What a model goes by: columns that matter, one prediction, the blend in words."""
