"""Pages and actions of a browser as pure values: state, validity, search frontier, trajectory."""
