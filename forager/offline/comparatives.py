"""Words that compare or measure: what they ask to be measured, and how a text speaks of that."""

from collections.abc import Mapping
from typing import NamedTuple

DATE = frozenset(["date"])
LENGTH = frozenset(["length"])
MONEY = frozenset(["dollars", "euros", "pounds", "yen"])
SIZE = frozenset(["area", "volume", "information", "length", "pixels", "mass"])
PLAIN: frozenset[str] = frozenset()


class Measure(NamedTuple):
    """Quantities (`text.units`; `date` for dates; none: plain counts) and words about them.

    `falls` where it compares the other way round: shorter, younger, cheaper, earlier.
    """

    quantities: frozenset[str]
    cues: tuple[str, ...] = ()
    falls: bool = False


LONG = Measure(LENGTH | {"time"}, ("long", "length", "last", "duration", "takes", "lasts"))
HIGH = Measure(LENGTH, ("high", "height", "tall", "elevation", "altitude", "rises", "hoch", "haut"))
DEEP = Measure(LENGTH, ("deep", "depth", "tief"))
WIDE = Measure(LENGTH | {"angle", "cents"}, ("wide", "width", "broad", "breit", "large"))
HEAVY = Measure(
    frozenset(["mass"]), ("weigh", "weighs", "weight", "heavy", "mass", "wiegt", "pèse")
)
OLD = Measure(DATE, ("born", "founded", "built", "opened", "established", "geboren"), falls=True)
EARLY = Measure(DATE, (), falls=True)
LARGE = Measure(SIZE, ("size", "area", "large", "capacity", "volume"))
FAST = Measure(frozenset(["speed", "time", "frequency"]), ("speed", "fast", "takes", "took"))
FAR = Measure(LENGTH, ("distance", "far", "away"))
HOT = Measure(frozenset(["celsius", "fahrenheit"]), ("temperature",))
DEAR = Measure(MONEY, ("cost", "costs", "price", "admission", "fee"))
MORE = Measure(PLAIN)
FEWER = Measure(PLAIN, falls=True)

UP: Mapping[Measure, str] = {
    LONG: "longer länger long longue longtemps 长",
    HIGH: "higher taller höher haut haute 高",
    DEEP: "deeper tiefer profond profonde 深",
    WIDE: "wider broader breiter large 宽",
    HEAVY: "heavier schwerer lourd lourde 重",
    OLD: "older oldest älter âgé âgée vieux vieille 年长 古老",
    EARLY: "earlier earliest sooner first früher zuerst tôt 早",
    LARGE: "larger bigger greater größer grösser grand grande 大",
    FAST: "faster quicker schneller rapide 快",
    FAR: "farther further weiter loin 远",
    HOT: "hotter warmer wärmer chaud 热",
    DEAR: "dearer pricier teurer cher chère 贵",
    MORE: "more mehr plus 多",
}
DOWN: Mapping[Measure, str] = {
    LONG: "shorter kürzer court courte 短",
    HIGH: "lower niedriger bas basse 低 矮",
    DEEP: "shallower flacher",
    WIDE: "narrower schmaler étroit étroite 窄",
    HEAVY: "lighter leichter léger légère 轻",
    OLD: "younger youngest jünger newer jeune 年轻",
    EARLY: "later latest last später zuletzt tard 晚",
    LARGE: "smaller kleiner petit petite 小",
    FAST: "slower langsamer lent lente 慢",
    FAR: "closer nearer näher proche 近",
    HOT: "colder cooler kälter froid 冷",
    DEAR: "cheaper billiger 便宜",
    MORE: "fewer less weniger moins 少",
}
NOUNS: Mapping[Measure, str] = {
    LONG: "length duration long länge dauer longueur durée 长度",
    HIGH: "height high tall elevation altitude höhe hauteur 高度",
    DEEP: "depth deep tiefe profondeur 深度",
    WIDE: "width wide breite largeur 宽度",
    HEAVY: "weight heavy mass gewicht poids 重量",
    OLD: "age old alter âge 年龄",
    LARGE: "area large big surface fläche 面积",
    FAST: "speed fast geschwindigkeit vitesse 速度",
    FAR: "distance entfernung 距离",
    HOT: "temperature temperatur température 温度",
    DEAR: "price expensive cost fee admission preis prix coût 价格",
    EARLY: "year date day jahr datum année date 年份 日期",
}
_COUNTED = """port ports level number value limit default timeout size population capacity maximum
minimum rate score rank count amount anzahl zahl stufe wert größe einwohnerzahl grenze nombre niveau
valeur taille limite 端口 级别 数量 值 大小 人口"""
COUNTED = frozenset(_COUNTED.split())
"""What is a number whatever its unit."""


COMPARED: Mapping[str, Measure] = {
    **{word: measure for measure, words in UP.items() for word in words.split()},
    **{
        word: measure._replace(falls=not measure.falls)
        for measure, words in DOWN.items()
        for word in words.split()
    },
}
MEASURED: Mapping[str, Measure] = {
    word: measure for measure, words in NOUNS.items() for word in words.split()
}
