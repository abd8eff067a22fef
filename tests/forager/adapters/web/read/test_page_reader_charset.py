import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read.page_reader import decode_body

GERMAN = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. "
CHINESE = "据说发明中国历法的皇帝是黄帝,这在许多古老的书里都有记载。"
JAPANESE = "いろはにほへと ちりぬるを わかよたれそ つねならむ うゐのおくやま"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "


@pytest.mark.parametrize(
    ("words", "encoding", "kind"),
    [
        (GERMAN, "utf-8", "text/html"),
        (GERMAN, "utf-8", "text/html; charset=iso-8859-1"),
        (GERMAN, "latin-1", "text/html; charset=iso-8859-1"),
        (GERMAN, "latin-1", "text/html; charset=utf-8"),
        (GERMAN, "latin-1", "text/html; charset=nonsense"),
        (GERMAN, "cp1252", "text/html"),
        (CHINESE, "gb2312", "text/html; charset=gb2312"),
        (CHINESE, "gbk", "text/html; charset=gbk"),
        (JAPANESE, "shift_jis", "text/html; charset=Shift_JIS"),
        (JAPANESE, "euc_jp", "text/html; charset=utf-8"),
        (JAPANESE, "iso2022_jp", "text/html; charset=iso-2022-jp"),
        (RUSSIAN, "koi8-r", "text/html; charset=koi8-r"),
        (RUSSIAN, "cp1251", "text/html; charset=utf-8"),
    ],
)
def test_charsets_are_detected(words: str, encoding: str, kind: str) -> None:
    assert decode_body((words * 5).encode(encoding), kind) == words * 5


def test_the_page_may_name_its_charset() -> None:
    page = f'<meta charset="iso-8859-15"><p>{GERMAN}€'
    assert decode_body(page.encode("iso-8859-15"), "text/html") == page
    old = f'<meta http-equiv=Content-Type content="text/html; charset=koi8-r"><p>{RUSSIAN}'
    assert decode_body(old.encode("koi8-r"), "text/html") == old


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_wins(mark: bytes, encoding: str) -> None:
    assert decode_body(mark + GERMAN.encode(encoding), "text/html; charset=koi8-r") == GERMAN


def test_a_few_broken_bytes_do_no_harm() -> None:
    body = GERMAN.encode() * 50 + b"\xff" + CHINESE.encode()
    assert decode_body(body, "text/html; charset=utf-8") == GERMAN * 50 + "\ufffd" + CHINESE


@given(st.binary(), st.text())
def test_any_bytes_become_text(body: bytes, kind: str) -> None:
    assert isinstance(decode_body(body, kind), str)
