"""Building blocks of prompts: sections, token counts, escaping of marks."""
