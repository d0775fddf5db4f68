//! 八築: all words that a hand can lay, one decision of the bot, and random playouts without words.

mod playouts;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dictionary::{Letter, LetterSet, Lexicon};
use physics::world::Engine;
use rules::chance::{Chance, Key};
use rules::game::{Context, Game, Inquiry, Level, Thinking};
use rules::hachiku::{self, Action, Hachiku};
use rules::seat::{SeatCount, Viewer};
use rules::time::Timestamp;

fn chance(seed: u8) -> Chance {
    Chance::new(Key::derive(&[seed; 32], &[0; 16], []), Arc::default())
}

fn apply(game: &mut Hachiku, action: &Action, lexicon: &Lexicon, chance: &mut Chance) {
    let seat = game.to_act().iter().next().expect("the match goes on");
    let mut context = Context { chance, now: Timestamp::default(), lexicon, world: &mut Engine };
    game.apply(seat, action, &mut context, &mut Vec::new()).expect("the action is legal");
}

/// Head か, and as many cards in each hand, common letters first.
fn hands_of(size: usize, lexicon: &Lexicon) -> Hachiku {
    let letters = "いうんしきよとくつりこゆちたおすさけせあひふまえらみてはほもにやそなれめのろるわむへねぬを";
    let mut game = Hachiku::setup(&Arc::default(), SeatCount::new(2).expect("two seats"));
    let mut cards = std::iter::once('か').chain(letters.chars()).map(|c| Letter::of(c).expect("a basic hiragana"));
    let head = Action::ChooseHead { letter: cards.next().expect("the head") };
    apply(&mut game, &head, lexicon, &mut chance(0));
    for letter in cards.take(2 * size) {
        apply(&mut game, &Action::Gather { letter }, lexicon, &mut chance(0));
    }
    game
}

fn words(c: &mut Criterion, lexicon: &Lexicon) {
    let mut group = c.benchmark_group("words of a hand");
    for size in [10, 22] {
        let game = hands_of(size, lexicon);
        let seat = game.to_act().iter().next().expect("the match goes on");
        let view = game.view(Viewer::Seat(seat));
        let (policy, own) = Default::default();
        let hand: LetterSet = view.hands[seat.index()].unwrap_or_default();
        let count = |head, hand| {
            let mut count = 0_u64;
            lexicon.playable(head, hand, &policy, &own, &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            count
        };
        let head = view.head.expect("the head is chosen");
        group.throughput(Throughput::Elements(count(head, hand)));
        group.bench_function(BenchmarkId::from_parameter(size), |b| b.iter(|| count(black_box(head), black_box(hand))));
    }
}

fn decision(c: &mut Criterion, lexicon: &Lexicon) {
    let mut group = c.benchmark_group("a decision of the easy bot");
    for size in [0, 3, 10, 22] {
        let game = hands_of(size, lexicon);
        let seat = game.to_act().iter().next().expect("the match goes on");
        let view = game.view(Viewer::Seat(seat));
        let mut random = chance(1);
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            b.iter(|| {
                let mut legal = Vec::new();
                game.legal_actions(seat, Inquiry { lexicon, words: true }, &mut |action| {
                    legal.push(action);
                    ControlFlow::Continue(())
                });
                let mut thinking = Thinking { level: Level::Easy, lexicon, random: &mut random };
                Hachiku::advise(&view, seat, &hachiku::Options::default(), legal, &mut thinking)
            });
        });
    }
}

fn hachiku(c: &mut Criterion) {
    let lexicon = Lexicon::standard(None).expect("the data is in the crate");
    words(c, &lexicon);
    decision(c, &lexicon);
    playouts::measure::<Hachiku>(c, &[2]);
}

criterion_group!(benches, hachiku);
criterion_main!(benches);
