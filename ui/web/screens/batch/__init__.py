"""Files of questions, answered row by row."""
