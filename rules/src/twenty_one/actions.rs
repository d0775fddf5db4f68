//! What a seat may do, and what comes of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::die::Face;
use super::events::Event;
use super::state::{FORCED_ROUNDS, GOAL, Phase, TwentyOne};
use crate::chance::Chance;
use crate::game::Game;
use crate::seat::Seat;
use crate::text::{Refusal, Text};

/// Something a seat does on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = twenty_one::Action, examples(json!({"type": "roll"}), json!({"type": "stop"})))]
pub enum Action {
    /// Roll the die, add it to the total and pay as many chips. In sudden death the roll is free.
    Roll {},
    /// From the fourth round on: keep the total and roll no more in this game.
    Stop {},
}

impl TwentyOne {
    pub(super) fn act(
        &mut self,
        seat: Seat,
        action: Action,
        chance: &mut Chance,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        match (action, &self.phase) {
            (Action::Roll {}, Phase::Rolling { .. }) => self.roll(seat, chance, log),
            (Action::Roll {}, Phase::SuddenDeath(_)) => self.roll_sudden_death(seat, chance, log),
            (Action::Stop {}, Phase::Rolling { .. }) if self.may_stop(seat) => {
                self.emit(Event::Stopped { seat, total: self.run(seat).total }, log);
                self.go_on(log);
            }
            (Action::Stop {}, Phase::Rolling { .. }) => return Err(self.stops_too_early(seat)),
            (Action::Stop {}, Phase::SuddenDeath(_)) => return Err(sudden_death_needs_a_roll()),
            (_, Phase::Over) => return Err(match_is_over()),
        }
        Ok(())
    }

    fn roll(&mut self, seat: Seat, chance: &mut Chance, log: &mut Vec<Event>) {
        let die = Face::roll(chance);
        let total = self.run(seat).total_with(die);
        self.emit(Event::Rolled { seat, die, total }, log);
        if total > GOAL {
            self.emit(Event::Bust { seat, total }, log);
            self.go_on(log);
        }
    }

    fn roll_sudden_death(&mut self, seat: Seat, chance: &mut Chance, log: &mut Vec<Event>) {
        self.emit(Event::SuddenDeathRolled { seat, die: Face::roll(chance) }, log);
        if self.turn().is_none() {
            self.settle_sudden_death(log);
        }
    }

    /// After a seat has left: the showdown once nobody rolls any more.
    fn go_on(&mut self, log: &mut Vec<Event>) {
        if self.rolling.is_empty() {
            self.show_down(log);
        }
    }

    fn stops_too_early(&self, seat: Seat) -> Refusal {
        let round = self.run(seat).rolls.len() + 1;
        Refusal::new(
            "21.three-rounds",
            Text::new(
                format!(
                    "Round {round}: everybody rolls in the first {FORCED_ROUNDS} rounds; roll, and stop from round 4 on."
                ),
                format!(
                    "{round}周目です。最初の{FORCED_ROUNDS}周は全員がダイスを振ります。止められるのは4周目からです。"
                ),
            ),
        )
    }
}

fn sudden_death_needs_a_roll() -> Refusal {
    Refusal::new(
        "21.showdown",
        Text::fixed(
            "Sudden death: every tied seat rolls once; roll, it costs no chips.",
            "サドンデスです。同点の席は必ず一度ずつダイスを振ります（チップは要りません）。",
        ),
    )
}

fn match_is_over() -> Refusal {
    Refusal::new(
        "21.ranking",
        Text::fixed(
            "The last game is over; nothing is left to do.",
            "最後のゲームは終わりました。できることはありません。",
        ),
    )
}
