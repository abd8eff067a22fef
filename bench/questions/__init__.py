"""Question sets put to graphs: answers, metrics, a judge's verdicts and prompt tokens."""
