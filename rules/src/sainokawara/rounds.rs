//! The end of a round and the beginning of the next.

use super::board::Owners;
use super::events::Event;
use super::scoring::Ending;
use super::state::{Phase, Sainokawara};
use crate::game::Game;

/// Scores a round, and begins the next unless somebody has reached the goal (`sai.goal`, `sai.next-round`).
pub(super) fn close(game: &mut Sainokawara, ending: Ending, owners: &Owners, log: &mut Vec<Event>) {
    let moves = ending.moves(owners, game.seats);
    let track = ending.advance(&game.track, &moves);
    game.emit(Event::Scored { moves, track }, log);
    if !matches!(game.phase, Phase::Over) {
        game.emit(Event::RoundBegan { round: game.round + 1, seat: ending.next_to_begin(owners) }, log);
    }
}
