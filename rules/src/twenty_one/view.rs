//! What everybody sees of ２１.

use serde::Serialize;
use utoipa::ToSchema;

use super::die::Face;
use super::state::{Phase, Standing, TwentyOne};
use crate::seat::Seat;

/// The table. Nothing is hidden, so all viewers see the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = twenty_one::View)]
pub struct View {
    /// The game being played, counted from 1.
    #[schema(minimum = 1)]
    pub game_no: u32,
    /// How many games the match has.
    #[schema(minimum = 1)]
    pub games: i64,
    /// Who began this game.
    pub dealer: Seat,
    /// The round of this game, counted from 1; from the fourth on one may stop.
    #[schema(minimum = 1)]
    pub round: usize,
    /// Chips in the pot. After the last game they belong to nobody.
    pub pot: u32,
    /// Each seat's chips; below zero is a debt.
    #[schema(examples(json!([85, 88])))]
    pub chips: Vec<i64>,
    /// What each seat has rolled in this game, in order.
    #[schema(examples(json!([[5, 5, 5], [4, 4, 4]])))]
    pub rolls: Vec<Vec<Face>>,
    /// The sum of each seat's rolls.
    #[schema(examples(json!([15, 12])))]
    pub totals: Vec<u8>,
    /// Whether each seat still rolls in this game.
    pub standing: Vec<Standing>,
    /// What is being decided.
    pub phase: PhaseName,
    /// The round of sudden death being rolled, while there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sudden_death: Option<SuddenDeathView>,
}

/// What is being decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::Phase)]
pub enum PhaseName {
    /// A seat rolls or stops.
    Rolling,
    /// The tied roll for the pot.
    SuddenDeath,
    /// The last game is settled.
    Over,
}

/// A round of sudden death.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = twenty_one::SuddenDeath)]
pub struct SuddenDeathView {
    /// Who rolls for the pot.
    pub seats: Vec<Seat>,
    /// What each seat of the table has rolled in this round.
    #[schema(examples(json!([2, null])))]
    pub dice: Vec<Option<Face>>,
}

impl TwentyOne {
    pub(super) fn open_view(&self) -> View {
        let count = self.seats.get();
        let runs = &self.runs[..count];
        let (phase, sudden_death) = match &self.phase {
            Phase::Rolling { .. } => (PhaseName::Rolling, None),
            Phase::SuddenDeath(round) => {
                let seats = round.contenders.iter().collect();
                (PhaseName::SuddenDeath, Some(SuddenDeathView { seats, dice: round.dice[..count].to_vec() }))
            }
            Phase::Over => (PhaseName::Over, None),
        };
        View {
            game_no: self.game_no,
            games: self.options.games(self.seats),
            dealer: self.dealer,
            round: self.round(),
            pot: self.pot,
            chips: self.balances().to_vec(),
            rolls: runs.iter().map(|run| run.rolls.to_vec()).collect(),
            totals: runs.iter().map(|run| run.total).collect(),
            standing: self.seats.seats().map(|seat| self.standing(seat)).collect(),
            phase,
            sudden_death,
        }
    }
}
