"""Messages: numbers in sentences, and text of others on one line."""


def count(number: int, noun: str, plural: str = "") -> str:
    """The number with its noun, which is in the plural unless there is just one.

    >>> count(1, "fold"), count(3, "fold"), count(0, "class", "classes"), count(12000, "row")
    ('1 fold', '3 folds', '0 classes', '12,000 rows')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def as_one_line(text: str) -> str:
    """The text on one line; what does not print is shown by its number: a file could send commands to the terminal.

    >>> as_one_line("two\\n lines, \\x1b[2J")
    'two lines, \\\\x1b[2J'
    """
    line = " ".join(text.split())
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line)
