"""The pilot run: which loads the script can run, the script itself, and the profile that comes back."""
