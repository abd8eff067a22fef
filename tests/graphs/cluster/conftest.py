"""The cluster that all tests of this folder share."""

from tests.ray_cluster import ray_cluster

__all__ = ["ray_cluster"]
