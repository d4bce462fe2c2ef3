"""The published tables of five papers, rerun from data and shown beside what the papers print.

`table` holds what all tables share, `p000` to `p004` hold the tables, `registry` lists them by id, and `reproduce` runs
them. Called by the command `emphatic reproduce` and by benchmarks; nothing else depends on it.
"""
