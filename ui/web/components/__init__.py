"""Components of the front end, mounted from Python: the canvas and the live parts of a run."""
