//! Random playouts of サラマンダー: legal actions enumerated, one of them applied.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dictionary::Lexicon;
use physics::world::Engine;
use rules::chance::{Chance, Key};
use rules::game::{Context, Game, Inquiry};
use rules::salamander::{Action, Options, Salamander};
use rules::seat::SeatCount;
use rules::time::Timestamp;

/// Plays one random match to its end and returns how many actions it took.
fn playout(seats: SeatCount, match_no: u64, choices: &mut Chance, legal: &mut Vec<Action>) -> u64 {
    let lexicon = Lexicon::empty();
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&match_no.to_le_bytes());
    let mut chance = Chance::new(Key::derive(&seed, &[0; 16], []), Arc::default());
    let mut context = Context { chance: &mut chance, now: Timestamp::default(), lexicon: &lexicon, world: &mut Engine };
    let mut game = Salamander::setup(&Arc::new(Options::default()), seats);
    let mut log = Vec::with_capacity(64);
    game.start(&mut context, &mut log);
    let mut actions = 0;
    while let Some(seat) = game.to_act().iter().next() {
        legal.clear();
        game.legal_actions(seat, Inquiry { lexicon: &lexicon, words: false }, &mut |action| {
            legal.push(action);
            ControlFlow::Continue(())
        });
        let action = &legal[choices.below(legal.len() as u32) as usize];
        game.apply(seat, action, &mut context, &mut log).expect("listed actions are legal");
        log.clear();
        actions += 1;
    }
    actions
}

fn random_playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("salamander/random playouts");
    for count in 2..=4 {
        let seats = SeatCount::new(count).expect("a number of seats");
        let choices = Chance::new(Key::derive(&[1; 32], &[0; 16], []), Arc::default());
        let mut legal = Vec::new();
        let matches = 20;
        let mut play = |choices: &mut Chance| -> u64 {
            (0..matches).map(|match_no| playout(seats, match_no, choices, &mut legal)).sum()
        };
        let actions = play(&mut choices.clone());
        group.throughput(Throughput::Elements(actions));
        group.bench_function(format!("{count} seats"), |bencher| {
            bencher.iter(|| black_box(play(&mut choices.clone())));
        });
    }
    group.finish();
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
