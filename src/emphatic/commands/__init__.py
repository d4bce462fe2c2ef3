"""One file per subcommand of `emphatic`, and what they share: `options` and `console`. Only `cli` calls them.

Modules that compute are imported inside the functions: `emphatic --help` must answer at once.
"""
