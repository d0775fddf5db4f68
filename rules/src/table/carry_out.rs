//! How a command becomes a step.

use dictionary::Lexicon;
use physics::world::{Engine, World};

use super::{Cause, Command, Entry, Judgement, Move, Player, STRIKES, Status, Step, Surroundings, Table, TableEvent};
use super::{to_json, to_value};
use crate::chance::Chance;
use crate::game::{Context, Game};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet};
use crate::text::{Refusal, Text};
use crate::time::Timestamp;

/// What there is to know about a step once its events have been folded.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub cause: Cause,
    /// Whose step it was.
    pub seat: Option<Seat>,
    pub at: Timestamp,
    /// How many events came of it.
    pub events: usize,
    /// Whether one of them is the game's.
    pub game_moved: bool,
    /// Whether decisions were simultaneous before it.
    pub was_simultaneous: bool,
}

impl<G: Game> Table<G> {
    /// Carries a command out in the physical world.
    pub(super) fn execute(
        &mut self,
        command: Command<G::Action>,
        at: Timestamp,
        lexicon: &Lexicon,
    ) -> Result<Step, Judgement> {
        self.execute_in(&mut Engine, command, at, lexicon)
    }

    /// Carries a command out on a copy and takes the copy over if it went through.
    pub(super) fn execute_in(
        &mut self,
        world: &mut dyn World,
        command: Command<G::Action>,
        at: Timestamp,
        lexicon: &Lexicon,
    ) -> Result<Step, Judgement> {
        let mut next = self.clone();
        let step = next.carry_out(command, Surroundings { at, lexicon, world })?;
        *self = next;
        Ok(step)
    }

    fn carry_out(&mut self, command: Command<G::Action>, mut around: Surroundings<'_>) -> Result<Step, Judgement> {
        let at = around.at;
        let before = self.phase();
        let mut log = Vec::new();
        let (cause, acted, action) = match command {
            Command::Start => {
                if self.head.status != Status::Waiting || self.has_open_seat() {
                    return Err(Judgement::NotStarted);
                }
                self.begin(&mut around, &mut log);
                (Cause::Start, None, None)
            }
            Command::Claim { seat, name } => {
                match self.head.seat(seat) {
                    Some(state) if state.player == Player::Open => {}
                    _ => return Err(Judgement::SeatTaken),
                }
                let action = serde_json::json!({"type": "claim", "name": name});
                self.note(TableEvent::SeatTaken { seat, name }, &mut log);
                if !self.has_open_seat() {
                    self.begin(&mut around, &mut log);
                }
                (Cause::Claim, Some(seat), Some(action))
            }
            Command::Act { seat, action, cause } => {
                let value = to_value(&action);
                match action {
                    Move::Resign => self.resign(seat, &mut log)?,
                    Move::Play(_) if cause == Cause::Action && self.head.plays_on(seat) => {
                        return Err(bot_plays_on().into());
                    }
                    Move::Play(action) => self.play(seat, &action, &mut around, &mut log)?,
                }
                (cause, Some(seat), Some(value))
            }
            Command::TimeOut { seat, action } => {
                let in_a_row = self.head.seats[seat.index()].strikes + 1;
                self.note(TableEvent::TimedOut { seat, in_a_row }, &mut log);
                let value = to_value(&Move::Play(action.clone()));
                self.play(seat, &action, &mut around, &mut log)?;
                if in_a_row >= STRIKES && self.game.outcome().is_none() {
                    self.note(TableEvent::Resigned { seat, by_clock: true }, &mut log);
                }
                (Cause::Clock, Some(seat), Some(value))
            }
            Command::Deadline => {
                self.with_context(&mut around, &mut log, G::expire);
                (Cause::Deadline, None, None)
            }
        };
        if let Some(outcome) = self.result() {
            self.note(TableEvent::Finished { outcome }, &mut log);
        }
        let game_moved = log.iter().any(|entry| matches!(entry, Entry::Game(_)));
        self.settle(Taken { cause, seat: acted, at, events: log.len(), game_moved, was_simultaneous: before });
        Ok(Step {
            version: self.head.version,
            cause,
            seat: acted,
            action,
            events: log.iter().map(to_json).collect(),
            at,
            position: self.chance.as_ref().map(Chance::position).unwrap_or_default(),
        })
    }

    fn has_open_seat(&self) -> bool {
        self.head.seats.iter().any(|seat| seat.player == Player::Open)
    }

    fn begin(&mut self, around: &mut Surroundings<'_>, log: &mut Vec<Entry<G::Event>>) {
        self.note(TableEvent::Started {}, log);
        self.with_context(around, log, G::start);
    }

    fn resign(&mut self, seat: Seat, log: &mut Vec<Entry<G::Event>>) -> Result<(), Judgement> {
        match self.head.status {
            Status::Waiting => return Err(Judgement::NotStarted),
            Status::Finished => return Err(Judgement::Finished),
            Status::Active => {}
        }
        if self.head.seats[seat.index()].resigned {
            return Err(already_resigned().into());
        }
        self.note(TableEvent::Resigned { seat, by_clock: false }, log);
        Ok(())
    }

    fn play(
        &mut self,
        seat: Seat,
        action: &G::Action,
        around: &mut Surroundings<'_>,
        log: &mut Vec<Entry<G::Event>>,
    ) -> Result<(), Judgement> {
        match self.head.status {
            Status::Waiting => return Err(Judgement::NotStarted),
            Status::Finished => return Err(Judgement::Finished),
            Status::Active if !self.game.may_act(seat, action) => return Err(Judgement::NotYourTurn),
            Status::Active => {}
        }
        let applied = self.with_context(around, log, |game, context, log| game.apply(seat, action, context, log));
        Ok(applied.unwrap_or(Ok(()))?)
    }

    /// Lets the game do something with its chance; nothing happens before the match has any.
    fn with_context<R>(
        &mut self,
        around: &mut Surroundings<'_>,
        log: &mut Vec<Entry<G::Event>>,
        act: impl FnOnce(&mut G, &mut Context<'_>, &mut Vec<G::Event>) -> R,
    ) -> Option<R> {
        let chance = self.chance.as_mut()?;
        let mut events = Vec::new();
        let Surroundings { at: now, lexicon, world } = around;
        let mut context = Context { chance, now: *now, lexicon, world: &mut **world };
        let result = act(&mut self.game, &mut context, &mut events);
        log.extend(events.into_iter().map(Entry::Game));
        Some(result)
    }

    /// The result, if it is known now and was not before.
    fn result(&self) -> Option<Outcome> {
        if self.head.status != Status::Active {
            return None;
        }
        let resigned = self.head.resigned();
        if let Some(outcome) = self.game.outcome() {
            return Some(outcome.with_last(resigned));
        }
        let count = self.head.count();
        let left = count.seats().find(|&seat| !resigned.contains(seat));
        match left {
            Some(winner) if count.get() == 2 && !resigned.is_empty() => Some(Outcome::won_by(winner, 2, "resigned")),
            _ => None,
        }
    }

    fn note(&mut self, event: TableEvent, log: &mut Vec<Entry<G::Event>>) {
        self.fold_table(&event);
        log.push(Entry::Table(event));
    }

    pub(super) fn fold_table(&mut self, event: &TableEvent) {
        match event {
            TableEvent::SeatTaken { seat, name } => {
                if let Some(state) = self.head.seats.get_mut(seat.index()) {
                    state.name = name.as_str().into();
                    state.player = Player::Human;
                }
            }
            TableEvent::Started {} => self.head.status = Status::Active,
            TableEvent::TimedOut { seat, in_a_row } => {
                if let Some(state) = self.head.seats.get_mut(seat.index()) {
                    state.strikes = *in_a_row;
                }
            }
            TableEvent::Resigned { seat, .. } => {
                if let Some(state) = self.head.seats.get_mut(seat.index()) {
                    state.resigned = true;
                }
            }
            TableEvent::Finished { outcome } => {
                self.head.status = Status::Finished;
                self.head.outcome = Some(outcome.clone());
            }
        }
    }

    /// Whether decisions are simultaneous now: such a phase has one current version.
    pub(super) fn phase(&self) -> bool {
        self.head.status == Status::Active && self.game.is_simultaneous()
    }

    /// Brings the referee's sheet up to date when the events of a step have been folded.
    pub(super) fn settle(&mut self, taken: Taken) {
        let Taken { cause, seat, at, events, game_moved, was_simultaneous } = taken;
        if let (Cause::Action, Some(seat)) = (cause, seat) {
            self.head.seats[seat.index()].strikes = 0;
        }
        let to_act = match self.head.status {
            Status::Active => self.game.to_act(),
            Status::Waiting | Status::Finished => SeatSet::EMPTY,
        };
        let same_phase = was_simultaneous && self.phase();
        // Where seats decide by turns, whatever happens in the game changes what is owed.
        let anew = if game_moved && !same_phase { to_act } else { seat.into_iter().collect() };
        self.head.seq += events as u32;
        self.head.settle(to_act, anew, at);
        if !same_phase {
            self.head.current_since = self.head.version;
        }
    }
}

fn bot_plays_on() -> Refusal {
    Refusal::new(
        "table.resign",
        Text::fixed(
            "This seat has resigned: the bot plays on for it, and its player can only watch.",
            "この席は投了したので、ボットが代わりに続けています。あとは観戦だけができます。",
        ),
    )
}

fn already_resigned() -> Refusal {
    Refusal::new(
        "table.resign",
        Text::fixed(
            "This seat has resigned already; there is nothing left to do for it.",
            "この席はすでに投了しています。",
        ),
    )
}
