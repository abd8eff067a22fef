"""What earlier sessions taught, by site."""
