// OpenSpiel's own random rollouts from the beginning of a game, its deal included; openspiel.py runs them.

#include "open_spiel/algorithms/mcts.h"
#include "open_spiel/spiel.h"

extern "C" void roll_out(const char* name, int rollouts, int seed) {
  const auto game = open_spiel::LoadGame(name);
  open_spiel::algorithms::RandomRolloutEvaluator(rollouts, seed).Evaluate(*game->NewInitialState());
}
