"""The frame script of the floor: the next recorded run of the series that the link names."""

from benchmarks.recording import play_next

play_next()
