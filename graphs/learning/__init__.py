"""What finished runs leave in memory."""
