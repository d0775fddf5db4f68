//! Random playouts of any game. At each decision every legal action is enumerated, and one of them, all equally
//! likely, is carried out; match follows on match, each from its set-up to its end.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use criterion::{Criterion, Throughput};
use dictionary::Lexicon;
use physics::world::Engine;
use rules::chance::{Chance, Key};
use rules::game::{Context, Game, Inquiry};
use rules::seat::{Seat, SeatCount};
use rules::time::Timestamp;

/// Measures the playouts of a game at tables of so many seats each, words left out; an element is an action.
pub fn measure<G: Game>(criterion: &mut Criterion, tables: &[usize]) {
    let mut group = criterion.benchmark_group(format!("{}/random playouts", G::FACTS.id));
    group.throughput(Throughput::Elements(1));
    for &seats in tables {
        let mut playouts = Playouts::<G>::new(SeatCount::new(seats).expect("a number of seats"));
        group.bench_function(format!("{seats} seats"), |bencher| {
            bencher.iter_custom(|actions| {
                let (begun, mut played) = (Instant::now(), 0);
                while played < actions {
                    played += playouts.play();
                }
                // The last match goes on beyond the actions asked for.
                begun.elapsed().mul_f64(actions as f64 / played as f64)
            });
        });
    }
    group.finish();
}

/// What playouts are made of, and what one leaves for the next.
struct Playouts<G: Game> {
    options: Arc<G::Options>,
    seats: SeatCount,
    lexicon: Lexicon,
    log: Vec<G::Event>,
    /// What the matches draw from.
    chance: Chance,
    /// What decides among the legal actions.
    choices: Chance,
}

impl<G: Game> Playouts<G> {
    fn new(seats: SeatCount) -> Self {
        let chance = |seed| Chance::new(Key::derive(&[seed; 32], &[0; 16], []), Arc::default());
        Self {
            options: Arc::default(),
            seats,
            lexicon: Lexicon::empty(),
            log: Vec::new(),
            chance: chance(0),
            choices: chance(1),
        }
    }

    /// Plays one match and returns how many actions it took.
    fn play(&mut self) -> u64 {
        let mut context =
            Context { chance: &mut self.chance, now: Timestamp::default(), lexicon: &self.lexicon, world: &mut Engine };
        let mut game = G::setup(&self.options, self.seats);
        game.start(&mut context, &mut self.log);
        let mut actions = 0;
        while let Some(seat) = game.to_act().iter().next() {
            let action = choose(&game, seat, &self.lexicon, &mut self.choices);
            let action = action.as_ref().expect("a seat that owes a decision has a legal action");
            self.log.clear();
            game.apply(seat, action, &mut context, &mut self.log).expect("an enumerated action is legal");
            actions += 1;
        }
        actions
    }
}

/// One of the legal actions. They are counted and visited again up to the one that the draw falls on: to keep them
/// all would cost more than to make them twice.
fn choose<G: Game>(game: &G, seat: Seat, lexicon: &Lexicon, choices: &mut Chance) -> Option<G::Action> {
    let inquiry = Inquiry { lexicon, words: false };
    let mut count = 0;
    game.legal_actions(seat, inquiry, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    let mut before = choices.below(count);
    let mut chosen = None;
    game.legal_actions(seat, inquiry, &mut |action| {
        if before > 0 {
            before -= 1;
            return ControlFlow::Continue(());
        }
        chosen = Some(action);
        ControlFlow::Break(())
    });
    chosen
}
