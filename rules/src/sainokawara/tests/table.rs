//! A table to try the rules at: actions in one word each, at seconds since the start.

use std::sync::Arc;

use dictionary::Lexicon;

use super::super::{Action, Dice, Die, Duty, Event, Options, Placement, Sainokawara, Space, View};
use crate::chance::{Key, Script};
use crate::seat::{Seat, Viewer};
use crate::table::{Judgement, Move, Plan, Player, Status, Table};
use crate::time::Timestamp;

/// The instant that the tests count their seconds from.
pub const START: Timestamp = Timestamp::from_millis(1_796_000_000_000);

pub fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

pub fn at(seconds: f64) -> Timestamp {
    START.plus_millis((seconds * 1000.0) as i64)
}

pub fn space(number: u8) -> Space {
    Space::all().nth(number.into()).unwrap()
}

pub fn place(dice: &[(u8, Die)]) -> Action {
    Action::PlaceDice { dice: dice.iter().map(|&(number, die)| Placement { space: space(number), die }).collect() }
}

pub fn duty(number: u8) -> Action {
    Action::TakeDuty { duty: Duty::numbered(number).unwrap() }
}

pub const TAKE: Action = Action::TakeDie {};
pub const RELEASE: Action = Action::ReleaseDie {};
pub const PAUSE: Action = Action::RequestPause {};
pub const REPORT: Action = Action::ReportCollapse {};

/// A match and its clock.
pub struct Played {
    pub table: Table<Sainokawara>,
    pub now: Timestamp,
    pub events: Vec<Event>,
}

impl Played {
    /// A match of this many seats whose order dice are given.
    pub fn new(seats: u8, options: Options, dice: &[u32]) -> Self {
        let plan = Plan {
            seats: (0..seats).map(|n| (Arc::from(format!("p{n}")), Player::Human)).collect(),
            turn_seconds: None,
            script: Arc::new(Script { dice: dice.to_vec(), deck: vec![] }),
            virtual_clock: true,
            created_at: START,
        };
        let mut table = Table::new(options, plan);
        table.set_chance(Key::derive(&[1; 32], &[2; 16], []));
        table.start(START, &Lexicon::empty()).unwrap();
        Self { table, now: START, events: Vec::new() }
    }

    /// Lets the clock come to these seconds; what falls due by then happens.
    pub fn until(&mut self, seconds: f64) -> &mut Self {
        self.now = at(seconds);
        while let Some(step) = self.table.expire(self.now, &Lexicon::empty()) {
            self.note(&step.events);
        }
        self
    }

    /// A seat acts.
    pub fn act(&mut self, number: u8, action: Action) -> &mut Self {
        let step = self.table.act(seat(number), Move::Play(action), self.now, &Lexicon::empty());
        self.note(&step.unwrap().events);
        self
    }

    /// The seat acts that owes a decision.
    pub fn go(&mut self, actions: &[Action]) -> &mut Self {
        for action in actions {
            let number = self.to_act();
            self.act(number, action.clone());
        }
        self
    }

    /// The rule that an action breaks; nothing has changed.
    pub fn refused(&mut self, number: u8, action: Action) -> &'static str {
        let before = format!("{:?}", self.table);
        let judgement = self.table.act(seat(number), Move::Play(action), self.now, &Lexicon::empty()).unwrap_err();
        assert_eq!(format!("{:?}", self.table), before);
        match judgement {
            Judgement::Illegal(refusal) => refusal.rule,
            Judgement::NotYourTurn => "not-your-turn",
            Judgement::Finished => "match-finished",
            other => panic!("{other:?}"),
        }
    }

    /// Every seat in its turn takes the next of the duties it shall own, else places large cubes.
    pub fn prepare(&mut self, owner: impl Fn(Duty) -> u8) -> &mut Self {
        while self.view().stacking.is_none() && self.view().duties.len() < 12 {
            let turn = self.to_act();
            let wanted =
                Duty::ALL.into_iter().find(|duty| owner(*duty) == turn && !self.view().duties.contains_key(duty));
            match wanted {
                Some(duty) => self.act(turn, Action::TakeDuty { duty }),
                None => self.place_next(1),
            };
        }
        while self.view().spaces.contains(&None) {
            self.place_next(3);
        }
        self
    }

    /// Places this many dice of the first kinds left on the first vacant spaces.
    fn place_next(&mut self, count: usize) -> &mut Self {
        let view = self.view();
        let vacant = (0..).zip(view.spaces).filter(|(_, die)| die.is_none()).map(|(space, _)| space);
        let mut supply = view.supply;
        let dice: Vec<_> = vacant
            .take(count)
            .map(|space| {
                let die = supply.kinds().next().unwrap();
                supply = supply.less(die).unwrap();
                (space, die)
            })
            .collect();
        self.act(self.to_act(), place(&dice))
    }

    /// Prepared with duties dealt round, the start rolled at the start of the clock.
    pub fn rolled(seats: u8) -> Self {
        let mut played = Self::new(seats, Options::default(), &[3, 4, 3, 4, 3, 4]);
        played.prepare(|duty| (duty.number() - 3) % seats).go(&[Action::RollStart {}]);
        played
    }

    /// Dice 1 to `count` stand, each taken and let go at once.
    pub fn stacked(seats: u8, count: u8) -> Self {
        let mut played = Self::rolled(seats);
        for _ in 0..count {
            played.go(&[TAKE, RELEASE]);
        }
        played
    }

    pub fn view(&self) -> View {
        self.table.view(Viewer::Public)
    }

    pub fn track(&self) -> Vec<u8> {
        self.view().track.to_vec()
    }

    pub fn to_act(&self) -> u8 {
        self.table.head().to_act.iter().next().unwrap().number()
    }

    pub fn is_finished(&self) -> bool {
        self.table.head().status == Status::Finished
    }

    /// Who was to blame for the last fall, and at which die it fell.
    pub fn fell(&self) -> Option<(u8, u8)> {
        self.events.iter().rev().find_map(|event| match event {
            Event::TowerFell { seat, number, .. } => Some((seat.number(), *number)),
            _ => None,
        })
    }

    /// All dice and duties are back in their places.
    pub fn is_cleared(&self) -> bool {
        let view = self.view();
        view.spaces == [None; 14] && view.duties.is_empty() && view.supply == Dice::EXAMPLE && view.order.is_none()
    }

    fn note(&mut self, events: &[serde_json::Value]) {
        self.events.extend(events.iter().filter_map(|event| serde_json::from_value(event.clone()).ok()));
    }
}
