"""One rule for units, numbers, dates and words, for the page and the document alike."""
