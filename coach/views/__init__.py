"""The pages of the athlete: each view scopes its rows, calls one service and renders."""
