"""`python -m emphatic`: the command, where its folder is not on the path."""

from emphatic.cli import main

if __name__ == "__main__":
    main()
