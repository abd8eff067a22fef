"""The words that tell what a control is for, in the languages of most of the web."""

import re
from typing import Final

from forager.text.tokens import CJK, unaccented

WORD = re.compile(r"\w+")
LITTLE: Final = 80
"""Words of a page that shows nothing but what stands between."""


def _folded(words: str) -> frozenset[str]:
    """Phrases between commas, as `says` compares them."""
    return frozenset(" ".join(WORD.findall(unaccented(each))) for each in words.split(","))


SEARCH: Final = _folded(
    "search,find,look up,lookup,query,go,suche,suchen,suchbegriff,finden,recherche,rechercher,"
    "chercher,trouver,buscar,busqueda,busca,buscador,encontrar,cerca,cercare,ricerca,trova,"
    "pesquisa,pesquisar,procurar,zoeken,zoek,szukaj,wyszukaj,wyszukiwanie,hledat,hledani,hladat,"
    "keres,kereses,sok,søk,soeg,søg,haku,hae,cauta,cautare,ara,arama,поиск,искать,найти,пошук,"
    "търсене,αναζητηση,بحث,חיפוש,搜索,搜寻,搜尋,查找,查询,検索,探す,검색,찾기,tim kiem,cari,ค้นหา"
)
APPLY: Final = SEARCH | _folded(
    "apply,filter,show,submit,update,view,list,display,ok,anwenden,filtern,anzeigen,zeigen,"
    "appliquer,filtrer,afficher,valider,aplicar,filtrar,mostrar,ver,applica,filtra,mostra,exibir,"
    "toepassen,filteren,tonen,toon,zastosuj,filtruj,pokaz,pouzit,filtrovat,zobrazit,anvand,visa,"
    "bruk,vis,anvend,nayta,suodata,применить,показать,фильтр,应用,應用,筛选,篩選,显示,適用,"
    "絞り込み,表示,적용,필터,uygula,filtrele,goster,تطبيق,عرض"
)
NEXT: Final = _folded(
    "next,next page,more,load more,show more,more results,older,weiter,nachste,nachste seite,mehr,"
    "mehr laden,mehr anzeigen,suivant,suivante,page suivante,plus,voir plus,siguiente,"
    "pagina siguiente,mas,ver mas,cargar mas,successivo,successiva,avanti,altro,carica altri,"
    "proximo,proxima,seguinte,mais,ver mais,carregar mais,volgende,meer,toon meer,nastepna,dalej,"
    "wiecej,dalsi,nasta,mer,neste,naeste,seuraava,далее,следующая,ещё,еще,показать ещё,下一页,"
    "下一頁,加载更多,更多,次へ,次,もっと見る,다음,더보기,sonraki,daha fazla,التالي,المزيد"
)
ONWARD: Final = frozenset({"»", "›", ">", ">>", "→"})
OPENING: Final = _folded(
    "details,expand,show details,read more,more details,einzelheiten,aufklappen,mehr lesen,"
    "lire la suite,deplier,leer mas,detalles,dettagli,leggi tutto,detalhes,ler mais,lees meer,"
    "szczegoly,rozwin,подробнее,развернуть,详情,展开,詳細,자세히"
)
REFUSING: Final = _folded(
    "reject all,reject,decline,necessary only,only necessary,essential only,refuse,no thanks,"
    "alle ablehnen,ablehnen,nur notwendige,tout refuser,refuser,continuer sans accepter,"
    "rechazar todo,rechazar,rifiuta tutto,rifiuta,rejeitar,alles weigeren,weigeren,odrzuc,"
    "отклонить,拒绝,拒絕,拒否,거부,close,dismiss,schliessen,fermer,cerrar,chiudi,fechar,sluiten,"
    "закрыть,关闭,閉じる,닫기"
)
PASSING: Final = _folded(
    "accept,accept all,agree,i agree,i accept,allow,got it,ok,okay,continue,enter,enter site,"
    "proceed,yes,confirm,i am over 18,i am 18 or older,start,akzeptieren,alle akzeptieren,"
    "zustimmen,einverstanden,verstanden,weiter,fortfahren,eintreten,ja,accepter,tout accepter,"
    "j accepte,continuer,entrer,oui,aceptar,aceptar todo,acepto,continuar,entrar,si,accetta,"
    "accetto,continua,entra,aceitar,aceito,sim,accepteren,akkoord,doorgaan,akceptuje,zgadzam sie,"
    "dalej,принять,согласен,продолжить,войти,да,同意,接受,继续,進入,同意する,続ける,동의,계속"
)
NAMING: Final = _folded(
    "name,title,label,named,called,nom,titre,nombre,titulo,nome,titolo,naam,titel,bezeichnung,"
    "nazwa,tytul,nazev,namn,navn,nimi,название,имя,名称,名前,名,이름,isim,ad"
)
CODING: Final = _folded(
    "id,code,no,nr,number,key,ref,reference,sku,isbn,serial,symbol,identifier,nummer,kennung,"
    "numero,codigo,codice,kod,cislo,номер,код,编号,番号,번호"
)
HOLDING: Final = _folded(
    "contains,includes,has,like,enthalt,contient,contiene,contem,bevat,zawiera,obsahuje,"
    "innehaller,содержит,包含,含む,포함"
)
EQUAL: Final = _folded(
    "equals,equal to,is,exactly,matches,gleich,ist,egal,egal a,est,es,igual,igual a,e,uguale,"
    "gelijk aan,rowna sie,равно,等于,等しい"
)
COMPARING: Final = _folded(
    "starts with,begins with,ends with,greater than,less than,at least,at most,is not,not equal,"
    "not like,is null,is not null,is empty,is blank,glob,not in,between,before,after,regex"
)
SIGNS: Final = frozenset({"=", "==", "!=", "<>", ">", "<", ">=", "<=", "≥", "≤", "≠", "~"})
OTHERWISE: Final = _folded(
    "email,e mail,mail,newsletter,password,passwort,mot de passe,contrasena,senha,phone,comment,"
    "kommentar,commentaire,message,nachricht,username,user name,login,subscribe,address"
)
"""What other fields than those of a search ask for."""


def fold(text: str) -> str:
    """A text as phrases are compared: words in lower case without diacritics."""
    return " ".join(WORD.findall(unaccented(text)))


def says(text: str, phrases: frozenset[str]) -> bool:
    """Does one of the phrases stand in a text, as words of their own?"""
    folded = fold(text)
    padded = f" {folded} "
    return any(
        phrase in folded if CJK.search(phrase) else f" {phrase} " in padded
        for phrase in phrases
        if phrase
    )


def reads(text: str, phrases: frozenset[str]) -> bool:
    """Is a text one of the phrases, whole?"""
    return fold(text) in phrases
