"""The commands of `./run bench`, and the options they share."""
