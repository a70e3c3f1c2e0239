"""What a command uses is told whole, whatever becomes of the processes below it."""

from __future__ import annotations

import sys

from benchmarks.performance.processes import run_watched

BURNED = 0.5

# A checker and its runner, as it were: the first is killed while the second lives, and nobody waits for it for a while.
COMMAND = f"""
import subprocess, sys, time
RUNNER = '''
import sys, time
while time.process_time() < {BURNED}: pass
print(flush=True)
sys.stdin.read()
'''
CHECKER = '''
import subprocess, sys
runner = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE)
runner.wait()
'''
checker = subprocess.Popen([sys.executable, "-c", CHECKER, RUNNER], stdout=subprocess.PIPE)
checker.stdout.readline()
time.sleep(1)  # it is looked at every tenth of a second
checker.kill()
time.sleep(1)
checker.wait()
"""


def test_the_time_of_a_process_counts_whose_parent_was_killed_before_it() -> None:
    used = run_watched([sys.executable, "-c", COMMAND])
    assert used.below_seconds >= BURNED
    assert used.own_seconds < BURNED
