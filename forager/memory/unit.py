"""The one arithmetic that all embedders share."""

import numpy as np

from forager.ports import Vectors


def unit(vectors: Vectors) -> Vectors:
    """Scale rows to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True).astype(np.float32)
    scaled: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
    return scaled
