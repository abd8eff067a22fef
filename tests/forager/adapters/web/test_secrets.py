"""Secrets are typed where they belong, and are nowhere to be seen."""

import re
from collections.abc import AsyncIterator, Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote_plus, urlsplit

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.web.secrets import DOT, Secret, Secrets, read_secrets
from forager.domain.actions import Action, Kind
from forager.domain.browser import Snapshot
from forager.errors import ActionError, UsageError
from forager.ports import ActionResult
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.snapshot_elements import called
from tests.servers import Asked, Reply, Site

WORD, NAME = "Gr8 & <odd> 'word'", "keeper-of-the-light"
JPEG = b"\xff\xd8"
YAML = f"""
word: {{domain: 127.0.0.1, value: "{WORD}"}}
keeper: {{domain: 127.0.0.1, value: {NAME}}}
other: {{domain: example.org, value: another value}}
"""
SECRETS = Secrets(
    {
        "word": Secret(domain="example.org", value=SecretStr(WORD)),
        "keeper": Secret(domain="shop.example.org", value=SecretStr(NAME)),
    }
)


def file(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "secrets.yaml"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_secret_is_for_its_domain_and_those_below() -> None:
    assert SECRETS.reveal("{{word}}", "https://www.example.org/login") == WORD
    assert SECRETS.reveal("a {{ word }} b", "https://EXAMPLE.org:81") == f"a {WORD} b"
    for url in ("https://example.org.evil.net/", "https://badexample.org/", "about:blank", ""):
        with pytest.raises(ActionError, match=r"only for example\.org"):
            SECRETS.reveal("{{word}}", url)
    with pytest.raises(ActionError, match=r"no secret .*Secrets for this page: {{word}}"):
        SECRETS.reveal("{{password}}", "https://example.org/")
    assert Secrets().reveal("{{word}}", "https://example.org") == "{{word}}"


@pytest.mark.parametrize("url", ["http://example.org/", "http://192.168.1.7/", "ftp://127.0.0.1/"])
def test_no_secret_is_typed_where_others_may_listen(url: str) -> None:
    secrets = Secrets(
        {
            name: Secret(domain=name, value=SecretStr(WORD))
            for name in ("example.org", "192.168.1.7", "127.0.0.1", "localhost")
        }
    )
    known = Secrets({"word": Secret(domain=urlsplit(url).netloc, value=SecretStr(WORD))})
    with pytest.raises(ActionError, match="is not encrypted"):
        known.reveal("{{word}}", url)
    assert known.names_for(url) == ()
    assert secrets.names_for("http://127.0.0.1:8/") == ("127.0.0.1",)
    assert secrets.names_for("http://localhost/") == ("localhost",)


def test_what_would_tell_it_is_masked() -> None:
    spelled = f"{WORD}, {quote_plus(WORD)}, Gr8 &amp; &lt;odd&gt; 'word', {NAME}"
    assert SECRETS.mask(spelled) == "{{word}}, {{word}}, {{word}}, {{keeper}}"
    assert SECRETS.mask_cut(f"user={NAME[:9]}") == "user={{keeper}}"
    assert SECRETS.mask_cut("keel") == "keel"
    assert SECRETS.blot_out(f"a {NAME} b") == f"a {DOT * len(NAME)} b"


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_text_around_it_shows_a_secret(before: str, after: str) -> None:
    assert NAME not in SECRETS.mask(before + NAME + after)
    assert len(SECRETS.blot_out(before + NAME + after)) == len(before + NAME + after)


def test_a_file_is_read(tmp_path: Path) -> None:
    secrets = read_secrets(file(tmp_path, YAML))
    assert secrets.names_for("http://127.0.0.1:8/") == ("word", "keeper")
    assert read_secrets(None).names_for("http://127.0.0.1") == ()
    assert WORD not in repr(secrets)


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        (YAML, 0o644, "Other users can read"),
        ("a: [", 0o600, "not valid YAML"),
        (f"a: {WORD}", 0o600, "not as expected: a"),
        (f"root:x:{WORD}", 0o600, "not as expected: it needs names with a domain and a value each"),
        ("a: {domain: h, value: abc}", 0o600, "too short"),
    ],
)
def test_a_file_that_will_not_do(tmp_path: Path, text: str, mode: int, why: str) -> None:
    with pytest.raises(UsageError, match=why) as told:
        read_secrets(file(tmp_path, text, mode))
    assert WORD not in str(told.value)


def test_the_handbooks_example_works_as_written(tmp_path: Path) -> None:
    text = (Path(__file__).parents[4] / "docs" / "browser.md").read_text(encoding="utf-8")
    example = re.findall(r"^ {4}\w+: \{domain: .*$", text, re.MULTILINE)
    secrets = read_secrets(file(tmp_path, "\n".join(example)))
    assert secrets.names_for("https://shop.example.org/") == ("shop_user", "shop_password")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_secrets(tmp_path / "absent")


FORM = """<title>Log in</title><form method=post action=/in>
  <label>Name <input name=n></label><label>Word <input name=w type=password></label>
  <button>Enter</button></form><iframe src="http://localhost:PORT/frame"></iframe>"""

CUT = f"""<title>Cut</title><script>
  const long = (most) => " ".padStart(most - 10, "a long word ") + "{NAME}";
</script>
<button onclick="alert(long(300))">Alert</button>
<button onclick="confirm(long(300))">Confirm</button>
<button onclick="prompt(long(300))">Prompt</button>
<button onclick="save()">Download</button><script>
const save = () => {{
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["kept"]));
  link.download = long(120).trim() + ".txt";
  link.click();
}};
</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as served:

        def entered(asked: Asked) -> Reply:
            return Reply(f"<title>Hello {NAME}</title><h1>{NAME}</h1><p>You typed {escape(WORD)}.")

        served.routes["/"] = FORM.replace("PORT", str(served.port))
        served.routes["/frame"] = "<label>Framed <input></label>"
        served.routes["/short"] = "<label>Short <input maxlength=9></label>"
        served.routes["/in"] = entered
        yield served


class Opened(NamedTuple):
    """A browser, and what it keeps."""

    browser: PlaywrightBrowser
    blobs: MemoryBlobs

    async def go(self, url: str) -> ActionResult:
        return await self.browser.perform("w", Action(kind="goto", target=url))

    async def act(self, done: ActionResult, kind: Kind, name: str, value: str = "") -> ActionResult:
        """Act on the element with a name."""
        return await self.browser.perform("w", self.action(done, kind, name, value))

    def action(self, done: ActionResult, kind: Kind, name: str, value: str = "") -> Action:
        return Action(kind=kind, target=called(self.tree(done), name).ref, value=value)

    def tree(self, done: ActionResult) -> str:
        return Snapshot.model_validate_json(self.blobs.get(done.view.blob)).tree


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def door(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Opened]:
    folder = tmp_path_factory.mktemp("secrets")
    allowed = (f"127.0.0.1:{site.port}", f"localhost:{site.port}")
    settings = Settings(data=folder, secrets=file(folder, YAML), allow_private=allowed)
    blobs = MemoryBlobs()
    opened = PlaywrightBrowser(settings, blobs)
    yield Opened(opened, blobs)
    await opened.aclose()


@needs_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_nothing_that_is_kept_or_told_shows_a_secret(door: Opened, site: Site) -> None:
    done = await door.go(site.url())
    assert any("{{word}}, {{keeper}}" in note for note in done.view.notes)
    told = [done]
    for field, value in (("Name", "{{keeper}}"), ("Word", "{{word}}")):
        told.append(await door.act(done, "type", field, value))
        assert (await door.browser.screenshot("w")).startswith(b"\x89PNG")
    tree = door.tree(told[-1])
    assert "{{keeper}}" in tree
    assert "•••" in tree
    click = door.action(done, "click", "Enter")
    assert (await door.browser.examine("w", click)).harm
    told.append(await door.browser.perform("w", click))
    assert told[-1].view.title == "Hello {{keeper}}"
    assert "You typed {{word}}" in told[-1].opened.document.text
    assert told[-1].harm
    assert [sent.payload for sent in told[-1].sent] == ["n={{keeper}}&w={{word}}"]
    assert site.asked[-1].body == f"n={NAME}&w={quote_plus(WORD)}".encode()
    texts = [blob for blob in door.blobs.kept.values() if not blob.startswith(JPEG)]
    kept = (blob.decode() for blob in texts)
    everything = "".join((*map(str, told), *kept))
    assert not any(spelling in everything for spelling in (WORD, NAME, quote_plus(WORD)))


@needs_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_cut_shows_no_part_of_a_secret(door: Opened, site: Site) -> None:
    site.routes["/cut"] = CUT
    done = await door.go(site.url("/cut"))
    told: list[str] = []
    for name in ("Alert", "Confirm", "Prompt", "Download"):
        told += (await door.act(done, "click", name)).view.notes
    assert len(told) == 5
    assert not any(NAME[:8] in note for note in told), told


@needs_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_frame_of_another_host_gets_none(door: Opened, site: Site) -> None:
    done = await door.go(site.url())
    with pytest.raises(ActionError, match="must not be sent to localhost"):
        await door.act(done, "type", "Framed", "{{word}}")


@needs_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_what_a_field_made_of_a_secret_is_not_told(door: Opened, site: Site) -> None:
    done = await door.go(site.url("/short"))
    with pytest.raises(ActionError, match="The field took something else") as told:
        await door.act(done, "type", "Short", "{{keeper}}")
    assert NAME[:9] not in str(told.value)
