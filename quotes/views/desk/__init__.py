"""The staff's pages: queue, review, and what can be done there."""
