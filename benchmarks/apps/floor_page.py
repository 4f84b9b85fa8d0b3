"""What stands for every page's script on the floor."""

from benchmarks.recording import play_page

play_page()
