"""One role, one file: prompt, reply schema, offline rule, one async function."""
