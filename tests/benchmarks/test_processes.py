"""A command's CPU time counts all its processes, even if their parents are killed."""

from __future__ import annotations

import sys

from benchmarks.performance.processes import run_watched

BURNED = 0.5

# Stands for a checker and its runner: the checker is killed while the runner lives, and is waited for only later.
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
time.sleep(1)  # the watcher looks every tenth of a second
checker.kill()
time.sleep(1)
checker.wait()
"""


def test_the_time_of_a_process_counts_although_its_parent_was_killed() -> None:
    used = run_watched([sys.executable, "-c", COMMAND])
    assert used.below_seconds >= BURNED
    assert used.own_seconds < BURNED
