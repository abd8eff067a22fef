"""Words that say how a question is put, not what it is about; English, German and French."""

STOPWORDS = frozenset(
    """
    a an the of in on at to for from by with and or but if then than that this these those is
    are was were be been being am do does did done doing have has had having it its itself they
    them their theirs he she his her hers him i me my mine we us our you your yours what which
    who whom whose when where why how as so not no nor can could may might must shall should
    will would about into onto over under between after before during through one each any all
    some such there here also only just more most many much very get gets got without within
    upon against per own same other another way long say says said name named names call called
    go goes going give gives given take takes taken make makes made use used uses using let put
    tell told know known manual according s t ll ve re der die das den dem des ein eine einer
    eines einem einen und oder ist sind war waren wird wurde wurden welche welcher welches
    welchem welchen was wer wem wen wie wo wann warum wofür aus mit von vom zu zum zur im in am
    an auf bei für nach über unter sich nicht auch als dass sein seine seiner ihr ihre kann soll
    sollte es er sie le la les un une des du de et ou est sont était étaient que qui quoi quel
    quelle quels quelles dont où quand comment pourquoi combien par pour dans sur avec sans ce
    cet cette ces son sa ses leur leurs il elle ils elles on ne pas plus se au aux en laquelle
    lequel
    """.split()  # noqa: SIM905
)
