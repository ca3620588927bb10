"""Bands of serving figures."""

BAND_UNDER, BAND_OVER = 0.55, 1.8
