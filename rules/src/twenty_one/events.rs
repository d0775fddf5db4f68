//! What happens in ２１, and what it does to the table.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::die::Face;
use super::hand::Hand;
use super::state::{Phase, SuddenDeath, TwentyOne};
use crate::seat::{Seat, SeatSet};

/// Something that happened. Nothing in ２１ is secret, so everybody sees every event whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = twenty_one::Event)]
pub enum Event {
    /// A game begins; its dealer rolls first.
    GameBegan {
        /// Counted from 1.
        #[schema(minimum = 1)]
        game_no: u32,
        /// The dealer.
        dealer: Seat,
        /// Chips that earlier games left in the pot.
        pot: u32,
    },
    /// A seat rolled and paid as many chips into the pot.
    Rolled {
        /// Who rolled.
        seat: Seat,
        /// What the die shows.
        die: Face,
        /// The seat's total with it; above 21 `bust` follows.
        total: u8,
    },
    /// A seat rolls no more in this game.
    Stopped {
        /// Who stopped.
        seat: Seat,
        /// Its total.
        total: u8,
    },
    /// A seat is out of this game.
    Bust {
        /// Who is out.
        seat: Seat,
        /// Its total, 22 or more.
        total: u8,
    },
    /// These seats are equal at the top and roll a die each, free of chips. Comes again for those
    /// whose dice are equal at the top.
    SuddenDeathBegan {
        /// Who rolls, in seat order; the dice go clockwise from the dealer.
        #[schema(value_type = Vec<Seat>)]
        seats: SeatSet,
    },
    /// A seat rolled in sudden death.
    SuddenDeathRolled {
        /// Who rolled.
        seat: Seat,
        /// What the die shows.
        die: Face,
    },
    /// A seat takes the pot; the game is over.
    GameWon {
        /// Who won.
        seat: Seat,
        /// What decided it.
        reason: WonBy,
        /// The winner's total.
        total: u8,
        /// The winner's hand, where hands count.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hand: Option<Hand>,
        /// The chips taken.
        pot: u32,
    },
    /// The tied share the pot; the game is over.
    GameDrawn {
        /// Who shares, in seat order.
        #[schema(value_type = Vec<Seat>)]
        seats: SeatSet,
        /// Their total.
        total: u8,
        /// Their hand, where hands count.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hand: Option<Hand>,
        /// The chips that each takes.
        share: u32,
        /// The chips that do not divide: they stay in the pot.
        remainder: u32,
    },
    /// Nobody takes the pot: it stays for the next game's winner; the game is over.
    PotKept {
        /// Why.
        reason: KeptBy,
        /// The chips that stay.
        pot: u32,
    },
}

/// What decided a game for its winner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::WonBy)]
pub enum WonBy {
    /// The highest total that is not bust.
    Total,
    /// A hand against another 21.
    Hand,
    /// The last roll of the tied.
    Final,
    /// The most rolls of the tied.
    Roller,
    /// The highest die of the tied.
    SuddenDeath,
}

/// Why the pot stays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::KeptBy)]
pub enum KeptBy {
    /// Everybody is bust.
    AllBust,
    /// The tie rule is carryover.
    Carryover,
}

impl TwentyOne {
    /// Whether the event could happen at the table as it stands.
    pub(super) fn event_fits(&self, event: &Event) -> bool {
        let are_here = |seats: SeatSet| !seats.is_empty() && seats.iter().all(|seat| self.seats.has(seat));
        match *event {
            Event::GameBegan { game_no, dealer, pot } => {
                let games = 1..=self.options.games(self.seats);
                games.contains(&game_no.into()) && self.seats.has(dealer) && pot == self.pot
            }
            Event::Rolled { seat, die, total } => {
                let is_turn = matches!(self.phase, Phase::Rolling { turn } if turn == seat);
                is_turn && !self.run(seat).is_bust() && total == self.run(seat).total_with(die)
            }
            Event::Stopped { seat, total } | Event::Bust { seat, total } => {
                self.seats.has(seat) && total == self.run(seat).total
            }
            Event::SuddenDeathBegan { seats } => are_here(seats),
            Event::SuddenDeathRolled { seat, .. } => self.seats.has(seat),
            Event::GameWon { seat, pot, .. } => self.seats.has(seat) && pot == self.pot,
            Event::GameDrawn { seats, share, remainder, .. } => {
                let shared = u64::from(share) * seats.len() as u64 + u64::from(remainder);
                are_here(seats) && shared == u64::from(self.pot)
            }
            Event::PotKept { pot, .. } => pot == self.pot,
        }
    }

    pub(super) fn fold_event(&mut self, event: &Event) {
        match *event {
            Event::GameBegan { game_no, dealer, pot } => {
                self.game_no = game_no;
                self.dealer = dealer;
                self.pot = pot;
                for run in &mut self.runs[..self.seats.get()] {
                    run.rolls.clear();
                    run.total = 0;
                }
                self.rolling = SeatSet::all(self.seats);
                self.phase = Phase::Rolling { turn: dealer };
            }
            Event::Rolled { seat, die, total } => {
                let run = &mut self.runs[seat.index()];
                // A run that is full goes on only where a log has lost the bust.
                let _ = run.rolls.try_push(die);
                run.total = total;
                self.chips[seat.index()] -= i64::from(die.pips());
                self.pot += u32::from(die.pips());
                self.pass_turn(seat);
            }
            Event::Stopped { seat, .. } | Event::Bust { seat, .. } => {
                self.rolling = self.rolling.without(seat);
                self.pass_turn(seat);
            }
            Event::SuddenDeathBegan { seats } => {
                self.phase = Phase::SuddenDeath(SuddenDeath { contenders: seats, dice: [None; _] });
            }
            Event::SuddenDeathRolled { seat, die } => {
                if let Phase::SuddenDeath(round) = &mut self.phase {
                    round.dice[seat.index()] = Some(die);
                }
            }
            Event::GameWon { seat, pot, .. } => {
                self.chips[seat.index()] += i64::from(pot);
                self.pot -= pot;
                self.close_game();
            }
            Event::GameDrawn { seats, share, remainder, .. } => {
                for seat in seats.iter() {
                    self.chips[seat.index()] += i64::from(share);
                }
                self.pot = remainder;
                self.close_game();
            }
            Event::PotKept { .. } => self.close_game(),
        }
    }

    fn pass_turn(&mut self, seat: Seat) {
        if let Some(turn) = self.next_rolling(seat) {
            self.phase = Phase::Rolling { turn };
        }
    }

    fn close_game(&mut self) {
        if self.is_last_game() {
            self.phase = Phase::Over;
        }
    }
}
