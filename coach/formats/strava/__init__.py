"""The archive that Strava gives out of an account."""
