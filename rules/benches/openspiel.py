"""The peer of the playout benchmarks: OpenSpiel's own random rollouts in C++, on one thread.

    pip install open_spiel
    python3 rules/benches/openspiel.py

A search of a single simulation is nothing but rollouts of its first decision. An action is whatever is applied
to a state, outcomes of chance included, as the benchmarks here count a roll once.
"""

import random
import time

import pyspiel

ROLLOUTS = 20_000
SAMPLES = 3_000
REPEATS = 5


def play_one(state, choices):
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply_action(choices.choices(outcomes, weights)[0])
    else:
        state.apply_action(choices.choice(state.legal_actions()))


def first_decision(game, choices):
    state = game.new_initial_state()
    while state.is_chance_node():
        play_one(state, choices)
    return state


def actions_to_the_end(state, choices):
    count = 0
    while not state.is_terminal():
        play_one(state, choices)
        count += 1
    return count


def main():
    for name in ("pig", "leduc_poker", "connect_four"):
        game, choices, best = pyspiel.load_game(name), random.Random(1), 0.0
        lengths = [actions_to_the_end(first_decision(game, choices), choices) for _ in range(SAMPLES)]
        length = sum(lengths) / SAMPLES
        for seed in range(REPEATS):
            rollouts = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
            search = pyspiel.MCTSBot(game, rollouts, 1.0, 1, 100, False, seed, False)
            state = first_decision(game, choices)
            begun = time.perf_counter()
            search.mcts_search(state)
            best = max(best, ROLLOUTS * length / (time.perf_counter() - begun))
        print(f"{name}: {best / 1e6:.2f} M actions/s, {length:.1f} actions a match")


if __name__ == "__main__":
    main()
