"""Models on this machine: Ollama's, GGUF files in the data folder, and what `auto` takes."""
