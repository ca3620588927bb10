"""A model's shape: exact parameter counts, adapters, quantised weights, caches, FLOPs and saved activations."""
