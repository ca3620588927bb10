"""Readers of configurations, one module for each way of building a model."""
