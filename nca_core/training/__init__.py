"""Trainings: what is climbed, from where, with what recorded, and the run that can be paused."""
