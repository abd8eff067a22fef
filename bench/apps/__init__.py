"""Real applications, each in a process and a folder of its own, for a browser to be driven on."""
