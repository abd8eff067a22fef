"""Pages that are made to hold their reader for long."""


def nested_links(depth: int = 45_000) -> bytes:
    """Links within links: reading the text of each takes minutes."""
    return b"<title>Engineer</title><p>" + b"<a href=/x><object>" * depth + b"words"


def inline_links(count: int = 50_000) -> bytes:
    """A paragraph of links, such as a tag cloud or an index."""
    links = " and ".join(f'<a href="/p{number}">keeper {number}</a>' for number in range(count))
    story = "The Skarn lighthouse was built by the engineer Marta Lindqvist."
    return f"<title>Keepers</title><p>{story}</p><p>{links}</p>".encode()
