//! Steps read back: folded into a table, or carried out again and compared.

use dictionary::Lexicon;
use serde::Deserialize;

use super::carry_out::Taken;
use super::recorded::Recorded;
use super::{Cause, Command, Entry, Move, Player, Step, Table, TableEvent, read_move};
use crate::game::Game;
use crate::seat::Seat;
use crate::time::Timestamp;

/// Which check a step does not stand, by the name that `docs/chance.md` gives it, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Deviation {
    /// It is not the next version.
    #[error("version: {0}")]
    Version(String),
    /// It cannot have happened at that time.
    #[error("time: {0}")]
    Time(String),
    /// What it says was done could not be done.
    #[error("action: {0}")]
    Action(String),
    /// Something else comes of it.
    #[error("event: {0}")]
    Event(String),
    /// It uses more or less chance.
    #[error("chance: {0}")]
    Chance(String),
}

impl<G: Game> Table<G> {
    /// Folds a step that was taken before into the table.
    ///
    /// # Errors
    /// What about the step cannot be: a gap in the versions, an event that does not decode, or one
    /// that could not happen at this table. Events before that one have been folded.
    pub fn redo(&mut self, step: &Step) -> Result<(), String> {
        if step.version != self.head.version + 1 {
            return Err(format!("version {} follows version {}", step.version, self.head.version));
        }
        if step.seat.is_some_and(|seat| !self.head.count().has(seat)) {
            return Err(format!("version {} is by a seat that the table does not have", step.version));
        }
        let was_simultaneous = self.phase();
        let mut game_moved = false;
        for (index, event) in step.events.iter().enumerate() {
            let fault = |what: &str| format!("version {}: event {index}: {what}", step.version);
            match Entry::<G::Event>::deserialize(event).map_err(|error| fault(&error.to_string()))? {
                Entry::Table(event) if self.fits(&event) => self.fold_table(&event),
                Entry::Game(event) if self.game.fits(&event) => {
                    self.game.fold(&event);
                    game_moved = true;
                }
                Entry::Table(_) | Entry::Game(_) => return Err(fault("it could not happen at this table")),
            }
        }
        if let Some(chance) = &mut self.chance {
            chance.seek(step.position);
        }
        let &Step { cause, seat, at, .. } = step;
        self.settle(Taken { cause, seat, at, events: step.events.len(), game_moved, was_simultaneous });
        Ok(())
    }

    /// Whether an event of the table names no seat that the table does not have.
    fn fits(&self, event: &TableEvent) -> bool {
        let count = self.head.count();
        match event {
            TableEvent::SeatTaken { seat, .. }
            | TableEvent::TimedOut { seat, .. }
            | TableEvent::Resigned { seat, .. } => count.has(*seat),
            TableEvent::Finished { outcome } => {
                outcome.ranks.len() == count.get() && outcome.winners.iter().all(|&seat| count.has(seat))
            }
            TableEvent::Started {} => true,
        }
    }

    /// Carries out again what brought a step about, and says where what comes of it differs. What
    /// the physical world did is taken from the step.
    ///
    /// # Errors
    /// The first thing in the step that does not follow from the table, the action and the chance.
    pub fn replay(&mut self, step: &Step, lexicon: &Lexicon) -> Result<(), Deviation> {
        let next = self.head.version + 1;
        if step.version != next {
            return Err(Deviation::Version(format!("it should be version {next}")));
        }
        if step.at < self.head.now {
            return Err(Deviation::Time("it happens before the version it follows".to_owned()));
        }
        let command = self.command_of(step)?;
        let again = self
            .execute_in(&mut Recorded::of::<G>(step), command, step.at, lexicon)
            .map_err(|judgement| Deviation::Action(format!("it is not legal: {judgement:?}")))?;
        let (ours, theirs) = (&again.events, &step.events);
        if let Some(index) = (0..ours.len().max(theirs.len())).find(|&index| ours.get(index) != theirs.get(index)) {
            let should = ours.get(index).map_or_else(|| "not be there".to_owned(), |event| format!("be {event}"));
            return Err(Deviation::Event(format!("event {index} should {should}")));
        }
        if again.position != step.position {
            return Err(Deviation::Chance(format!("the chance used should be {:?}", again.position)));
        }
        Ok(())
    }

    /// What a step says brought it about.
    fn command_of(&self, step: &Step) -> Result<Command<G::Action>, Deviation> {
        let seat = || self.seat_of(step);
        let action = || {
            let value = step.action.as_ref().ok_or_else(|| Deviation::Action("none is named".to_owned()))?;
            read_move::<G::Action>(value).map_err(|why| Deviation::Action(why.to_string()))
        };
        Ok(match step.cause {
            Cause::Start => Command::Start,
            Cause::Claim => {
                let name = step.action.as_ref().and_then(|action| action["name"].as_str()).unwrap_or_default();
                Command::Claim { seat: seat()?, name: name.to_owned() }
            }
            Cause::Action if matches!(self.head.seats[seat()?.index()].player, Player::Bot(_)) => {
                return Err(Deviation::Action("the seat is a bot's".to_owned()));
            }
            Cause::Bot if self.head.bot_to_act().map(|(seat, _)| seat) != Some(seat()?) => {
                return Err(Deviation::Action("the bot has nothing to decide for this seat".to_owned()));
            }
            Cause::Action | Cause::Bot => Command::Act { seat: seat()?, action: action()?, cause: step.cause },
            Cause::Clock => match action()? {
                Move::Play(action) if self.fell_due(Some(seat()?), step.at) => {
                    Command::TimeOut { seat: seat()?, action }
                }
                _ => return Err(Deviation::Time("no turn clock ran out then".to_owned())),
            },
            Cause::Deadline if !self.fell_due(None, step.at) => {
                return Err(Deviation::Time("nothing was due then".to_owned()));
            }
            Cause::Deadline => Command::Deadline,
        })
    }

    /// Whether this is the instant that [`expire`](Table::expire) gives to what is due next, and that is the turn
    /// clock of this seat or, without a seat, the game's own deadline.
    fn fell_due(&self, clock: Option<Seat>, at: Timestamp) -> bool {
        self.next_due().is_some_and(|(due, seat)| seat == clock && due.max(self.head.now) == at)
    }

    /// The seat whose step it was.
    fn seat_of(&self, step: &Step) -> Result<Seat, Deviation> {
        let seat = step.seat.filter(|&seat| self.head.count().has(seat));
        seat.ok_or_else(|| Deviation::Action("no seat of the table is named".to_owned()))
    }
}
