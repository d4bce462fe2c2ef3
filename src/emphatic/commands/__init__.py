"""One file per subcommand of `emphatic`, and what they share: `arguments` and `console`. Only `cli` calls them.

Modules that compute are imported inside the functions: `emphatic --help` must answer at once.
"""
