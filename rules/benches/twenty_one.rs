//! Random playouts of ２１: at each decision the legal actions are enumerated and one of them is
//! carried out. `cargo bench -p takujo-rules --bench twenty_one`; an element is an action.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrayvec::ArrayVec;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dictionary::Lexicon;
use physics::world::Engine;
use rules::chance::{Chance, Key};
use rules::game::{Context, Game, Inquiry};
use rules::seat::SeatCount;
use rules::time::Timestamp;
use rules::twenty_one::{Action, Event, Options, TwentyOne};

/// Actions that one measured pass carries out.
const ACTIONS: u64 = 100_000;

/// Matches played at random, one after the other, without end.
struct Playouts {
    options: Arc<Options>,
    seats: SeatCount,
    game: TwentyOne,
    log: Vec<Event>,
    chance: Chance,
    choices: Chance,
    lexicon: Lexicon,
}

impl Playouts {
    fn new(seats: usize) -> Self {
        let options = Arc::new(Options::default());
        let seats = SeatCount::new(seats).expect("2 to 10");
        let stream = |number| Chance::new(Key::derive(&[number; 32], &[0; 16], []), Arc::default());
        let game = TwentyOne::setup(&options, seats);
        Self { options, seats, game, log: Vec::new(), chance: stream(0), choices: stream(1), lexicon: Lexicon::empty() }
    }

    /// Carries out one action, in a new match where the last one is over.
    fn step(&mut self) {
        let mut context = Context {
            chance: &mut self.chance,
            now: Timestamp::from_millis(0),
            lexicon: &self.lexicon,
            world: &mut Engine,
        };
        let Some(seat) = self.game.to_act().iter().next() else {
            self.log.clear();
            self.game = TwentyOne::setup(&self.options, self.seats);
            self.game.start(&mut context, &mut self.log);
            return self.step();
        };
        let mut legal = ArrayVec::<Action, 2>::new();
        self.game.legal_actions(seat, Inquiry { lexicon: &self.lexicon, words: true }, &mut |action| {
            legal.push(action);
            ControlFlow::Continue(())
        });
        let choice = self.choices.below(legal.len() as u32) as usize;
        self.game.apply(seat, &legal[choice], &mut context, &mut self.log).expect("it is legal");
    }
}

fn random_playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("twenty_one/random playouts");
    group.throughput(Throughput::Elements(ACTIONS));
    for seats in [2, 10] {
        let mut playouts = Playouts::new(seats);
        group.bench_function(format!("{seats} seats"), |bencher| {
            bencher.iter(|| (0..ACTIONS).for_each(|_| playouts.step()));
        });
    }
    group.finish();
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
