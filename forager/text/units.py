"""Units of measure: their spellings, what they measure, and how they are converted."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

Spellings = Mapping[str, tuple[str | int, str]]


class Unit(NamedTuple):
    """A unit: its symbol, the quantity that it measures, and how many of the base unit it is."""

    symbol: str
    quantity: str
    factor: Fraction


PERCENT = Unit("%", "share", Fraction(1))
TABLE: Mapping[str, Spellings] = {
    "information": {
        "bit": ("1/8", "bit bits"),
        "bytes": (1, "B byte bytes Byte Bytes octets"),
        "KB": (10**3, "KB kB kb kilobyte kilobytes"),
        "MB": (10**6, "MB mb megabyte megabytes Mo"),
        "GB": (10**9, "GB gb gigabyte gigabytes Go"),
        "TB": (10**12, "TB terabyte terabytes"),
        "KiB": (2**10, "KiB kibibyte kibibytes"),
        "MiB": (2**20, "MiB mebibyte mebibytes"),
        "GiB": (2**30, "GiB gibibyte gibibytes"),
        "TiB": (2**40, "TiB tebibyte tebibytes"),
    },
    "time": {
        "ns": ("1/1000000000", "ns nanosecond nanoseconds"),
        "µs": ("1/1000000", "µs μs us microsecond microseconds"),
        "ms": ("1/1000", "ms millisecond milliseconds Millisekunden millisecondes 毫秒"),
        "s": (1, "s sec secs second seconds Sekunde Sekunden seconde secondes 秒"),
        "min": (60, "min mins minute minutes Minute Minuten 分钟"),
        "h": (3600, "h hr hrs hour hours Stunde Stunden heure heures 小时"),
        "days": (86400, "d day days Tag Tage Tagen jour jours 天"),
        "weeks": (604800, "week weeks Woche Wochen semaine semaines 周"),
    },
    "calendar": {
        "months": (1, "month months Monat Monate Monaten mois 个月"),
        "years": (12, "year years Jahr Jahre Jahren an ans année années 年"),
    },
    "length": {
        "nm": ("1/1000000000", "nm nanometre nanometres nanometer nanometers"),
        "µm": ("1/1000000", "µm μm micrometre micrometres micrometer micrometers"),
        "mm": ("1/1000", "mm millimetre millimetres millimeter millimeters millimètres 毫米"),
        "cm": ("1/100", "cm centimetre centimetres centimeter centimeters Zentimeter 厘米"),
        "m": (1, "m metre metres meter meters mètre mètres 米"),
        "km": (1000, "km kilometre kilometres kilometer kilometers kilomètres 公里 千米"),
        "in": ("127/5000", "inch inches ″ Zoll pouces"),
        "ft": ("381/1250", "ft foot feet Fuß pieds"),
        "yards": ("1143/1250", "yd yard yards"),
        "miles": ("201168/125", "mi mile miles Meilen"),
    },
    "area": {
        "m²": (1, "m² m2 sqm"),
        "ha": (10**4, "ha hectare hectares Hektar"),
        "km²": (10**6, "km² km2"),
    },
    "volume": {
        "ml": ("1/1000", "ml mL millilitres milliliters"),
        "l": (1, "l L litre litres liter liters"),
    },
    "mass": {
        "mg": ("1/1000000", "mg milligrams"),
        "g": ("1/1000", "g gram grams Gramm grammes 克"),
        "kg": (1, "kg kilogram kilograms Kilogramm kilogrammes 公斤 千克"),
        "t": (1000, "t tonne tonnes Tonne Tonnen 吨"),
        "lb": ("45359237/100000000", "lb lbs pound pounds"),
    },
    "speed": {"m/s": (1, "m/s"), "km/h": ("5/18", "km/h"), "mph": ("1397/3125", "mph")},
    "frequency": {
        "Hz": (1, "Hz hertz"),
        "kHz": (10**3, "kHz kilohertz"),
        "MHz": (10**6, "MHz megahertz"),
        "GHz": (10**9, "GHz gigahertz"),
    },
    "power": {
        "mW": ("1/1000", "mW"),
        "W": (1, "W watt watts Watt"),
        "kW": (1000, "kW kilowatts"),
        "MW": (10**6, "MW megawatts"),
    },
    "voltage": {"mV": ("1/1000", "mV"), "V": (1, "V volt volts Volt"), "kV": (1000, "kV")},
    "angle": {
        "″": ("1/3600", "arcsec arcseconds"),
        "′": ("1/60", "arcmin arcminutes"),
        "°": (1, "° degree degrees Grad degré degrés 度"),
    },
    "share": {"%": (1, "% percent Prozent ％")},
    "celsius": {"°C": (1, "°C ℃")},
    "fahrenheit": {"°F": (1, "°F ℉")},
    "pixels": {"px": (1, "px pixel pixels Pixel")},
    "cents": {"cents": (1, "cent cents ¢")},
    "dollars": {"$": (1, "$ US$ USD dollar dollars Dollar")},
    "euros": {"€": (1, "€ EUR euro euros Euro")},
    "pounds": {"£": (1, "£ GBP")},
    "yen": {"¥": (1, "¥ JPY yen")},
}
WORD_LENGTH = 4
"""From this length on a spelling is a word, and its letter case does not matter."""


def _spelt() -> Iterable[tuple[str, Unit]]:
    for quantity, spellings in TABLE.items():
        for symbol, (factor, names) in spellings.items():
            unit = Unit(symbol, quantity, Fraction(factor))
            yield from ((name, unit) for name in names.split(" "))
    yield "per cent", PERCENT


UNITS: Mapping[str, Unit] = dict(_spelt())
WORDS: Mapping[str, Unit] = {
    name.lower(): unit for name, unit in UNITS.items() if len(name) >= WORD_LENGTH
}
_ANY = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_WORD = "|".join(sorted(map(re.escape, WORDS), key=len, reverse=True))
LETTERS = r"A-Za-zÀ-ɏ0-9_"
BEHIND = re.compile(
    rf"[ \u00a0\u2009\u202f-]?(?P<unit>(?i:{_WORD})(?![{LETTERS}])"
    rf"|(?:{_ANY})(?![{LETTERS}/^²³*·’'-]))"
)
AHEAD = re.compile(r"(?P<unit>US\$|[$€£¥])[ \u00a0]?$")


def behind(text: str, place: int) -> tuple[Unit, int] | None:
    """The unit that follows a number that ends at `place`, and where it ends."""
    found = BEHIND.match(text, place)
    return (spelt(found["unit"]), found.end()) if found else None


def ahead(text: str, place: int) -> tuple[Unit, int] | None:
    """The currency before a number that starts at `place`, and where it starts."""
    found = AHEAD.search(text[max(0, place - 5) : place])
    return (spelt(found["unit"]), place - len(found[0])) if found else None


def named(word: str) -> Unit | None:
    """The unit that a word names."""
    return UNITS.get(word) or WORDS.get(word.lower())


def spelt(spelling: str) -> Unit:
    """The unit of a spelling that is one."""
    return UNITS.get(spelling) or WORDS[spelling.lower()]
