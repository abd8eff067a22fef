"""Ways that led to an answer before, by question and site."""

from forager.recipe import Recipe


class Recipes:
    """Keeps nothing yet."""

    async def find(self, question: str, site: str) -> Recipe | None:
        """The way that worked. Raises StoreError."""
        return None

    async def keep(self, recipe: Recipe) -> None:
        """Keep a way. Raises StoreError."""
