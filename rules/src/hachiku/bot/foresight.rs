//! What the seats could say next.

use dictionary::Letter;

use super::mind::{Mind, Side};
use crate::game::Level;

/// What it costs to let the opponent win at once, in captures.
const BLUNDER: f64 = -12.0;
/// What the best word counts: the bot's own next one, the opponent's reply, and how much worse the
/// opponent's becomes where the bot takes a card from the field first.
const FOLLOW: f64 = 0.4;
const REPLY: f64 = 0.5;
const DENY: f64 = 0.3;

/// One thing for each letter.
pub(super) type PerLetter<T> = [T; Letter::COUNT];

/// Looks at the next words of both seats, once for each head.
pub(super) struct Foresight<'a> {
    mind: &'a Mind<'a>,
    level: Level,
    threats: PerLetter<Option<bool>>,
    balances: PerLetter<Option<f64>>,
}

impl<'a> Foresight<'a> {
    /// As far as the level looks: `easy` sees only wins of the opponent, the others weigh words.
    pub fn new(mind: &'a Mind<'a>, level: Level) -> Self {
        Self { mind, level, threats: [None; Letter::COUNT], balances: [None; Letter::COUNT] }
    }

    /// Whether the opponent can win at once from this head.
    pub fn is_threat(&mut self, head: Letter) -> bool {
        *self.threats[head.index()].get_or_insert_with(|| self.mind.is_threat(head))
    }

    /// What leaving this head to the opponent comes to.
    pub fn of_head(&mut self, head: Letter) -> f64 {
        if self.is_threat(head) {
            return BLUNDER;
        }
        if self.level == Level::Easy {
            return 0.0;
        }
        let (mind, hand) = (self.mind, self.mind.hand.without(head));
        *self.balances[head.index()].get_or_insert_with(|| {
            FOLLOW * mind.best_word(Side::Own, head, hand) - REPLY * mind.best_word(Side::Theirs, head, mind.theirs)
        })
    }

    /// What taking a card comes to beside that: what it adds to the bot's words, and what the
    /// opponent could have made of it.
    pub fn of_card(&self, head: Letter, card: Letter) -> f64 {
        if self.level == Level::Easy {
            return 0.0;
        }
        let gain = |side, hand| self.mind.best_word(side, head, hand);
        let (own, theirs) = (self.mind.hand, self.mind.theirs);
        FOLLOW * (gain(Side::Own, own.with(card)) - gain(Side::Own, own))
            + DENY * (gain(Side::Theirs, theirs.with(card)) - gain(Side::Theirs, theirs))
    }
}
