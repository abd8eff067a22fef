"""A browser's pages and actions as pure values: state, validity, search tree, trajectory."""
