"""What the commands do, apart from how they are called and what they print."""
