"""Pictures as pure geometry: figures in, positions out; templates/charts draws them, on the page and on paper alike."""
