//! Steps read back: folded into a table, or carried out again and compared.

use dictionary::Lexicon;
use serde::Deserialize;

use super::recorded::Recorded;
use super::{Cause, Command, Entry, Move, Step, Table, read_move};
use crate::game::Game;

impl<G: Game> Table<G> {
    /// Folds a step that was taken before into the table.
    ///
    /// # Errors
    /// What about the step cannot be: a gap in the versions or an event that does not decode.
    pub fn redo(&mut self, step: &Step) -> Result<(), String> {
        if step.version != self.head.version + 1 {
            return Err(format!("version {} follows version {}", step.version, self.head.version));
        }
        if step.seat.is_some_and(|seat| !self.head.count().has(seat)) {
            return Err(format!("version {} is by a seat that the table does not have", step.version));
        }
        let before = self.phase();
        for event in &step.events {
            match Entry::<G::Event>::deserialize(event).map_err(|error| format!("version {}: {error}", step.version))? {
                Entry::Table(event) => self.fold_table(&event),
                Entry::Game(event) => self.game.fold(&event),
            }
        }
        if let Some(chance) = &mut self.chance {
            chance.seek(step.position);
        }
        self.settle(before, step.cause, step.seat, step.at, step.events.len());
        Ok(())
    }

    /// Carries out again what brought a step about, and says where what comes of it differs. What
    /// the physical world did is taken from the step.
    ///
    /// # Errors
    /// The first thing in the step that does not follow from the table, the action and the chance.
    pub fn replay(&mut self, step: &Step, lexicon: &Lexicon) -> Result<(), String> {
        let at = format!("version {}", step.version);
        let seat = || step.seat.ok_or_else(|| format!("{at}: no seat is named"));
        let action = || {
            let value = step.action.as_ref().ok_or_else(|| format!("{at}: no action is named"))?;
            read_move::<G::Action>(value).map_err(|error| format!("{at}: {error}"))
        };
        let command = match step.cause {
            Cause::Start => Command::Start,
            Cause::Claim => {
                let name = step.action.as_ref().and_then(|action| action["name"].as_str()).unwrap_or_default();
                Command::Claim { seat: seat()?, name: name.to_owned() }
            }
            Cause::Action | Cause::Bot => Command::Act { seat: seat()?, action: action()?, cause: step.cause },
            Cause::Clock => match action()? {
                Move::Play(action) if self.head.turn_deadline() == Some((step.at, seat()?)) => {
                    Command::TimeOut { seat: seat()?, action }
                }
                _ => return Err(format!("{at}: no turn clock ran out then")),
            },
            Cause::Deadline if self.due() != Some(step.at) => return Err(format!("{at}: nothing was due then")),
            Cause::Deadline => Command::Deadline,
        };
        if step.at < self.head.now {
            return Err(format!("{at}: it happens before the version it follows"));
        }
        let again = self
            .execute_in(&mut Recorded::of::<G>(step), command, step.at, lexicon)
            .map_err(|judgement| format!("{at}: the action is not legal: {judgement:?}"))?;
        if again.version != step.version {
            return Err(format!("{at}: the version should be {}", again.version));
        }
        if again.position != step.position {
            return Err(format!("{at}: the chance used should be {:?}", again.position));
        }
        match again.events.iter().zip(&step.events).position(|(ours, theirs)| ours != theirs) {
            Some(index) => Err(format!("{at}: event {index} should be {}", again.events[index])),
            None if again.events.len() != step.events.len() => {
                Err(format!("{at}: there should be {} events", again.events.len()))
            }
            None => Ok(()),
        }
    }
}
