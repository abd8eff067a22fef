"""The JSON API on FastAPI: its routes, request and response models, errors and documentation."""
