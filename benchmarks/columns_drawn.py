"""Tables drawn at random: what is in them, and how the label depends on it. In each, some labels are noise."""

import numpy as np
import pandas as pd

Drawn = tuple[pd.DataFrame, np.ndarray]
LETTERS = list("abcdefghijklmnopqrstuvwxyz")


def _misspell(text: str, rng: np.random.Generator) -> str:
    """One letter is left out, doubled, replaced or swapped with the next."""
    place = int(rng.integers(len(text) - 1))
    before, here, after = text[:place], text[place], text[place + 1 :]
    changes = [before + after, before + here + here + after, before + str(rng.choice(LETTERS)) + after]
    return str(rng.choice([*changes, before + after[0] + here + after[1:]]))


def _decide(score: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Two classes, about half of the rows each, the likelier the higher the score."""
    chance = 1 / (1 + np.exp(-(score - np.median(score))))
    return np.where(rng.random(len(score)) < chance, "yes", "no").astype(object)


def _words(n: int, rng: np.random.Generator) -> list[str]:
    """Words that can be pronounced."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    return ["".join(rng.choice(syllables, rng.integers(2, 5))) for _ in range(n)]


def jobs(n: int = 1_500, seed: int = 1) -> Drawn:
    """30 occupations with an income of their own, in four ranks; half of the titles have a spelling mistake.

    Whether a loan is granted depends on the income of the occupation, the rank, the age and noise.
    """
    rng = np.random.default_rng(seed)
    occupations, ranks = np.array(_words(30, rng)), np.array(["assistant", "", "senior", "head"])
    income = rng.normal(0, 1.5, 30)
    occupation, rank, age = rng.integers(0, 30, n), rng.choice(4, n, p=[0.2, 0.5, 0.2, 0.1]), rng.normal(40, 10, n)
    titles = [f"{ranks[r]} {occupations[o]}".strip() for o, r in zip(occupation, rank)]
    titles = [_misspell(title, rng) if rng.random() < 0.5 else title for title in titles]
    frame = pd.DataFrame({"job": titles, "age": age.round(), "children": rng.poisson(1.2, n)})
    return frame, _decide(1.5 * income[occupation] + 0.8 * rank + 0.05 * age, rng)


def sales(n: int = 1_500, seed: int = 2) -> Drawn:
    """Moments of three years, in 5 shops; demand depends on the season, the weekend, the hour, the shop and noise."""
    rng = np.random.default_rng(seed)
    moments = np.datetime64("2021-01-01T00:00") + rng.integers(0, 3 * 365 * 24 * 60, n).astype("m8[m]")
    hours = moments.astype("M8[h]").astype(np.int64)
    shop = rng.integers(0, 5, n)
    season = np.cos(2 * np.pi * (hours / 24 % 365.25) / 365.25 - 1.0)
    weekend = (hours // 24 + 3) % 7 >= 5
    busy = np.exp(-((hours % 24 - 17) ** 2) / 8)
    shops = np.array(["north", "south", "east", "west", "centre"])
    frame = pd.DataFrame({"time": moments.astype(str), "shop": shops[shop], "price": rng.gamma(4, 5, n).round(2)})
    return frame, _decide(2 * season + 2 * weekend + 3 * busy + 0.3 * shop, rng)


def products(n: int = 1_500, seed: int = 3) -> Drawn:
    """Titles of a brand, an adjective, a thing and a size, for four departments with 25 things each.

    The department follows from the thing, but a tenth of the labels are drawn at random; prices differ a little.
    """
    rng = np.random.default_rng(seed)
    things, brands, adjectives = np.array(_words(100, rng)), _words(40, rng), _words(30, rng)
    thing = rng.integers(0, 100, n)
    department = thing // 25
    sizes = rng.choice(["S", "M", "L", "500 g", "1 kg", "2-pack"], n)
    endings = np.where(rng.random(n) < 0.3, "s", "")
    titles = [
        f"{rng.choice(brands).title()} {rng.choice(adjectives)} {things[k]}{ending}, {size}"
        for k, ending, size in zip(thing, endings, sizes)
    ]
    price = np.exp(rng.normal(2 + 0.3 * department, 0.8)).round(2)
    labels = np.where(rng.random(n) < 0.1, rng.integers(0, 4, n), department)
    frame = pd.DataFrame({"title": titles, "price": price, "stock": rng.poisson(20, n)})
    return frame, np.array(["garden", "kitchen", "office", "toys"], dtype=object)[labels]


def tickets(n: int = 1_500, seed: int = 4) -> Drawn:
    """Messages of 5 to 25 words; a third of the words is typical of the team, and one team answers at night.

    The team is one of three; a tenth of the labels are drawn at random.
    """
    rng = np.random.default_rng(seed)
    common, typical = np.array(_words(300, rng)), np.array(_words(120, rng)).reshape(3, 40)
    team = rng.integers(0, 3, n)
    hour = np.where(team == 2, rng.integers(18, 30, n) % 24, rng.integers(7, 20, n))
    days = np.datetime64("2023-01-01") + rng.integers(0, 365, n)
    opened = days.astype("M8[m]") + (60 * hour + rng.integers(0, 60, n)).astype("m8[m]")
    messages = []
    for k in team:
        from_team = rng.random(rng.integers(5, 26)) < 0.33
        messages.append(" ".join(rng.choice(typical[k] if one else common) for one in from_team))
    labels = np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), team)
    frame = pd.DataFrame({"message": messages, "opened": opened.astype(str), "priority": rng.integers(1, 5, n)})
    return frame, np.array(["billing", "delivery", "support"], dtype=object)[labels]


def postal_codes(n: int = 1_500, seed: int = 5) -> Drawn:
    """Codes of five digits, of which the first two are a region with a price of its own; some codes are frequent.

    Whether a flat is expensive depends on the region, the area, the age of the house and noise.
    """
    rng = np.random.default_rng(seed)
    codes = np.array([f"{region:02d}{rest:03d}" for region in range(10, 40) for rest in rng.integers(0, 1000, 20)])
    price = rng.normal(0, 1.5, 30)
    code = np.minimum(rng.zipf(1.3, n) * 7 % 600, rng.integers(0, 600, n))
    area, age = rng.gamma(6, 14, n).round(), rng.integers(0, 100, n)
    frame = pd.DataFrame({"code": codes[code], "area": area, "age": age, "floor": rng.integers(0, 6, n)})
    return frame, _decide(1.5 * price[code // 20] + 0.03 * area - 0.01 * age, rng)
