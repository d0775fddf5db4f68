//! What verdicts, hands, searches and opening cost, each beside what it is measured against.

use std::collections::HashMap;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use dictionary::shiritori::{NextOrder, NextRequest};
use dictionary::{Letter, LetterSet, Lexicon, Order, OwnWords, Policy, SearchQuery, Spelling, fold};
use fst::Map;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn lexicon(folder: &Path) -> Lexicon {
    Lexicon::standard(Some(folder)).expect("the data in the crate is sound")
}

/// Readings of every 50th spelling, in an order that no cache likes.
fn readings(lexicon: &Lexicon) -> Vec<String> {
    let mut readings = Vec::new();
    let mut number = 0_u64;
    lexicon.visit_spellings(&mut |letters| {
        number += 1;
        if number.is_multiple_of(50)
            && let Some(entry) = lexicon.entries(letters).next()
        {
            readings.push((number.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry.reading.to_owned()));
        }
        ControlFlow::Continue(())
    });
    readings.sort_unstable();
    readings.into_iter().map(|(_, reading)| reading).collect()
}

fn verdict(c: &mut Criterion) {
    let folder = folder();
    let lexicon = lexicon(folder.path());
    let readings = readings(&lexicon);
    let key = |letters: &[Letter]| -> Vec<u8> { letters.iter().map(|letter| letter.index() as u8 + 1).collect() };
    let mut keys = Vec::new();
    lexicon.visit_spellings(&mut |letters| {
        keys.push(key(letters));
        ControlFlow::Continue(())
    });
    let bare = Map::from_iter(keys.into_iter().zip(0..)).expect("sorted keys");
    let folded: Vec<_> =
        readings.iter().map(|reading| fold(reading).expect("a reading").spellings.swap_remove(0)).collect();
    let folded_keys: Vec<_> = folded.iter().map(|spelling| key(spelling.letters())).collect();
    let (policy, own) = (Policy::default(), OwnWords::default());

    let mut group = c.benchmark_group("one word");
    let mut next = (0..readings.len()).cycle();
    group.bench_function("bare FST look-up of the folded key", |b| {
        b.iter(|| bare.get(&folded_keys[next.next().unwrap_or_default()]));
    });
    group.bench_function("classes of a text: folded and found", |b| {
        b.iter(|| lexicon.classes_of(&readings[next.next().unwrap_or_default()]));
    });
    group.bench_function("verdict with entries and spellings", |b| {
        b.iter(|| black_box(lexicon.judge(&readings[next.next().unwrap_or_default()], &policy, &own).valid));
    });
    group.bench_function("is_word of letters", |b| {
        b.iter(|| lexicon.is_word(folded[next.next().unwrap_or_default()].letters(), &policy, &own));
    });
    group.bench_function("fold alone", |b| {
        b.iter(|| fold(&readings[next.next().unwrap_or_default()]));
    });
    group.finish();
}

/// Hands of a size, spread over the alphabet in a fixed manner.
fn hands(size: usize) -> Vec<(Letter, LetterSet)> {
    (1..=46_usize)
        .filter_map(|seed| {
            let letters: Vec<_> = (0..=size).map(|n| (seed * 7 + n * 5) % 46).collect();
            let mut letters = letters.into_iter().filter_map(Letter::from_index);
            Some((letters.next()?, letters.collect()))
        })
        .collect()
}

fn playable(c: &mut Criterion) {
    let folder = folder();
    let lexicon = lexicon(folder.path());
    let (policy, own) = (Policy::default(), OwnWords::default());
    let mut group = c.benchmark_group("playable words");
    for size in [10, 22] {
        let hands = hands(size);
        let mut next = hands.iter().cycle();
        group.bench_function(format!("hand of {size}"), |b| {
            b.iter(|| {
                let Some(&(head, hand)) = next.next() else {
                    return 0;
                };
                let mut words = 0;
                lexicon.playable(head, hand, &policy, &own, &mut |_| {
                    words += 1;
                    ControlFlow::Continue(())
                });
                words
            });
        });
        group.sample_size(10).bench_function(format!("hand of {size}, a scan of the whole lexicon"), |b| {
            b.iter(|| {
                let Some(&(head, hand)) = next.next() else {
                    return 0;
                };
                let mut words = 0;
                lexicon.visit_spellings(&mut |letters| {
                    let word = Spelling::from(letters);
                    let fits = word.len() >= 2
                        && word.first() == Some(head)
                        && word.is_distinct()
                        && hand.with(head).is_superset(word.set());
                    words +=
                        usize::from(fits && lexicon.entries(letters).any(|entry| policy.classes.contains(entry.class)));
                    ControlFlow::Continue(())
                });
                words
            });
        });
    }
    group.finish();
}

fn search(c: &mut Criterion) {
    let folder = folder();
    let lexicon = lexicon(folder.path());
    let own = OwnWords::default();
    let rack = hands(22)[3].1.to_string();
    let everything = LetterSet::ALL.to_string();
    let queries = HashMap::from([
        ("rack of 22, first 50", SearchQuery { letters: Some(rack.clone()), ..SearchQuery::default() }),
        (
            "rack of 22, 500 most common",
            SearchQuery {
                letters: Some(rack.clone()),
                order: Order::Common,
                limit: Some(500),
                ..SearchQuery::default()
            },
        ),
        ("rack of all 46, first 50", SearchQuery { letters: Some(everything), ..SearchQuery::default() }),
        ("ends in りく, first 50", SearchQuery { ends_with: Some("りく".into()), ..SearchQuery::default() }),
        ("nothing fits", SearchQuery { contains: Some("ぬゆむへよらりるれ".into()), ..SearchQuery::default() }),
    ]);
    let mut group = c.benchmark_group("search");
    for (name, query) in queries {
        group.bench_function(name, |b| {
            b.iter(|| lexicon.search(&query, &own).map(|page| page.words.len()));
        });
    }
    group.bench_function("rack of 22, every page", |b| {
        b.iter(|| {
            let mut query = SearchQuery { letters: Some(rack.clone()), limit: Some(500), ..SearchQuery::default() };
            let mut words = 0;
            while let Ok(page) = lexicon.search(&query, &own) {
                words += page.words.len();
                query.cursor = page.next_cursor;
                if query.cursor.is_none() {
                    break;
                }
            }
            words
        });
    });
    let next = |order| NextRequest { after: Some("いか".into()), order, ..NextRequest::default() };
    for (name, order) in [("next, common", NextOrder::Common), ("next, fewest answers", NextOrder::FewestAnswers)] {
        let request = next(order);
        group.bench_function(name, |b| {
            b.iter(|| lexicon.next_words(&request).map(|answer| answer.words.len()));
        });
    }
    group.finish();
}

fn open(c: &mut Criterion) {
    let folder = folder();
    lexicon(folder.path());
    let mut group = c.benchmark_group("standard()");
    group.sample_size(10);
    group.bench_function("mapped", |b| b.iter(|| lexicon(folder.path())));
    group.bench_function("first use", |b| {
        b.iter_batched(self::folder, |empty| (lexicon(empty.path()), empty), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, verdict, playable, search, open);
criterion_main!(benches);
