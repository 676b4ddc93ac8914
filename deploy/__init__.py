"""Installs, tries, tests and runs Coach; README.md beside this file is the run-book."""
