"""Many questions at once: the files of a batch, its run, and the batches that a server keeps."""
