"""The pages of the web UI, a folder each; `…_page.page` draws one.

Not called `pages`: Streamlit would take the files of a folder of that name for pages themselves.
"""
