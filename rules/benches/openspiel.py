"""The peer of the playout benchmarks: OpenSpiel's own random rollouts in C++, on one thread.

    pip install open_spiel
    python3 rules/benches/openspiel.py

A rollout begins before the deal and goes to the end, as a match does in the benchmarks here. Python only counts:
it cannot ask for rollouts from a chance node, so `openspiel.cc` is compiled with the package's headers and does.

Steps are whatever is applied to a state, outcomes of chance (a card dealt, a die) among them; actions are what
players choose, which is what the benchmarks here count. Times are the processor's, so that others at work on the
machine count for less.
"""

import ctypes
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The compiled rollouts find OpenSpiel in the module that Python has loaded.
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
import pyspiel  # noqa: E402

SAMPLES = 3_000
REPEATS = 5
STEPS = 1_000_000


def compiled(folder):
    """The function of openspiel.cc: game, number of rollouts, seed."""
    packages = Path(pyspiel.__file__).parent
    headers = [packages / part for part in ("", "open_spiel/abseil-cpp", "open_spiel/json/include")]
    library = Path(folder) / "openspiel.so"
    source = Path(__file__).with_suffix(".cc")
    options = ["-std=c++17", "-O2", "-shared", "-fPIC", *(f"-I{path}" for path in headers)]
    subprocess.run([os.environ.get("CXX", "c++"), *options, source, "-o", library], check=True)
    roll_out = ctypes.CDLL(str(library)).roll_out
    roll_out.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
    return roll_out


def length(game, choices):
    """Steps and actions of one random rollout."""
    state, steps, actions = game.new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(choices.choices(outcomes, weights)[0])
        else:
            state.apply_action(choices.choice(state.legal_actions()))
            actions += 1
        steps += 1
    return steps, actions


def main():
    with tempfile.TemporaryDirectory() as folder:
        roll_out = compiled(folder)
    for name in ("pig", "leduc_poker", "connect_four"):
        game, choices = pyspiel.load_game(name), random.Random(1)
        steps, actions = (sum(part) / SAMPLES for part in zip(*(length(game, choices) for _ in range(SAMPLES))))
        rollouts, best = int(STEPS / steps), 0.0
        for seed in range(REPEATS):
            begun = time.process_time()
            roll_out(name.encode(), rollouts, seed)
            best = max(best, rollouts / (time.process_time() - begun))
        print(
            f"{name}: {best * steps / 1e6:.2f} M steps/s, {best * actions / 1e6:.2f} M actions/s;"
            f" {steps:.1f} steps, {actions:.1f} actions a match"
        )


if __name__ == "__main__":
    main()
