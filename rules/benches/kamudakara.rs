//! How many actions of random matches of kamudakara a thread carries out in a second.

use std::ops::ControlFlow;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dictionary::Lexicon;
use physics::world::Engine;
use rules::chance::{Chance, Key};
use rules::game::{Context, Game, Inquiry};
use rules::kamudakara::{Action, Event, Kamudakara, Options};
use rules::seat::SeatCount;
use rules::time::Timestamp;

/// What a playout works with and leaves for the next one.
struct Playouts {
    lexicon: Lexicon,
    chance: Chance,
    choices: Chance,
    legal: Vec<Action>,
    log: Vec<Event>,
}

impl Playouts {
    fn new() -> Self {
        let chance = |seed| Chance::new(Key::derive(&[seed; 32], &[0; 16], []), Arc::default());
        Self { lexicon: Lexicon::empty(), chance: chance(1), choices: chance(2), legal: Vec::new(), log: Vec::new() }
    }

    /// Plays one match at random to its end: every legal action is listed, one is taken. Returns
    /// the number of actions.
    fn play(&mut self, table: &Kamudakara) -> u64 {
        let mut game = table.clone();
        let mut context = Context {
            chance: &mut self.chance,
            now: Timestamp::from_millis(0),
            lexicon: &self.lexicon,
            world: &mut Engine,
        };
        self.log.clear();
        game.start(&mut context, &mut self.log);
        let mut actions = 0;
        while let Some(seat) = game.to_act().iter().next() {
            self.legal.clear();
            let legal = &mut self.legal;
            game.legal_actions(seat, Inquiry { lexicon: &self.lexicon, words: true }, &mut |action| {
                legal.push(action);
                ControlFlow::Continue(())
            });
            let choice = self.choices.below(self.legal.len() as u32) as usize;
            game.apply(seat, &self.legal[choice], &mut context, &mut self.log).expect("a listed action is legal");
            actions += 1;
        }
        actions
    }
}

fn random_playouts(criterion: &mut Criterion) {
    const MATCHES: usize = 200;
    let options = Arc::new(Options::default());
    let mut group = criterion.benchmark_group("kamudakara");
    for seats in 2..=4 {
        let table = Kamudakara::setup(&options, SeatCount::new(seats).expect("2 to 4 seats"));
        let actions = |playouts: &mut Playouts| (0..MATCHES).map(|_| playouts.play(&table)).sum::<u64>();
        group.throughput(Throughput::Elements(actions(&mut Playouts::new())));
        group.bench_function(format!("{MATCHES} random matches of {seats} seats"), |bencher| {
            bencher.iter(|| actions(&mut Playouts::new()));
        });
    }
    group.finish();
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
