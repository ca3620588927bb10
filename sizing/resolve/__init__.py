"""From a request as it was sent to a complete case: whatever is missing becomes a listed assumption."""
