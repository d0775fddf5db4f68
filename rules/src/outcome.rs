//! How a match ended.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::seat::{Seat, SeatSet};

/// The known result of a match. Ranks count like results lists: 1, 1, 3.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// The rank of each seat; 1 is best, equal seats share the better rank.
    #[schema(examples(json!([1, 2])))]
    pub ranks: Vec<u8>,
    /// What ended the match: a fixed word of the game, or `resigned`.
    #[schema(value_type = String, examples("eight"))]
    pub reason: Cow<'static, str>,
    /// The seats with rank 1.
    #[schema(examples(json!([0])))]
    pub winners: Vec<Seat>,
}

impl Outcome {
    /// Ranks the seats by what they reached, more is better.
    pub fn by_score<S: Ord>(scores: &[S], reason: &'static str) -> Self {
        let ranks = scores.iter().map(|own| 1 + scores.iter().filter(|&other| other > own).count() as u8).collect();
        Self::from_ranks(ranks, reason.into())
    }

    /// One seat wins, all others share the next rank.
    pub fn won_by(winner: Seat, seats: usize, reason: &'static str) -> Self {
        let ranks = (0..seats).map(|seat| if seat == winner.index() { 1 } else { 2 }).collect();
        Self::from_ranks(ranks, reason.into())
    }

    /// The same result with these seats behind all others, whatever they reached. Where there are no
    /// others, what they reached decides.
    #[must_use]
    pub fn with_last(self, last: SeatSet) -> Self {
        if last.is_empty() || last.len() >= self.ranks.len() {
            return self;
        }
        let keys: Vec<_> = self
            .ranks
            .iter()
            .zip((0..).map_while(Seat::new))
            .map(|(&rank, seat)| if last.contains(seat) { (1, 0) } else { (0, rank) })
            .collect();
        let ranks = keys.iter().map(|own| 1 + keys.iter().filter(|&other| other < own).count() as u8).collect();
        Self::from_ranks(ranks, self.reason)
    }

    fn from_ranks(ranks: Vec<u8>, reason: Cow<'static, str>) -> Self {
        let winners = ranks
            .iter()
            .zip((0..).map_while(Seat::new))
            .filter_map(|(&rank, seat)| (rank == 1).then_some(seat))
            .collect();
        Self { ranks, reason, winners }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_like_results_lists() {
        let outcome = Outcome::by_score(&[5, 7, 7, 1], "showdown");
        assert_eq!(outcome.ranks, [3, 1, 1, 4]);
        assert_eq!(outcome.winners, [Seat::new(1).unwrap(), Seat::new(2).unwrap()]);
    }

    #[test]
    fn who_resigned_ranks_last() {
        let outcome = Outcome::by_score(&[5, 7, 3], "showdown");
        let last = SeatSet::one(Seat::new(1).unwrap());
        assert_eq!(outcome.with_last(last).ranks, [1, 3, 2]);
    }

    #[test]
    fn where_all_resigned_what_they_reached_decides() {
        let outcome = Outcome::by_score(&[5, 7, 3], "showdown");
        let all = (0..3).map_while(Seat::new).collect();
        assert_eq!(outcome.clone().with_last(all), outcome);
    }
}
