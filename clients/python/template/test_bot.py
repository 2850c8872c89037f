"""Plays a quarter of a day against a bot that does nothing. Run it with `python3 -m unittest`."""

import json
import os
import shlex
import subprocess
import unittest
from pathlib import Path

GALAXYD = shlex.split(os.environ.get("GALAXYD_COMMAND", "galaxyd"))
"""How galaxyd is run."""
GAME = ["--against", "idler", "--days", "0.25", "--json"]


class TestBot(unittest.TestCase):
    def test_a_short_game(self) -> None:
        """The bot has no faults and no refusals, and more points than one that does nothing."""
        folder = str(Path(__file__).resolve().parent)
        run = subprocess.run([*GALAXYD, "bot", "try", folder, *GAME], capture_output=True, text=True)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        trial = json.loads(run.stdout)
        self.assertEqual(trial["bot"]["faults"], [], run.stderr)
        self.assertEqual(trial["bot"]["refusals"], [])
        # Of the points after each quarter of the game, the last are those at the end.
        self.assertGreater(trial["bot"]["points"][-1], trial["rivals"][0]["points"][-1])


if __name__ == "__main__":
    unittest.main()
