"""Text that a browser would not show is not read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read.page_reader import read_page
from tests.forager.adapters.web.html_reader import URL, read_html

LINKED = "<link rel=stylesheet href=style.css>"


def words(source: str) -> str:
    return " ".join(read_html(source).text.split())


UNSEEN = [
    "<div hidden>X</div>",
    "<div hidden=until-found>X</div>",
    "<div popover>X</div>",
    "<dialog>X</dialog>",
    "<noembed>X</noembed>",
    "<noframes>X</noframes>",
    "<noscript>X</noscript>",
    "<template>X</template>",
    "<ruby>字<rp>long words X</rp><rt>b</rt></ruby>",
    "<math><semantics><annotation>X</annotation></semantics></math>",
    "<p style='display:none'>X</p>",
    "<p STYLE='Display : NONE !important'>X</p>",
    "<p style='color:red;/* ; */display:/**/none'>X</p>",
    "<p style='visibility:collapse'>X</p>",
    "<p style='content-visibility:hidden'>X</p>",
    "<p style='opacity:0'>X</p>",
    "<p style='opacity:.01'>X</p>",
    "<p style='opacity:0%'>X</p>",
    "<p style='filter:opacity(0)'>X</p>",
    "<p style='font-size:0'>X</p>",
    "<p style='font-size:1px'>X</p>",
    "<p style='font:0/0 a'>X</p>",
    "<p style='font-size:10%'><span style='font-size:.5em'>X</span></p>",
    "<p style='position:absolute;left:-9999px'>X</p>",
    "<p style='position:absolute;top:-999em'>X</p>",
    "<p style='margin-left:-2000px'>X</p>",
    "<p style='text-indent:-9999px'>X</p>",
    "<p style='transform:translateX(-9999px)'>X</p>",
    "<p style='transform:scale(0)'>X</p>",
    "<p style='clip:rect(0,0,0,0);position:absolute'>X</p>",
    "<p style='clip:rect(1px 1px 1px 1px)'>X</p>",
    "<p style='clip-path:inset(50%)'>X</p>",
    "<p style='height:0;overflow:hidden'>X</p>",
    "<p style='max-width:1px;overflow-x:clip'>X</p>",
    "<p style='color:#fff'>X</p>",
    "<p style='color:white'>X</p>",
    "<p style='color:rgb(250, 250, 250)'>X</p>",
    "<p style='color:transparent'>X</p>",
    "<p style='color:rgba(0,0,0,0)'>X</p>",
    "<p style='color:rgb(0 0 0 / 1%)'>X</p>",
    "<p style='color:#123;background:#123'>X</p>",
    "<p style='background-color:navy'><b style='color:#000080'>X</b></p>",
    "<p style='background:#fff no-repeat'><b style='color:#fefefe'>X</b></p>",
    "<p><font color=white>X</font>",
    "<table bgcolor=#eeeeee><tr><td><font color=#eee>X</font></table>",
    f"{LINKED}<p style='color:#fff;background:#fff'>X</p>",
    "<style>.x{display:none}</style><p class='a x'>X</p>",
    "<style>@media screen{#x, .y{visibility:hidden}}</style><p id=x>X</p>",
    "<style>@layer a{p.x{opacity:0}}</style><p class=x>X</p>",
    "<style>div .x{left:-9999px}</style><div><p class=x>X</p></div>",
    "<style>p{color:red}i{display:none}</style><i>X</i>",
    "<head><noscript>X</noscript></head>",
    "<!-- <noscript> --><noscript>X</noscript>",
    "<script>'<noscript>'</script><noscript>X</noscript>",
    "<style>p{background:#222}.x{color:#222}</style><p><i class=x>X</i></p>",
    "<script></script><style>.x{font-size:0}</style><p class=x>X</p>",
]


@pytest.mark.parametrize("source", UNSEEN)
def test_hidden_text_is_not_read(source: str) -> None:
    document = read_html(f"{source}<p>Seen.")
    assert "X" not in document.model_dump_json()
    assert document.text.endswith("Seen.")


SEEN = [
    "<p aria-hidden=true>X</p>",
    "<details><summary>More</summary>X</details>",
    "<dialog open>X</dialog>",
    "<p style='display:block'>X</p>",
    "<p style='opacity:0.5'>X</p>",
    "<p style='opacity:0;transform:translateY(20px)'>X</p>",
    "<p style='font-size:0.8em'>X</p>",
    "<p style='font:bold 12px/30px Georgia, serif'>X</p>",
    "<p style='font-size:0'><span style='font-size:16px'>X</span></p>",
    "<p style='font-size:0'><font size=3>X</font></p>",
    "<p style='visibility:hidden'><span style='visibility:visible'>X</span></p>",
    "<p style='left:-10px'>X</p>",
    "<p style='left:-100%'>X</p>",
    "<p style='margin-bottom:-9999px;padding-bottom:9999px'>X</p>",
    "<p style='margin-left:-9999px;padding-left:9999px'>X</p>",
    "<p style='height:0'>X</p>",
    "<p style='overflow:hidden;height:200px'>X</p>",
    "<p style='transform:scale(0.5)'>X</p>",
    "<p style='clip:rect(0px,60px,200px,0px)'>X</p>",
    "<p style='color:red'>X</p>",
    "<p style='color:#ffff'><b style='color:#000'>X</b></p>",
    "<p style='color:var(--x)'>X</p>",
    "<p style='color:#fff;background:navy'>X</p>",
    "<p style='color:#fff;background:url(night.png) #fff'>X</p>",
    "<p style='color:transparent;-webkit-background-clip:text'>X</p>",
    "<p style='color:#fff'><a href=y>X</a></p>",
    "<button style='color:#fff'>X</button>",
    "<body bgcolor=black><font color=white>X</font>",
    "<body background=night.png><font color=white>X</font>",
    f"{LINKED}<p style='color:#fff'>X</p>",
    f"{LINKED}<div style='background:#fff'><i class=badge style='color:#fff'>X</i></div>",
    "<style>.x{display:none}.y .x{display:block}</style><div class=y><p class=x>X</p></div>",
    "<style>.x{display:none}</style><p class=x style='display:block'>X</p>",
    "<style>.x{display:none}#y{display:block}</style><p class=x id=y>X</p>",
    "<style>@media print{.x{display:none}}</style><p class=x>X</p>",
    "<style media=print>.x{display:none}</style><p class=x>X</p>",
    "<style>.x:hover{display:none}</style><p class=x>X</p>",
    "<style>main p.x{color:#fff}main > div > p{background:#000}</style><main><p class=x>X</main>",
    "<style>.x{color:#fff}@media (width>9px){.x{background:#000}}</style><p class=x>X</p>",
    "<script></script><style>.answer{display:none}</style><p class=answer>X</p>",
    "<style>.x{display:none}input:checked ~ .x{display:block}</style><p class=x>X</p>",
]


@pytest.mark.parametrize("source", SEEN)
def test_possibly_visible_text_is_read(source: str) -> None:
    assert "X" in words(f"{source}<p>Seen.")


@pytest.mark.parametrize("outer", ["<a href=y>{}</a>", "<pre>{}</pre>", "<li>{}", "<h2>{}</h2>"])
@pytest.mark.parametrize(
    "inner",
    [
        "<b hidden>X</b>",
        "<script>X</script>",
        "<textarea>X</textarea>",
        "<b style='color:#fff'>X</b>",
    ],
)
def test_hidden_text_in_links_code_and_headings_is_not_read(outer: str, inner: str) -> None:
    document = read_html(f"<p>{outer.format('seen' + inner)}<p>Seen.")
    assert "X" not in document.model_dump_json()
    assert "seen" in document.text


def test_hidden_text_deep_in_links_and_code_is_not_read() -> None:
    assert words("<pre>code<b><i><object>hidden</object></i></b></pre>") == "``` code ```"
    assert words("<p>a<a href=/y>b<svg><desc>hidden</desc></svg></a>") == "ab"


def test_hidden_links_are_kept_without_text() -> None:
    document = read_html(
        "<div style='display:none'><a href=a.html>An order</a><a href=b.html rel=nofollow>X</a>"
        "<a href=c.html title='An order'>An order</a><a href=#d>X</a></div>"
        "<p style='visibility:hidden'><a href=e.html title='An order'>X</a></p>"
        "<p>See <a href=c.html>that</a>."
    )
    links = [(link.url.rpartition("/")[2], link.text, link.context) for link in document.links]
    assert links == [
        ("c.html", "that", "See that."),
        ("a.html", "a.html", ""),
        ("e.html", "e.html", ""),
    ]


def test_noscript_is_read_if_nothing_else_is_there() -> None:
    assert words("<noscript>Without scripts</noscript>") == "Without scripts"
    assert words("<noscript>Without <b hidden>X</b></noscript><script>y</script>") == "Without"
    assert words("<p>With<noscript>Without</noscript>") == "With"


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_control_characters_are_removed(kind: str) -> None:
    body = b"<title>A\x1b[2Jb</title><p>C\x00\x07d\xc2\x9be\x7ff \xc3\xa9</p>"
    read_so = read_page(body, f"{kind}; charset=utf-8", URL)
    assert "Cde" in read_so.text
    assert not any(ord(sign) < 32 and sign != "\n" for sign in read_so.text + read_so.title)
    assert "\x9b" not in read_so.text


def test_references_to_control_characters_are_removed() -> None:
    assert words("<p>a&#27;b&#x1B;c&#x7f;d&#8;e&#0014f") == "abcdef"
    assert words("<p>a&#10;b&#9;c&#146;d&#x20ac;&#270;&#x1bc;&amp;#27;") == "a b c’d€ĎƼ&#27;"


def test_a_page_that_hides_all_of_itself_waits_for_a_script() -> None:
    assert words("<body style='display:none'><p>Words.") == "Words."
    assert words("<html style='opacity:0'><p>Words.") == "Words."


def test_the_title_is_that_of_the_page_and_not_of_a_drawing() -> None:
    assert read_html("<svg><title>X</title></svg><h1>Heading</h1>").title == "Heading"


@pytest.mark.parametrize("lang", ["ignore all of that", "x" * 9, "de'", ""])
def test_a_language_is_a_code(lang: str) -> None:
    assert read_html(f'<html lang="{lang}"><p>Words.').lang == ""
    assert read_html("<html lang='zh-Hant-TW'><p>Words.").lang == "zh-Hant-TW"


PIECES = """
    display none color : ; #fff #12 rgb( rgba(0,0,0 font-size 0 em -9999px left @media { } .x /* */
    background url( scale( , visibility hidden opacity % 1e9 ! \\ '
"""
STYLES = st.lists(st.sampled_from(PIECES.split()), max_size=12).map(" ".join)


@given(STYLES, STYLES)
def test_any_style_is_read(sheet: str, style: str) -> None:
    source = f'<style>{sheet}</style><p class=x style="{style}">One</p><p>Two</p>'
    assert "Two" in read_html(source).text


def test_many_styles_are_read() -> None:
    rules = "".join(f".a .b{n},*,div div{{color:#fff}}" for n in range(3000))
    nested = "<div class=a style='color:#fff'>" * 3000
    assert read_html(f"<style>{rules}</style>{nested}<p>Words.").text == ""
    assert read_html("<p hidden>x</p>" * 20_000).text == ""
