"""Pure functions from arrays to numbers: s, m, W and bpm in and out, None where nothing can be said."""
