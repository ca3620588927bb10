"""What can be sold and what is known about it, each fact with its source."""
