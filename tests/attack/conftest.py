"""The real fetcher, and a site on loopback."""

from tests.forager.adapters.conftest import blobs, fetcher, naps, settings, site

__all__ = ["blobs", "fetcher", "naps", "settings", "site"]
