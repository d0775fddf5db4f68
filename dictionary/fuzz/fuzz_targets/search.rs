//! Any search is answered or refused, and its cursor leads on.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use dictionary::{Lexicon, Order, OwnWords, SearchQuery};
use libfuzzer_sys::fuzz_target;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("sound data"));

#[derive(Debug, Arbitrary)]
struct Input {
    texts: [Option<String>; 6],
    numbers: [Option<usize>; 3],
    distinct: Option<bool>,
    order: u8,
}

fuzz_target!(|input: Input| {
    let [starts_with, ends_with, letters, contains, class, cursor] = input.texts;
    let [min_length, max_length, limit] = input.numbers;
    let mut query = SearchQuery {
        starts_with,
        ends_with,
        letters,
        contains,
        min_length,
        max_length,
        distinct: input.distinct,
        class,
        order: [Order::Gojuon, Order::Length, Order::Common][usize::from(input.order % 3)],
        limit,
        cursor,
        lexicon: None,
    };
    let own = OwnWords::default();
    if let Ok(page) = LEXICON.search(&query, &own)
        && let Some(next) = page.next_cursor
    {
        query.cursor = Some(next);
        assert!(LEXICON.search(&query, &own).is_ok_and(|page| !page.words.is_empty()));
    }
});
