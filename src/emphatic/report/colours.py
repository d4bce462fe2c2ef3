"""The colours of the charts, in light and dark.

Figures are made in the light colours; in the dark theme the page exchanges each for its partner. All have a contrast
of at least 3 : 1 to their background (WCAG AA for graphics). They are those of Okabe and Ito, which can be told apart
without colour vision, made darker or lighter where the contrast requires it; marks differ in shape as well.
"""

BLUE, ORANGE, GREEN, PURPLE, SKY, BROWN, GREY = SERIES = (
    "#0067a8", "#c04c00", "#00795a", "#a8477f", "#2b86bd", "#8a6400", "#5b6576"
)  # fmt: skip
"""In the order in which they are used."""

DARK = dict(zip(SERIES, ("#58b3f0", "#ff9a4d", "#35c79d", "#e58fc0", "#9fd4f5", "#e0b84a", "#a3afc1"), strict=True))
"""The partner of each in the dark theme."""

SCALE = "Cividis"
"""For magnitudes: from dark blue to yellow, in even steps of lightness, readable without colour vision and in grey."""


def fade(colour: str, opacity: float) -> str:
    """Make a colour translucent, as an rgba text, which the page exchanges too.

    >>> fade("#0067a8", 0.25)
    'rgba(0,103,168,0.25)'
    """
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"
