//! The rules of ２１, by rule id.

mod bot;
mod enumeration;
mod options;
mod playthrough;
mod rolling;
mod showdown;
mod whole_matches;

use std::sync::{Arc, LazyLock};

use dictionary::Lexicon;
use physics::world::Engine;

use super::*;
use crate::chance::{Chance, Key};
use crate::time::Timestamp;

/// A match without a referee: whoever is to act does as told.
struct Play {
    game: TwentyOne,
    chance: Chance,
    log: Vec<Event>,
}

impl Play {
    /// A started match whose first dice are these.
    fn new(seats: usize, options: Options, dice: &[u32]) -> Self {
        let script = Script { dice: dice.to_vec(), deck: vec![] };
        let mut chance = Chance::new(Key::derive(&[0; 32], &[0; 16], []), Arc::new(script));
        let mut game = TwentyOne::setup(&Arc::new(options), SeatCount::new(seats).unwrap());
        let mut log = Vec::new();
        game.start(&mut context(&mut chance), &mut log);
        Self { game, chance, log }
    }

    fn turn(&self) -> Seat {
        let to_act = self.game.to_act();
        assert_eq!(to_act.len(), 1, "one seat is to act");
        to_act.iter().next().unwrap()
    }

    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        let seat = self.turn();
        self.game.apply(seat, &action, &mut context(&mut self.chance), &mut self.log)
    }

    /// Rolls (`r`) and stops (`s`) of whoever is to act; anything else is for the eye.
    fn play(mut self, actions: &str) -> Self {
        for (at, action) in actions.char_indices() {
            let action = match action {
                'r' => Action::Roll {},
                's' => Action::Stop {},
                _ => continue,
            };
            self.act(action).unwrap_or_else(|why| panic!("{} refused: {why:?}", &actions[..=at]));
        }
        self
    }

    fn view(&self) -> View {
        self.game.view(Viewer::Public)
    }

    fn legal(&self, seat: Seat) -> Vec<Action> {
        legal_actions(&self.game, seat)
    }

    /// Who won the games so far, and by what.
    fn wins(&self) -> Vec<(u8, WonBy)> {
        let win = |event: &Event| match event {
            Event::GameWon { seat, reason, .. } => Some((seat.number(), *reason)),
            _ => None,
        };
        self.log.iter().filter_map(win).collect()
    }
}

fn context(chance: &mut Chance) -> Context<'_> {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::empty);
    // The engine has no size: nothing is allocated.
    Context { chance, now: Timestamp::from_millis(0), lexicon: &LEXICON, world: Box::leak(Box::new(Engine)) }
}

fn legal_actions(game: &TwentyOne, seat: Seat) -> Vec<Action> {
    let mut actions = Vec::new();
    let complete = game.legal_actions(seat, Inquiry { lexicon: &Lexicon::empty(), words: true }, &mut |action| {
        actions.push(action);
        ControlFlow::Continue(())
    });
    assert_eq!(complete, Completeness::Complete);
    actions
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn one_game() -> Options {
    Options { games: Some(1), ..Options::default() }
}
