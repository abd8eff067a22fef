

def test_own_nodes_are_named_with_commas(tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("FORAGER_OWN_NODES=Fresh.py, deep/other.py\n")
    assert Settings(_env_file=file).own_nodes == ("Fresh.py", "deep/other.py")
