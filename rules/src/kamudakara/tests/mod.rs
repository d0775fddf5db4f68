//! The rules one by one, on tables set up for each, and what holds on every table.

mod blessings;
mod bot;
mod deal;
mod demons;
mod invariants;
mod playthrough;
mod rite;
mod ritual;
mod scoring;
mod secrets;

use std::ops::ControlFlow;
use std::sync::Arc;

use dictionary::Lexicon;
use physics::world::Engine;

use super::state::Phase;
use super::{Action, Card, Cards, Event, Kamudakara, Options, View};
use crate::chance::{Chance, Key, Script};
use crate::game::{Context, Game, Inquiry};
use crate::seat::{Seat, SeatCount, Viewer};
use crate::text::Refusal;
use crate::time::Timestamp;

/// Cards by their initials: `"ssd"` is two swords and a demon.
fn list(initials: &str) -> Vec<Card> {
    let card = |initial| Card::ALL.into_iter().find(|card| card.name().starts_with(initial)).expect("s, m, j or d");
    initials.chars().map(card).collect()
}

fn cards(initials: &str) -> Cards {
    list(initials).into_iter().collect()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat of the table")
}

fn random(seed: u8) -> Chance {
    Chance::new(Key::derive(&[seed; 32], &[0; 16], []), Arc::default())
}

/// A game under test with its chance.
#[derive(Clone)]
struct Table {
    game: Kamudakara,
    chance: Chance,
}

impl Table {
    /// A table as it is dealt, from a pile that begins with these cards.
    fn dealt(seats: usize, options: Options, pile: &str) -> Self {
        let deck = list(pile).into_iter().map(|card| card.name().to_owned()).collect();
        let script = Arc::new(Script { dice: Vec::new(), deck });
        let count = SeatCount::new(seats).expect("2 to 4 seats");
        assert_eq!(Kamudakara::check(&options, count, &script), []);
        let mut table = Self {
            game: Kamudakara::setup(&Arc::new(options), count),
            chance: Chance::new(Key::derive(&[1; 32], &[0; 16], []), script),
        };
        table.with_context(Game::start);
        table
    }

    /// An empty table at the turn of seat 0, to be furnished.
    fn bare(seats: usize) -> Self {
        let count = SeatCount::new(seats).expect("2 to 4 seats");
        let mut game = Kamudakara::setup(&Arc::default(), count);
        game.phase = Phase::Turn;
        Self { game, chance: random(1) }
    }

    fn hand(mut self, seat: usize, initials: &str) -> Self {
        self.game.hands[seat] = cards(initials);
        self
    }

    /// Lays these face up into the seat's storehouse.
    fn open(mut self, seat: usize, initials: &str) -> Self {
        self.game.storehouses[seat].open = cards(initials);
        self
    }

    /// The deck, top first.
    fn deck(mut self, initials: &str) -> Self {
        self.game.deck = list(initials).into_iter().rev().collect();
        self
    }

    fn with_context<R>(
        &mut self,
        act: impl FnOnce(&mut Kamudakara, &mut Context<'_>, &mut Vec<Event>) -> R,
    ) -> (R, Vec<Event>) {
        let mut context = Context {
            chance: &mut self.chance,
            now: Timestamp::from_millis(0),
            lexicon: &Lexicon::empty(),
            world: &mut Engine,
        };
        let mut log = Vec::new();
        let result = act(&mut self.game, &mut context, &mut log);
        (result, log)
    }

    fn attempt(&mut self, number: u8, action: &Action) -> Result<Vec<Event>, Refusal> {
        assert!(self.game.may_act(seat(number), action), "seat {number} owes nothing: {:?}", self.game.phase);
        let (result, log) = self.with_context(|game, context, log| game.apply(seat(number), action, context, log));
        result.map(|()| log)
    }

    /// Carries the action out and returns what came of it.
    fn act(&mut self, number: u8, action: &Action) -> Vec<Event> {
        self.attempt(number, action).unwrap_or_else(|why| panic!("{action:?} is refused: {why:?}"))
    }

    /// The rule that forbids the action.
    fn refused(&self, number: u8, action: &Action) -> &'static str {
        let mut copy = self.clone();
        let refusal = copy.attempt(number, action).expect_err("the action is legal");
        assert_eq!(format!("{:?}", copy.game), format!("{:?}", self.game));
        assert!(!self.legal(number).contains(action));
        refusal.rule
    }

    fn legal(&self, number: u8) -> Vec<Action> {
        let mut actions = Vec::new();
        let lexicon = Lexicon::empty();
        self.game.legal_actions(seat(number), Inquiry { lexicon: &lexicon, words: true }, &mut |action| {
            actions.push(action);
            ControlFlow::Continue(())
        });
        actions
    }

    fn owing(&self) -> Vec<u8> {
        self.game.to_act().iter().map(Seat::number).collect()
    }

    fn view(&self, number: u8) -> View {
        self.game.view(Viewer::Seat(seat(number)))
    }

    fn hand_of(&self, seat: usize) -> Cards {
        self.game.hands[seat]
    }

    fn open_of(&self, seat: usize) -> Cards {
        self.game.storehouses[seat].open
    }

    fn veiled_of(&self, seat: usize) -> u8 {
        self.game.storehouses[seat].veiled_count()
    }
}

fn ritual() -> Action {
    Action::Ritual {}
}

fn opening(initials: &str) -> Action {
    Action::ChooseOpening { cards: cards(initials) }
}

fn store(initials: &str) -> Action {
    Action::Store { cards: cards(initials) }
}

fn veil(initials: &str) -> Action {
    Action::Veil { cards: cards(initials) }
}

fn use_demons(count: u8) -> Action {
    Action::UseDemons { count }
}

fn give(seats: &[u8]) -> Action {
    Action::GiveDemons { to: seats.iter().map(|&number| seat(number)).collect() }
}
