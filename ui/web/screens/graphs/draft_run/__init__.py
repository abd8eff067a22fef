"""The panel of the editor that runs the graph as it is drawn: start, pause, mend, go on."""
