"""Reads Streamlit's options from beside the pages, and from no folder that it is started in."""

from contextlib import chdir
from pathlib import Path

import streamlit as st
from streamlit import config

SECRETS = Path(".streamlit") / "secrets.toml"
"""In the home folder: the file with the [auth] of a provider."""


def read_options(script: Path) -> None:
    """Read the options once, from the home folder and from beside the script, which prevail.

    Streamlit would also read them, and variables that it calls secrets, from the current folder.
    """
    with chdir(script.parent):
        st.App(script)  # the first one tells Streamlit where the script is
        st.get_option("server.port")
    config.set_option("secrets.files", [str(Path.home() / SECRETS)])
