"""The processes that run jobs: a supervisor that never runs job code, and slots that run one job each."""
