//! Searches on the real lexicon give what a scan of every entry gives.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::LazyLock;

use dictionary::{
    Class, ClassSet, Letter, LetterSet, Lexicon, Order, OwnWords, SearchError, SearchQuery, Spelling, fold,
};
use proptest::prelude::*;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("the data in the crate is sound"));

/// All that the lexicon holds, and how common each spelling is.
struct Everything {
    /// Every entry with its spellings.
    words: Vec<(String, Class, Vec<Spelling>)>,
    ranks: BTreeMap<Spelling, u8>,
}

static EVERYTHING: LazyLock<Everything> = LazyLock::new(|| {
    let (mut words, mut ranks) = (BTreeSet::new(), BTreeMap::new());
    LEXICON.visit_spellings(&mut |letters| {
        for entry in LEXICON.entries(letters) {
            words.insert((entry.reading.to_owned(), entry.class));
            let rank = ranks.entry(letters.into()).or_insert(u8::MAX);
            *rank = entry.rank.unwrap_or(u8::MAX).min(*rank);
        }
        ControlFlow::Continue(())
    });
    let words = words.into_iter().map(|(reading, class)| {
        let spellings = fold(&reading).expect("a reading").spellings;
        (reading, class, spellings)
    });
    Everything { words: words.collect(), ranks }
});

fn set(text: &str) -> LetterSet {
    text.chars().map(|c| Letter::try_from(c).unwrap()).collect()
}

/// What the documentation says, word by word.
fn by_scan(query: &SearchQuery) -> Vec<(String, Class)> {
    let classes: ClassSet = match &query.class {
        Some(list) => list.split(',').map(|class| class.parse::<Class>().unwrap()).collect(),
        None => ClassSet::NOUNS,
    };
    let affix = |text: &Option<String>| {
        text.as_ref().map(|text| {
            let folded = fold(text).unwrap();
            let letters: Vec<_> = folded.spellings.iter().map(ToString::to_string).collect();
            let says_more = letters != [folded.hiragana.clone()];
            (letters, says_more.then_some(folded.hiragana))
        })
    };
    let (start, end) = (affix(&query.starts_with), affix(&query.ends_with));
    let rack = query.letters.as_deref().map(set);
    let contains = query.contains.as_deref().map_or(LetterSet::EMPTY, set);
    let fits = |spelling: &Spelling| {
        let text = spelling.to_string();
        start.as_ref().is_none_or(|(letters, _)| letters.iter().any(|s| text.starts_with(s)))
            && end.as_ref().is_none_or(|(letters, _)| letters.iter().any(|s| text.ends_with(s)))
            && rack.is_none_or(|rack| rack.is_superset(spelling.set()) && spelling.is_distinct())
            && spelling.set().is_superset(contains)
            && (query.distinct != Some(true) || spelling.is_distinct())
            && spelling.len() >= query.min_length.unwrap_or(0)
            && spelling.len() <= query.max_length.unwrap_or(usize::MAX)
    };
    let mut found = Vec::new();
    for (reading, class, spellings) in &EVERYTHING.words {
        let exact = |affix: &Option<(Vec<String>, Option<String>)>, test: &dyn Fn(&str) -> bool| {
            affix.as_ref().and_then(|(_, reading)| reading.as_deref()).is_none_or(test)
        };
        if !classes.contains(*class)
            || !exact(&start, &|text| reading.starts_with(text))
            || !exact(&end, &|text| reading.ends_with(text))
        {
            continue;
        }
        if let Some(first) = spellings.iter().find(|spelling| fits(spelling)) {
            let measure = match query.order {
                Order::Gojuon => 0,
                Order::Length => first.len(),
                Order::Common => EVERYTHING.ranks[first].into(),
            };
            found.push((measure, first, reading.clone(), *class));
        }
    }
    found.sort();
    found.into_iter().map(|(_, _, reading, class)| (reading, class)).collect()
}

/// Every page of a search, at most `pages`.
fn by_search(query: &SearchQuery, pages: usize) -> Vec<(String, Class)> {
    let mut query = query.clone();
    let mut found = Vec::new();
    for _ in 0..pages {
        let own = OwnWords::default();
        let page = LEXICON.search(&query, &own).unwrap();
        found.extend(page.words.iter().map(|word| (word.reading.to_owned(), word.class)));
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            break;
        }
    }
    found
}

fn queries() -> impl Strategy<Value = SearchQuery> {
    let kana = |pattern| proptest::option::of(proptest::string::string_regex(pattern).unwrap());
    let rack = proptest::option::weighted(0.4, (0_u64..1 << 46, 0_u64..1 << 46, any::<bool>()));
    (
        (kana("[か-てがずづ]{1,2}"), kana("[あ-んっゃ]"), rack, proptest::option::weighted(0.3, "[あいうかんず]{1,2}")),
        (proptest::option::of(0_usize..6), proptest::option::of(0_usize..8), any::<Option<bool>>()),
        proptest::option::of(0_usize..11),
        (prop_oneof![Just(Order::Gojuon), Just(Order::Length), Just(Order::Common)], 1_usize..80),
    )
        .prop_map(|((starts_with, ends_with, rack, contains), (min, max, distinct), class, (order, limit))| {
            let contains = contains.map(|c| c.replace('ず', "つ"));
            SearchQuery {
                starts_with: starts_with.filter(|text| fold(text).is_ok()),
                ends_with: ends_with.filter(|text| fold(text).is_ok()),
                letters: rack
                    .map(|(a, b, narrow)| LetterSet::from_bits(if narrow { a & b } else { a | b }).to_string()),
                contains,
                min_length: min,
                max_length: max,
                distinct,
                class: class.map(|class| Class::ALL[class].name().to_owned()),
                order,
                limit: Some(limit),
                ..SearchQuery::default()
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_are_those_of_a_scan(query in queries()) {
        let pages = 12;
        let mut expected = by_scan(&query);
        expected.truncate(pages * query.limit.unwrap());
        prop_assert_eq!(by_search(&query, pages), expected);
    }

    #[test]
    fn nothing_a_client_sends_panics(
        texts in prop::collection::vec(proptest::option::of("\\PC{0,8}|[ぁ-ゖー]{0,4}"), 6),
        numbers in prop::collection::vec(any::<Option<usize>>(), 3),
    ) {
        let own = OwnWords::default();
        let query = SearchQuery {
            starts_with: texts[0].clone(),
            ends_with: texts[1].clone(),
            letters: texts[2].clone(),
            contains: texts[3].clone(),
            class: texts[4].clone(),
            cursor: texts[5].clone(),
            min_length: numbers[0],
            max_length: numbers[1],
            limit: numbers[2],
            ..SearchQuery::default()
        };
        if let Ok(page) = LEXICON.search(&query, &own)
            && let Some(cursor) = page.next_cursor
        {
            let next = SearchQuery { cursor: Some(cursor), ..query };
            prop_assert!(LEXICON.search(&next, &own).is_ok_and(|page| !page.words.is_empty()));
        }
    }
}

fn readings(query: &SearchQuery) -> Vec<String> {
    by_search(query, 1).into_iter().map(|(reading, _)| reading).collect()
}

#[test]
fn letters_find_marks_but_marks_find_only_themselves() {
    let starting = |text: &str| SearchQuery {
        starts_with: Some(text.into()),
        max_length: Some(4),
        limit: Some(500),
        class: Some("common".into()),
        ..SearchQuery::default()
    };
    assert!(readings(&starting("かっ")).iter().all(|reading| reading.starts_with("かっ")));
    assert!(readings(&starting("がっ")).contains(&"がっこう".to_owned()));
    let loose = readings(&starting("かつこ"));
    assert!(loose.contains(&"がっこう".to_owned()) && loose.contains(&"かっこう".to_owned()));
}

#[test]
fn a_rack_finds_what_it_can_make() {
    let query = SearchQuery { letters: Some("カえル".into()), min_length: Some(3), ..SearchQuery::default() };
    assert!(readings(&query).contains(&"かえる".to_owned()));
    let own = OwnWords::default();
    let page = LEXICON.search(&query, &own).unwrap();
    assert!(page.words.iter().all(|word| word.spellings.iter().all(Spelling::is_distinct)));
}

#[test]
fn own_words_are_found_after_the_others_and_banned_ones_are_not() {
    let own = OwnWords::new(["けぬむろ", "けぬぬ"], ["ねこ"]).unwrap();
    let query = SearchQuery { starts_with: Some("けぬ".into()), limit: Some(1), ..SearchQuery::default() };
    let mut found = Vec::new();
    let mut next = query;
    loop {
        let page = LEXICON.search(&next, &own).unwrap();
        found.extend(page.words.iter().map(|word| word.reading.to_owned()));
        let Some(cursor) = page.next_cursor else {
            break;
        };
        next.cursor = Some(cursor);
    }
    assert!(found.ends_with(&["けぬぬ".to_owned(), "けぬむろ".to_owned()]), "{found:?}");
    let cats = SearchQuery { letters: Some("ねこ".into()), ..SearchQuery::default() };
    let page = LEXICON.search(&cats, &own).unwrap();
    assert!(page.words.iter().all(|word| word.reading != "ねこ"));
}

#[test]
fn parameters_are_checked() {
    let search = |query| LEXICON.search(&query, &OwnWords::default()).map(|_| ()).unwrap_err();
    let none = SearchQuery::default();
    for limit in [0, 501, usize::MAX] {
        assert_eq!(search(SearchQuery { limit: Some(limit), ..none.clone() }), SearchError::Limit);
    }
    for cursor in ["nonsense", "0.0.0.00000000", ""] {
        let query = SearchQuery { cursor: Some(cursor.into()), ..none.clone() };
        assert_eq!(search(query), SearchError::Cursor);
    }
    let bad = [
        SearchQuery { starts_with: Some("abc".into()), ..none.clone() },
        SearchQuery { starts_with: Some(String::new()), ..none.clone() },
        SearchQuery { ends_with: Some("ね".repeat(10_000)), ..none.clone() },
        SearchQuery { letters: Some("かか".into()), ..none.clone() },
        SearchQuery { letters: Some("が".into()), ..none.clone() },
        SearchQuery { contains: Some("ー".into()), ..none.clone() },
        SearchQuery { class: Some("noun".into()), ..none.clone() },
    ];
    for query in bad {
        assert!(!search(query).parameter().is_empty());
    }
}

#[test]
fn a_long_vowel_needs_the_kana_before_it() {
    let own = OwnWords::default();
    let ending = |text: &str| SearchQuery { ends_with: Some(text.into()), ..SearchQuery::default() };
    for text in ["ー", "〜", "ーる"] {
        let refused = LEXICON.search(&ending(text), &own).map(|_| ()).unwrap_err();
        assert_eq!(refused, SearchError::LongAlone { parameter: "ends_with" }, "{text}");
    }
    assert!(readings(&ending("らー")).iter().all(|reading| reading.ends_with("らー")));
    assert!(readings(&ending("ひー")).contains(&"こーひー".to_owned()));
    for (query, long_alone) in [
        (SearchQuery { contains: Some("ー".into()), ..SearchQuery::default() }, true),
        (SearchQuery { letters: Some("ーあ".into()), ..SearchQuery::default() }, true),
        (SearchQuery { starts_with: Some("ー".into()), ..SearchQuery::default() }, false),
        (ending("んー"), false),
    ] {
        let refused = LEXICON.search(&query, &own).map(|_| ()).unwrap_err();
        assert_eq!(matches!(refused, SearchError::LongAlone { .. }), long_alone, "{query:?}");
    }
}

#[test]
fn a_cursor_of_another_question_is_refused() {
    let first = SearchQuery { starts_with: Some("ね".into()), ..SearchQuery::default() };
    let own = OwnWords::default();
    let cursor = LEXICON.search(&first, &own).unwrap().next_cursor;
    let other = SearchQuery { starts_with: Some("い".into()), cursor, ..SearchQuery::default() };
    assert_eq!(LEXICON.search(&other, &own).map(|_| ()), Err(SearchError::Cursor));
}
