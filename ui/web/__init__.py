"""The web UI: Streamlit pages, the components they mount, and their TypeScript front end."""
