"""Two graphs on the same questions: question sets, result rows, scores, summaries."""
