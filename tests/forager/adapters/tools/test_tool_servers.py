"""The file of tool servers."""

import json
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.adapters.tools.tool_servers import ToolServer, put_server, read_servers
from forager.errors import UsageError
from forager.settings import Settings


def test_the_form_of_other_programs_is_read(tmp_path: Path) -> None:
    entry = {"type": "stdio", "command": "npx", "args": ["-y", "papers"], "env": {"K": "v1"}}
    (tmp_path / "tools.json").write_text(json.dumps({"mcpServers": {"papers": entry}}))
    [server] = read_servers(Settings(data=tmp_path)).values()
    assert (server.command, server.args, server.place) == ("npx", ("-y", "papers"), "npx -y papers")
    assert server.env["K"].get_secret_value() == "v1"
    assert "v1" not in repr(server)


def test_a_file_of_ones_own_may_be_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"mcpServers": {"a": {"url": "https://host.example/mcp?key=1"}}}')
    [server] = read_servers(Settings(data=tmp_path, tools=file)).values()
    assert server.place == "https://host.example/mcp"
    with pytest.raises(UsageError, match=r"mine\.txt cannot be used"):
        read_servers(Settings(data=tmp_path, tools=tmp_path / "mine.txt"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "Expecting property name"),
        ('{"mcpServers": {"a": {}}}', "a: .*either a command or a url"),
        (
            '{"mcpServers": {"a": {"command": "x", "url": "https://h"}}}',
            "either a command or a url",
        ),
        ('{"mcpServers": {"a": {"url": "ftp://h"}}}', "a.url"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"KEY": 12345678}}}}', "a.env.KEY"),
        ("[]", "valid dictionary"),
    ],
)
def test_what_is_wrong_is_named_without_what_may_be_secret(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "tools.json").write_text(text)
    with pytest.raises(UsageError, match=says) as raised:
        read_servers(Settings(data=tmp_path))
    assert "12345678" not in str(raised.value)
    assert "Write it as" in raised.value.mend


def test_servers_are_added_replaced_and_removed(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    first = ToolServer(command="one", env={"K": SecretStr("v")})
    put_server(settings, "a", first)
    put_server(settings, "b", ToolServer(url="https://host.example/mcp"))
    put_server(settings, "a", ToolServer(command="two"))
    assert [each.place for each in read_servers(settings).values()] == [
        "https://host.example/mcp",
        "two",
    ]
    file = tmp_path / "tools.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["mcpServers"]["a"] == {"command": "two"}
    put_server(settings, "a", None)
    with pytest.raises(UsageError, match="There is no tool server 'a'"):
        put_server(settings, "a", None)


def test_secrets_are_kept(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    put_server(settings, "a", ToolServer(command="one", env={"K": SecretStr("v")}))
    assert read_servers(settings)["a"].secrets == ("v",)
