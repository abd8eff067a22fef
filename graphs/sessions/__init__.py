"""Sessions: started, steered, forked, listed, exported; the one service for every face."""
