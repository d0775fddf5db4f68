//! What a match of ２１ may choose at its creation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::seat::SeatCount;
use crate::text::{Fault, Text};

/// The most games a match may have.
const MOST_GAMES: i64 = 1000;
/// The most chips a seat may start with.
const MOST_CHIPS: i64 = 1_000_000;

/// The options of ２１. Each has the default that the rule text plays by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = twenty_one::Options)]
pub struct Options {
    /// How many games the match has, 1 to 1000; without it one a seat, so that everybody deals once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000, examples(4))]
    pub games: Option<i64>,
    /// The chips that every seat begins with, 0 to 1,000,000. Balances may go below zero.
    #[schema(minimum = 0, maximum = 1_000_000, default = 100, examples(100))]
    pub starting_chips: i64,
    /// Who takes the pot when several share the best total.
    #[schema(default = "final")]
    pub tie_rule: TieRule,
    /// With `tie_rule` `roller`: what decides among those who also rolled equally often.
    #[schema(default = "draw")]
    pub roller_fallback: RollerFallback,
    /// Whether straights and doubles beat other 21s.
    #[schema(default = false)]
    pub hands: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            games: None,
            starting_chips: 100,
            tie_rule: TieRule::Final,
            roller_fallback: RollerFallback::Draw,
            hands: false,
        }
    }
}

/// What decides a tie at the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::TieRule)]
pub enum TieRule {
    /// Who of the tied rolled last wins.
    Final,
    /// Who of the tied rolled most often wins; `roller_fallback` decides among equals.
    Roller,
    /// The tied share the pot; what does not divide stays for the next game.
    Draw,
    /// The pot stays for the next game's winner.
    Carryover,
    /// The tied roll a die each, free of chips, until one shows the highest alone.
    SuddenDeath,
}

/// What decides among those of the tied who rolled equally often: any tie rule but `roller`
/// itself, which has nothing more to say then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::RollerFallback)]
pub enum RollerFallback {
    /// Who of the tied rolled last wins.
    Final,
    /// The tied share the pot; what does not divide stays for the next game.
    Draw,
    /// The pot stays for the next game's winner.
    Carryover,
    /// The tied roll a die each, free of chips, until one shows the highest alone.
    SuddenDeath,
}

impl From<RollerFallback> for TieRule {
    fn from(fallback: RollerFallback) -> Self {
        match fallback {
            RollerFallback::Final => Self::Final,
            RollerFallback::Draw => Self::Draw,
            RollerFallback::Carryover => Self::Carryover,
            RollerFallback::SuddenDeath => Self::SuddenDeath,
        }
    }
}

impl Options {
    /// How many games a match of this many seats has.
    pub fn games(&self, seats: SeatCount) -> i64 {
        self.games.unwrap_or(i64::from(seats.get() as u32))
    }

    /// Everything about the options that cannot be.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if let Some(games) = self.games.filter(|games| !(1..=MOST_GAMES).contains(games)) {
            faults.push(Fault::new(
                "options.games",
                Text::new(
                    format!("a match has 1 to {MOST_GAMES} games, not {games}; leave it out for one a seat"),
                    format!("ゲーム数は1から{MOST_GAMES}までです（{games}でした）。省けば席の数になります"),
                ),
            ));
        }
        if !(0..=MOST_CHIPS).contains(&self.starting_chips) {
            let chips = self.starting_chips;
            faults.push(Fault::new(
                "options.starting_chips",
                Text::new(
                    format!("a seat starts with 0 to {MOST_CHIPS} chips, not {chips}"),
                    format!("最初のチップは0から{MOST_CHIPS}までです（{chips}でした）"),
                ),
            ));
        }
        faults
    }
}
