"""One file per subcommand of `emphatic`, and what they share (`console`)."""
