"""Memory: embeddings and what earlier sessions learned."""
