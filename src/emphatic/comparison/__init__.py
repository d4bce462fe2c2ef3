"""Our classifiers and their peers on a table of the user's own: nested cross-validation, tests, one page.

`contenders` says who takes part, `plan` what is fitted, `outcome` what came of it; `table` and `page` show it. Only the
commands and the benchmarks call this package, and only it knows the peers.
"""
