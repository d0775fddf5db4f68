//! Who takes the pot.

use super::events::{Event, KeptBy, WonBy};
use super::hand::Strength;
use super::options::TieRule;
use super::state::{GOAL, Phase, TwentyOne};
use crate::game::Game;
use crate::seat::{Seat, SeatSet};

impl TwentyOne {
    /// Settles a game in which nobody rolls any more, or sends the tied into sudden death.
    pub(super) fn show_down(&mut self, log: &mut Vec<Event>) {
        let Some(best) = self.seats.seats().filter_map(|seat| self.strength(seat)).max() else {
            return self.settle(Event::PotKept { reason: KeptBy::AllBust, pot: self.pot }, log);
        };
        let top = self.seats.seats().filter(|&seat| self.strength(seat) == Some(best)).collect();
        match sole(top) {
            Some(winner) => {
                let another_21 = |seat| seat != winner && self.strength(seat).is_some_and(|own| own.total == GOAL);
                let by_hand = best.hand.is_some() && self.seats.seats().any(another_21);
                self.award(winner, if by_hand { WonBy::Hand } else { WonBy::Total }, log);
            }
            None => self.break_tie(self.options.tie_rule, top, best, log),
        }
    }

    fn break_tie(&mut self, rule: TieRule, tied: SeatSet, best: Strength, log: &mut Vec<Event>) {
        match rule {
            TieRule::Final => {
                if let Some(last) = self.last_to_roll(tied) {
                    self.award(last, WonBy::Final, log);
                }
            }
            TieRule::Roller => {
                let most = tied.iter().map(|seat| self.run(seat).rolls.len()).max();
                let top = tied.iter().filter(|&seat| Some(self.run(seat).rolls.len()) == most).collect();
                match sole(top) {
                    Some(winner) => self.award(winner, WonBy::Roller, log),
                    None => self.break_tie(self.options.roller_fallback.into(), top, best, log),
                }
            }
            TieRule::Draw => {
                let sharers = tied.len() as u32;
                let drawn = Event::GameDrawn {
                    seats: tied,
                    total: best.total,
                    hand: best.hand,
                    share: self.pot / sharers,
                    remainder: self.pot % sharers,
                };
                self.settle(drawn, log);
            }
            TieRule::Carryover => self.settle(Event::PotKept { reason: KeptBy::Carryover, pot: self.pot }, log),
            TieRule::SuddenDeath => self.emit(Event::SuddenDeathBegan { seats: tied }, log),
        }
    }

    /// Settles a round of sudden death in which everybody has rolled.
    pub(super) fn settle_sudden_death(&mut self, log: &mut Vec<Event>) {
        let Phase::SuddenDeath(round) = &self.phase else { return };
        let highest = round.dice.iter().max().copied().flatten();
        let top = round.contenders.iter().filter(|seat| round.dice[seat.index()] == highest).collect();
        match sole(top) {
            Some(winner) => self.award(winner, WonBy::SuddenDeath, log),
            None => self.emit(Event::SuddenDeathBegan { seats: top }, log),
        }
    }

    fn award(&mut self, winner: Seat, reason: WonBy, log: &mut Vec<Event>) {
        let total = self.run(winner).total;
        let hand = self.strength(winner).and_then(|own| own.hand);
        self.settle(Event::GameWon { seat: winner, reason, total, hand, pot: self.pot }, log);
    }

    /// Closes the game with what becomes of its pot; the next seat deals the next game.
    fn settle(&mut self, settlement: Event, log: &mut Vec<Event>) {
        self.emit(settlement, log);
        if !matches!(self.phase, Phase::Over) {
            let dealer = self.seats.after(self.dealer);
            self.emit(Event::GameBegan { game_no: self.game_no + 1, dealer, pot: self.pot }, log);
        }
    }

    /// A seat that rolls does so once a round, hence the last roll is the latest seat's among those
    /// with the most rolls.
    fn last_to_roll(&self, tied: SeatSet) -> Option<Seat> {
        self.seats
            .clockwise_from(self.dealer)
            .filter(|&seat| tied.contains(seat))
            .max_by_key(|&seat| self.run(seat).rolls.len())
    }

    fn strength(&self, seat: Seat) -> Option<Strength> {
        self.run(seat).strength(self.options.hands)
    }
}

/// The seat, where the set has one alone.
fn sole(seats: SeatSet) -> Option<Seat> {
    seats.iter().next().filter(|_| seats.len() == 1)
}
