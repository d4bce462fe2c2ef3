"""Our classifiers and their peers on a table of the user's own: nested cross-validation, tests, one page.

`contenders` says who takes part, `splitting` which rows train and which test, `plan` what is fitted, `measures` what is
measured; `page` shows what came of it, by means of `emphatic.study.findings`. Only the commands and the benchmarks call
this package, and only it knows the peers.
"""
