"""Whether an action changes something on the server."""

import pytest

from forager.browsing.safety import judge
from forager.browsing.safety.address_verbs import link_side_effect
from forager.domain.actions import Action, Element
from forager.domain.browser import Control, ControlForm, SentRequest

CLICK = Action(kind="click", target="e1")
ENTER = Action(kind="type", target="e1", value="x", submit=True)
POST = ControlForm(method="post", action="http://example.org/save", fields=("text",), submits=1)
SEARCH = ControlForm(
    method="post", action="http://example.org/find", fields=("text",), names=("q",)
)
LIST_PAGE = '- heading "Books"\n- link "Delete"\n- button "Search"'
CONFIRM_PAGE = '- text: Are you sure you want to delete the book?\n- button "Yes, delete it"'
FAULTY_PAGE = '- text: Please correct the error below.\n- button "Save"'


def button(label: str, form: ControlForm | None = None, **more: object) -> Control:
    said = {"tag": "button", "kind": "submit" if form else "button", "label": label, "form": form}
    return Control.model_validate({**said, "submits": form is not None, **more})


def link(href: str, label: str = "", **more: object) -> Control:
    return Control.model_validate({"tag": "a", "href": href, "label": label, **more})


def field(form: ControlForm | None = None, **more: object) -> Control:
    return Control.model_validate({"tag": "input", "kind": "text", "form": form, **more})


HARMFUL = [
    "Save", "Delete", "Place order", "Search and delete", "Cancel subscription", "Löschen",
    "Kostenpflichtig bestellen", "Supprimer", "J'aime", "Guardar cambios", "Publicar", "Elimina",
    "Excluir conta", "Verwijderen", "Zapisz", "Wyślij", "Удалить", "Подписаться", "删除",
    "提交订单",
    "注文を確定する", "ログアウト", "삭제",
    "로그아웃", "Kaydet", "Satın al", "حذف",
    "تسجيل الخروج", "👍 12",
]  # fmt: skip
HARMLESS = [
    "Search", "Cancel", "Close", "Show more", "Next", "Preview", "Sort by price", "Search orders",
    "Suchen", "Abbrechen", "Bestellungen suchen", "Rechercher", "Afficher plus", "Buscar",
    "Ver más",
    "Cerca", "Annulla", "Pesquisar", "Zoeken", "Szukaj", "Поиск", "Отмена",
    "搜索", "取消", "検索",
    "キャンセル", "검색", "취소", "Ara", "İptal", "بحث", "إلغاء",
]  # fmt: skip


@pytest.mark.parametrize("label", HARMFUL)
def test_labels_that_announce_a_change(label: str) -> None:
    assert judge.expected_side_effect(button(label), CLICK)
    assert judge.expected_side_effect(button(label, POST), CLICK)


def test_a_new_line_in_typed_text_counts_as_enter() -> None:
    chat = field(tag="textarea", kind="", label="Message")
    assert not judge.expected_side_effect(chat, Action(kind="type", target="e1", value="Hello"))
    assert judge.expected_side_effect(chat, Action(kind="type", target="e1", value="Hello\n"))
    assert not judge.expected_side_effect(
        chat.model_copy(update={"form": POST}), Action(kind="type", target="e1", value="a\nb")
    )


@pytest.mark.parametrize("label", HARMLESS)
def test_labels_that_only_read(label: str) -> None:
    assert not judge.expected_side_effect(button(label), CLICK)
    assert not judge.expected_side_effect(button(label, POST), CLICK)


@pytest.mark.parametrize(
    ("control", "harmful"),
    [
        (button("Go", POST), True),
        (button("", POST), True),
        (button("Go", SEARCH), False),
        (button("Delete", SEARCH), True),
        (button("Go", POST.model_copy(update={"method": "get"})), False),
        (button("Delete", POST.model_copy(update={"method": "get"})), True),
        (button("Log in", ControlForm(method="post", fields=("text", "password"))), True),
        (button("Edit", ControlForm(method="post", commands=("do=edit",))), False),
        (button("", ControlForm(method="post", commands=("do=edit",))), False),
        (button("Submit", POST.model_copy(update={"commands": ("@action=edit",)})), True),
        (button("OK", ControlForm(method="get", commands=("_method=delete",))), True),
        (button("Add", ControlForm(fields=("text",))), True),
        (button("OK", ControlForm(method="dialog")), False),
        (button("Add"), True),
        (button("Add row", kind="button", submits=False, form=POST), True),
        (button("Delete", disabled=True), False),
        (button("Delete", popup=True), False),
        (button("OK"), False),
        (button("OK", around="Delete this file?"), True),
        (button("×", hooks={"class": "close"}), False),
        (button("×", hooks={"class": "destroy"}), True),
        (button("", icons=("fa fa-trash",)), True),
        (button("Hm", hooks={"onclick": "fetch('/x', {method: 'POST'})"}), True),
        (button("Hm", hooks={"phx-click": "deleteItem"}), True),
        (button("Hm", hooks={"hx-post": "/x"}), True),
        (button("Search", hooks={"hx-post": "/search"}), False),
        (button("A"), False),
        (button("Clear", POST, kind="reset", submits=False), False),
    ],
)
def test_buttons(control: Control, harmful: bool) -> None:
    if control.label == "Add row":
        control = control.model_copy(update={"form": None})
    assert bool(judge.expected_side_effect(control, CLICK)) is harmful


@pytest.mark.parametrize(
    ("href", "label", "harmful"),
    [
        ("http://example.org/items/3", "Delete statement", False),
        ("http://example.org/items/3/delete", "", True),
        ("http://example.org/docs/sql/delete", "Delete", False),
        ("http://example.org/delete.html", "Delete", False),
        ("http://example.org/logout", "Log out", True),
        ("http://example.org/auth/sign-out?next=/", "", True),
        ("http://example.org/w/index.php?title=Special:UserLogout", "", True),
        ("http://example.org/x", "Abmelden", True),
        ("http://example.org/wiki?do=logout&sectok=", "", True),
        ("http://example.org/wiki?do=login&sectok=", "Log In", False),
        ("http://example.org/wiki?do=subscribe", "Manage Subscriptions", False),
        ("http://example.org/vote?id=3&how=up&auth=6ab", "upvote", True),
        ("http://example.org/watch?v=abc", "A film", False),
        ("http://example.org/cart/add/12", "", True),
        ("http://example.org/search?q=logout", "", False),
        ("http://example.org/login?next=/logout-help", "", False),
        ("http://example.org/w?title=A&action=edit&undo=3", "undo", False),
        ("http://example.org/w?title=A&action=watch", "Watch", True),
        ("http://example.org/report/2024", "Annual report", False),
        ("http://example.org/articles/how-to-delete-an-account-123", "How to delete", False),
        ("http://example.org/admin/book/add/", "Add book", False),
        ("http://example.org/list?sort=name&order=desc", "Name", False),
    ],
)
def test_links(href: str, label: str, harmful: bool) -> None:
    assert bool(judge.expected_side_effect(link(href, label), CLICK)) is harmful


def test_an_address_is_judged_for_every_kind_of_navigation() -> None:
    assert judge.expected_side_effect(None, Action(kind="goto", target="http://example.org/logout"))
    assert judge.expected_side_effect(
        None, Action(kind="new_tab", target="http://example.org/item/3/delete")
    )
    assert not judge.expected_side_effect(
        None, Action(kind="goto", target="http://example.org/item/3")
    )


def test_a_link_with_a_method_or_a_confirmation_is_a_change() -> None:
    there = "http://example.org/item/3"
    assert judge.expected_side_effect(link(there, "x", hooks={"data-method": "delete"}), CLICK)
    assert judge.expected_side_effect(
        link(there, "x", hooks={"onclick": "return confirm('Sure?')"}), CLICK
    )


@pytest.mark.parametrize(
    ("control", "harmful"),
    [
        (field(POST), True),
        (field(POST.model_copy(update={"default": "Search"})), False),
        (field(SEARCH), False),
        (field(ControlForm(method="get", fields=("text",), names=("title",))), False),
        (field(label="What needs to be done?"), True),
        (field(label="Search"), False),
        (field(search=True), False),
        (field(kind="search"), False),
        (field(kind="number", label="Page"), False),
        (field(tag="textarea", kind="", form=POST), False),
        (field(tag="textarea", kind="", label="Message"), True),
        (field(tag="div", kind="", editable=True, label="Message"), True),
    ],
)
def test_enter_in_a_field(control: Control, harmful: bool) -> None:
    assert bool(judge.expected_side_effect(control, ENTER)) is harmful
    press = Action(kind="press", target="e1", value="Tab Enter")
    assert bool(judge.expected_side_effect(control, press)) is harmful
    assert not judge.expected_side_effect(control, Action(kind="type", target="e1", value="x"))


@pytest.mark.parametrize(
    ("control", "harmful"),
    [
        (field(POST, kind="checkbox"), False),
        (field(POST, kind="checkbox", hooks={"onchange": "this.form.submit()"}), True),
        (field(ControlForm(method="post"), tag="select", kind=""), True),
        (field(ControlForm(method="post"), tag="select", kind="", label="Sort by"), False),
        (
            field(
                ControlForm(method="get"), tag="select", hooks={"onchange": "this.form.submit()"}
            ),
            False,
        ),
        (field(kind="checkbox", role="checkbox", hooks={"class": "toggle"}), True),
        (field(kind="checkbox", role="checkbox", label="Filter by colour"), False),
        (Control(tag="button", role="switch", label="Notifications"), True),
        (Control(tag="input", kind="checkbox", hooks={"hx-put": "/done"}), True),
    ],
)
def test_fields_that_are_sent_when_they_change(control: Control, harmful: bool) -> None:
    change = Action(kind="select" if control.tag == "select" else "click", target="e1", value="x")
    assert bool(judge.expected_side_effect(control, change)) is harmful


def test_dragging_and_pressing_keys_are_judged() -> None:
    item = Control(tag="li", label="Wash up")
    assert judge.expected_side_effect(item, Action(kind="drag", target="e1", value="e2"))
    assert not judge.expected_side_effect(
        Control(role="slider"), Action(kind="drag", target="e1", value="70")
    )
    assert judge.expected_side_effect(item, Action(kind="press", target="e1", value="Delete"))
    assert judge.expected_side_effect(item, Action(kind="press", value="Control+s"))
    for kind in ("hover", "scroll", "back", "find", "close_tab"):
        assert not judge.expected_side_effect(button("Delete", POST), Action(kind=kind))


SENT = [
    ("PUT", "http://example.org/x", "fetch", "", True),
    ("DELETE", "http://example.org/x", "xhr", "", True),
    ("POST", "http://example.org/save", "document", "title=A", True),
    ("POST", "http://example.org/search", "document", "q=a&csrf_token=1", False),
    ("POST", "http://example.org/edit", "document", "text=A&wpPreview=Show+preview", False),
    ("POST", "http://example.org/prefs", "document", "wppreviewontop=1&language=en", True),
    ("POST", "http://example.org/w?do=edit", "document", "text=A&do%5Bsave%5D=1", True),
    ("POST", "http://example.org/w", "document", "text=A&do%5Bpreview%5D=1", False),
    ("POST", "http://example.org/issue", "document", "@action=edit&title=A", True),
    ("POST", "http://example.org/graphql", "fetch", '{"query": "query A { a }"}', False),
    ("POST", "http://example.org/graphql", "fetch", '{"query": "mutation A { a }"}', True),
    ("POST", "http://example.org/graphql", "fetch", '{"operationName": "GetUser"}', False),
    ("POST", "http://example.org/graphql", "fetch", '{"operationName": "AddStar"}', True),
    ("POST", "http://example.org/graphql", "fetch", '{"query":"mutation A($b: C', True),
    ("POST", "http://example.org/rpc", "xhr", '{"jsonrpc":"2.0","method":"items.list"}', False),
    ("POST", "http://example.org/rpc", "xhr", '{"jsonrpc":"2.0","method":"items.add"}', True),
    ("POST", "http://example.org/rpc", "xhr", "<methodName>wiki.getPage</methodName>", False),
    ("POST", "http://example.org/ajax.php", "xhr", "call=qsearch&q=a", False),
    ("POST", "http://example.org/api.php", "xhr", "action=watch&title=A", True),
    ("POST", "http://example.org/api/suggest", "fetch", '{"text": "a"}', False),
    ("POST", "http://example.org/api/cart", "fetch", '{"id": 3}', True),
    ("POST", "http://stats.example.org/collect?v=1", "fetch", "", False),
    ("POST", "http://example.org/csp-report", "cspviolationreport", "{}", False),
    ("POST", "http://example.org/x", "ping", "", False),
    ("GET", "http://example.org/delete", "document", "", False),
]


@pytest.mark.parametrize(("method", "url", "resource", "payload", "changes"), SENT)
def test_requests_are_judged_after_the_action(
    method: str, url: str, resource: str, payload: str, changes: bool
) -> None:
    sent = SentRequest(method=method, url=url, resource=resource, payload=payload)
    assert bool(judge.confirmed_side_effect([sent], CLICK, "")) is changes


def test_a_beacon_counts_where_the_action_looked_harmful() -> None:
    sent = SentRequest(method="POST", url="http://example.org/read", resource="ping")
    assert judge.confirmed_side_effect(
        [sent], CLICK, "'Mark as read' says that it changes something."
    )


def test_a_form_with_a_preview_button_is_no_change() -> None:
    sent = SentRequest(
        method="POST", url="http://example.org/x", resource="document", payload="text=A"
    )
    shows = CLICK.model_copy(update={"element": Element(role="button", name="Show differences")})
    assert not judge.confirmed_side_effect([sent], shows, "")
    assert judge.confirmed_side_effect([sent], CLICK, "")


def test_a_page_that_asks_to_confirm_shows_that_nothing_was_done() -> None:
    sent = SentRequest(
        method="POST", url="http://example.org/x", resource="document", payload="a=1"
    )
    assert judge.confirmed_side_effect([sent], CLICK, "'Go' sends a form by POST.", LIST_PAGE)
    assert not judge.confirmed_side_effect(
        [sent], CLICK, "'Go' sends a form by POST.", CONFIRM_PAGE
    )


def test_a_form_shown_again_with_errors_was_not_accepted() -> None:
    sent = SentRequest(
        method="POST", url="http://example.org/x", resource="document", payload="a=1"
    )
    save = CLICK.model_copy(update={"element": Element(role="button", name="Save")})
    assert not judge.confirmed_side_effect(
        [sent], save, "'Save' sends a form by POST.", FAULTY_PAGE
    )
    assert judge.confirmed_side_effect([sent], CLICK, "'Save' sends a form by POST.", FAULTY_PAGE)


def test_a_deleting_link_counts_although_it_only_sends_a_get() -> None:
    said = judge.expected_side_effect(link("http://example.org/item/3/delete", "Delete"), CLICK)
    assert judge.confirmed_side_effect([], CLICK, said, LIST_PAGE)
    assert not judge.confirmed_side_effect([], CLICK, said, CONFIRM_PAGE)
    assert not judge.confirmed_side_effect(
        [], CLICK, "'Delete' says that it changes something.", LIST_PAGE
    )


@pytest.mark.parametrize(
    ("url", "texts"),
    [
        ("http://h/delete/alpha", ["Alpha", "Delete"]),
        ("http://h/items/3/delete", []),
        ("http://h/bye", ["My account", "Log out"]),
        ("http://h/x/3", ["Log me out"]),
        ("http://h/x/3", ["Place your order"]),
        ("http://h/x/3", ["Lösche Eintrag 3"]),
        ("http://h/poweroff", ["Power off"]),
        ("http://h/users/3/suspend", ["Suspend"]),
        ("http://h/x/3", ["Cerrar la sesión"]),
        ("http://h/x/3", ["Kirjaudu ulos"]),
        ("http://h/unsubscribe?u=1", ["here"]),
        ("http://h/cart/add/5", ["Blue lamp"]),
        ("http://h/list?action=add&id=3", ["Add to cart"]),
        ("http://h/vote?id=1&how=up&auth=12ab", ["▲"]),
        ("http://h/purge?all=1", []),
        ("http://h/go/7", ["Delete this lamp"]),
        ("http://h/go/7", ["Yes, delete it"]),
        ("http://h/lamps/7", ["Delete lamp", "", "Delete"]),
        ("http://h/go/7", ["Upvote"]),
        ("http://h/go/7", ["Subscribe"]),
        ("http://h/go/7", ["Confirm order"]),
        ("http://h/go/7", ["Konto löschen"]),
        ("http://h/go/7", ["In den Warenkorb"]),
        ("http://h/go/7", ["Jetzt kaufen"]),
        ("http://h/go/7", ["Kündigen"]),
        ("http://h/go/7", ["Supprimer la lampe"]),
        ("http://h/go/7", ["Ajouter au panier"]),
        ("http://h/go/7", ["Se désabonner"]),
        ("http://h/go/7", ["Borrar"]),
        ("http://h/go/7", ["この投稿を削除する"]),
        ("http://h/go/7", ["계정 삭제"]),
        ("http://h/a/vote?id=3&dir=up", ["▲"]),
        ("http://h/a/abbestellen?u=3", []),
        ("http://h/a/desinscription", []),
        ("http://h/a/reset-db", ["Reset database"]),
        ("http://h/a/mark_all_read", []),
        ("http://h/a/admin/shutdown", []),
        ("http://h/a/loeschen.html?id=2", []),
        ("http://h/index.php?title=Lamp&action=watch", []),
        ("http://h/items/3/approve", []),
        ("http://h/go/7", ["🗑"]),
        ("http://h/go/7", ["Del\u200bete"]),
        ("http://h/go/7", ["D\u0435lete"]),
        ("http://h/go/7", ["Slett"]),
        ("http://h/index.php?PHPSESSID=1;action=logout", []),
        ("http://h/administrator/index.php?task=articles.unpublish", []),
        ("http://h/sql.php?sql_query=DROP+TABLE+lamps", []),
        ("http://h/reboot.cgi", []),
        ("http://h/cart/?remove_item=ab12", []),
    ],
)
def test_a_link_that_may_change_something_says_why(url: str, texts: list[str]) -> None:
    assert link_side_effect(url, texts)


@pytest.mark.parametrize(
    ("url", "texts"),
    [
        ("http://h/docs/delete.html", ["Delete", "How to delete a row"]),
        ("http://h/docs/cli/remove", ["remove"]),
        ("http://h/list?action=view&id=3", ["Add to cart"]),
        ("http://h/news?order=asc&sort=votes", ["Votes"]),
        ("http://h/wiki/Logout_screen", ["The log out screen"]),
        ("http://h/builtins.html", ["exit", "logout"]),
        ("http://h/go/7", ["Delete this lamp", "The blue lamp"]),
        ("http://h/go/7", ["A second post"]),
        ("http://h/go/7", ["The DELETE statement", "Delete statement"]),
        ("http://h/pspp/SAVE", ["9.6 SAVE"]),
        ("http://h/articles/save-a-picture", ["Save a picture"]),
        ("http://h/2024/", ["Archive"]),
        ("http://h/search?q=delete", ["Delete"]),
        ("http://h/w/index.php?title=Delete", ["Delete"]),
        ("http://h/shop/p/12", ["Trash can 50 l"]),
        ("http://h/flags/sweden", ["Flag of Sweden"]),
        ("http://h/2024/05/buy-or-rent", ["Buy or rent?"]),
        ("http://h/gov/3", ["Vote by post"]),
        ("http://h/questions/12", ["Remove duplicates from a list"]),
        ("http://h/zh/3", ["如何删除文件"]),
        ("http://h/docs/1.2/remove", ["remove()"]),
        ("http://h/watch?v=7", ["A film"]),
        ("http://h/man/8/shutdown", ["shutdown(8)"]),
        ("http://h/reset.html?highlight=password", ["Reset"]),
        ("http://h/a", []),
    ],
)
def test_a_link_to_a_page_says_nothing(url: str, texts: list[str]) -> None:
    assert not link_side_effect(url, texts)
