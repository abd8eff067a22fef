"""Which units and pages answer a sub-question best: lexical index, scores, expansion."""
