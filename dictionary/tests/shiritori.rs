//! しりとり on the real lexicon.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use dictionary::shiritori::{
    ChainAnswer, ChainReason, ChainRequest, FinalN, JiZu, LongVowel, NextOrder, NextRequest, Preset, Repeats,
    RuleOptions, ShiritoriError, SmallKana, Voicing,
};
use dictionary::{Class, ClassSet, Lexicon, Row};
use proptest::prelude::*;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("the data in the crate is sound"));

fn request(words: &[&str], rules: &RuleOptions) -> ChainRequest {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    ChainRequest { words, rules: rules.clone(), ..ChainRequest::default() }
}

/// The first error of a chain, if there is one.
fn broken(words: &[&str], rules: &RuleOptions) -> Option<(usize, ChainReason)> {
    let request = request(words, rules);
    let answer = LEXICON.check_chain(&request).unwrap();
    assert_eq!(answer.valid, answer.first_error.is_none());
    answer.first_error.map(|error| (error.index, error.reason))
}

fn preset(preset: Preset) -> RuleOptions {
    RuleOptions { preset, ..RuleOptions::default() }
}

#[test]
fn a_plain_chain_holds_under_every_ruleset() {
    for rules in [Preset::Everyday, Preset::Strict, Preset::Hachiku].map(preset) {
        let request = request(&["しりとり", "りす", "すいか", "かめ", "めだか"], &rules);
        let answer = LEXICON.check_chain(&request).unwrap();
        assert!(answer.valid && !answer.dead_end);
        assert!(answer.next_must_start_with.contains(&"か".to_owned()));
        assert_eq!(answer.rules.preset, rules.preset);
    }
}

#[test]
fn the_first_broken_link_is_named_with_what_would_do() {
    let request = request(&["しりとり", "りす", "かめ", "すいか"], &RuleOptions::default());
    let error = LEXICON.check_chain(&request).unwrap().first_error.unwrap();
    assert_eq!((error.index, error.reason), (2, ChainReason::WrongStart));
    assert_eq!(error.expected, ["す"]);
    assert!(!error.accepted.is_empty() && error.accepted.iter().all(|word| word.starts_with('す')));
}

#[test]
fn every_reason_is_given() {
    let everyday = RuleOptions::default();
    for (words, index, reason) in [
        (&["けぬむろ"][..], 0, ChainReason::Unknown),
        (&["abc"], 0, ChainReason::Unknown),
        (&["ねこ", "龘龘"], 1, ChainReason::Unknown),
        (&["かくれる"], 0, ChainReason::ClassNotAllowed),
        (&["ーと"], 0, ChainReason::NoSpelling),
        (&["ねこ", "いぬ"], 1, ChainReason::WrongStart),
        (&["ねこ", "こね", "ねこ"], 2, ChainReason::Repeated),
        (&["ねこ", "コイン"], 1, ChainReason::EndsInN),
        (&["パイン"], 0, ChainReason::EndsInN),
    ] {
        assert_eq!(broken(words, &everyday), Some((index, reason)), "{words:?}");
    }
    let long = RuleOptions { min_length: Some(3), ..everyday };
    assert_eq!(broken(&["ねこ"], &long), Some((0, ChainReason::TooShort)));
    assert_eq!(broken(&["しりとり"], &long), None);
}

#[test]
fn long_vowels_and_small_kana() {
    let everyday = RuleOptions::default();
    assert_eq!(broken(&["コーヒー", "いぬ"], &everyday), None);
    assert_eq!(broken(&["コーヒー", "ひと"], &everyday), Some((1, ChainReason::WrongStart)));
    let base = RuleOptions { long_vowel: Some(LongVowel::Base), ..everyday.clone() };
    assert_eq!(broken(&["コーヒー", "ひと"], &base), None);
    assert_eq!(broken(&["かいしゃ", "やま"], &everyday), None);
    let mora = RuleOptions { small_kana: Some(SmallKana::Mora), ..everyday };
    assert_eq!(broken(&["かいしゃ", "しゃしん"], &RuleOptions { n: Some(FinalN::Allowed), ..mora.clone() }), None);
    assert_eq!(broken(&["かいしゃ", "やま"], &mora), Some((1, ChainReason::WrongStart)));
}

#[test]
fn marks_and_twins() {
    let strict = RuleOptions::default();
    assert_eq!(broken(&["さば", "はし"], &strict), Some((1, ChainReason::WrongStart)));
    let loose = RuleOptions { voicing: Some(Voicing::Loose), ..strict.clone() };
    assert_eq!(broken(&["さば", "はし"], &loose), None);
    assert_eq!(
        broken(&["はなぢ", "じかん"], &RuleOptions { n: Some(FinalN::Allowed), ..strict.clone() }),
        Some((1, ChainReason::WrongStart))
    );
    let same = RuleOptions { ji_zu: Some(JiZu::Same), n: Some(FinalN::Allowed), ..strict };
    assert_eq!(broken(&["はなぢ", "じかん"], &same), None);
}

#[test]
fn repeats_by_reading_or_by_form() {
    let rules = |repeats| RuleOptions { repeats: Some(repeats), ..RuleOptions::default() };
    let same_reading = ["歯科", "かし", "しか"];
    assert_eq!(broken(&["しか", "かし", "しか"], &rules(Repeats::Forbidden)), Some((2, ChainReason::Repeated)));
    assert_eq!(broken(&same_reading, &rules(Repeats::Forbidden)), Some((2, ChainReason::Repeated)));
    assert_eq!(broken(&same_reading, &rules(Repeats::SameForm)), None);
    assert_eq!(broken(&["しか", "かし", "しか"], &rules(Repeats::SameForm)), Some((2, ChainReason::Repeated)));
    assert_eq!(broken(&["しか", "かし", "しか"], &rules(Repeats::Allowed)), None);
    for said in [["市場", "牛", "しじょう"], ["えびす", "すえ", "ヱビス"]] {
        assert_eq!(broken(&said, &rules(Repeats::Forbidden)), Some((2, ChainReason::Repeated)), "{said:?}");
    }
}

#[test]
fn a_written_form_with_several_readings_leaves_the_choice() {
    let lexicon = Lexicon::build([
        Row::new("いちば", Class::Common, &["市場"]),
        Row::new("しじょう", Class::Common, &["市場"]),
        Row::new("うし", Class::Common, &["牛"]),
        Row::new("ばら", Class::Common, &["薔薇"]),
    ])
    .unwrap();
    let open = request(&["市場"], &RuleOptions::default());
    let answer = lexicon.check_chain(&open).unwrap();
    assert_eq!(answer.words[0].readings, ["いちば", "しじょう"]);
    assert_eq!(answer.next_must_start_with, ["う", "ば"]);
    let decided = request(&["市場", "牛"], &RuleOptions::default());
    let answer = lexicon.check_chain(&decided).unwrap();
    assert!(answer.valid);
    assert_eq!(answer.words[0].readings, ["しじょう"]);
    let next = lexicon.next_words(&NextRequest { after: Some("市場".into()), ..NextRequest::default() }).unwrap();
    assert_eq!(next.candidates, ["いちば", "しじょう"]);
    assert_eq!(next.words.len(), 2);
}

#[test]
fn a_form_in_kana_is_read_as_its_word() {
    let base =
        RuleOptions { long_vowel: Some(LongVowel::Base), classes: Some(ClassSet::ALL), ..RuleOptions::default() };
    let said = request(&["いもジー"], &base);
    let answer = LEXICON.check_chain(&said).unwrap();
    assert_eq!(
        (&answer.words[0].readings[..], &answer.next_must_start_with[..]),
        (&["いもじい".to_owned()][..], &["い".to_owned()][..])
    );
    let mut after =
        NextRequest { starts_with: Some("いもじ".into()), rules: base.clone(), ..NextRequest::default() };
    let offers = |request: &NextRequest| {
        LEXICON.next_words(request).unwrap().words.iter().any(|word| word.reading == "いもじい")
    };
    assert!(offers(&after));
    after.used = vec!["いもジー".into()];
    assert!(!offers(&after));
    // Who adds it as a reading says that reading.
    let answer = ChainRequest { extra: vec!["いもジー".into()], ..said };
    assert_eq!(LEXICON.check_chain(&answer).unwrap().words[0].readings, ["いもじー"]);
}

#[test]
fn own_words_join_the_chain() {
    let mut request = request(&["ねこ", "こぬめ"], &RuleOptions::default());
    request.extra = vec!["コヌメ".into()];
    assert!(LEXICON.check_chain(&request).unwrap().valid);
    request.banned = vec!["ねこ".into()];
    let error = LEXICON.check_chain(&request).unwrap().first_error.unwrap();
    assert_eq!((error.index, error.reason), (0, ChainReason::Unknown));
}

#[test]
fn a_dead_end_is_an_answer() {
    let lexicon = Lexicon::build([
        Row::new("ねこ", Class::Common, &[]),
        Row::new("こめ", Class::Common, &[]),
        Row::new("こん", Class::Common, &[]),
    ])
    .unwrap();
    let after = |word: &str, used: &[&str]| {
        let used = used.iter().map(|word| (*word).to_owned()).collect();
        let request = NextRequest { after: Some(word.into()), used, ..NextRequest::default() };
        lexicon.next_words(&request).unwrap()
    };
    assert_eq!(after("ねこ", &[]).words[0].reading, "こめ"); // こん would lose
    assert!(after("ねこ", &["こめ"]).dead_end);
    assert!(after("こめ", &[]).dead_end);
    assert!(after("こん", &[]).dead_end && after("こん", &[]).next_must_start_with.is_empty());
    let chain = request(&["ねこ", "こめ"], &RuleOptions::default());
    let answer: ChainAnswer<'_> = lexicon.check_chain(&chain).unwrap();
    assert!(answer.valid && answer.dead_end);
}

/// Every reading of the lexicon with its classes.
static READINGS: LazyLock<BTreeSet<(String, Class)>> = LazyLock::new(|| {
    let mut all = BTreeSet::new();
    LEXICON.visit_spellings(&mut |letters| {
        all.extend(LEXICON.entries(letters).map(|entry| (entry.reading.to_owned(), entry.class)));
        ControlFlow::Continue(())
    });
    all
});

/// The words that may follow in everyday rules, read as today, from plain string work on every
/// reading.
fn following(start: char, used: &[String]) -> BTreeSet<String> {
    let nouns = READINGS.iter().filter(|(_, class)| ClassSet::NOUNS.contains(*class));
    nouns
        .map(|(reading, _)| reading.replace('ゐ', "い").replace('ゑ', "え"))
        .filter(|reading| {
            reading.starts_with(start)
                && !reading.ends_with('ん')
                && reading.chars().count() >= 2
                && !used.contains(reading)
        })
        .collect()
}

/// Every page.
fn all_next(mut request: NextRequest) -> Vec<(String, Option<usize>)> {
    let mut found = Vec::new();
    loop {
        let answer = LEXICON.next_words(&request).unwrap();
        found.extend(answer.words.into_iter().map(|word| (word.reading.into_owned(), word.leaves)));
        request.cursor = answer.next_cursor;
        if request.cursor.is_none() {
            return found;
        }
    }
}

#[test]
fn next_words_are_those_of_a_scan_in_every_order() {
    for order in [NextOrder::Common, NextOrder::Length, NextOrder::FewestAnswers] {
        let used = vec!["ぬか".to_owned(), "ぬま".to_owned(), "ぬの".to_owned()];
        let request = NextRequest {
            after: Some("いぬ".into()),
            used: used.clone(),
            order,
            limit: Some(200),
            ..NextRequest::default()
        };
        let found = all_next(request);
        let readings: BTreeSet<_> = found.iter().map(|(reading, _)| reading.clone()).collect();
        assert_eq!(readings.len(), found.len(), "each once");
        assert_eq!(readings, following('ぬ', &used));
        match order {
            NextOrder::Length => {
                assert!(found.is_sorted_by_key(|(reading, _)| reading.chars().count()));
            }
            NextOrder::FewestAnswers => assert!(found.is_sorted_by_key(|(_, leaves)| *leaves)),
            NextOrder::Common => {}
        }
    }
}

#[test]
fn the_answers_a_word_leaves_are_counted_right() {
    let used = vec!["るす".to_owned(), "るつぼ".to_owned()];
    let request = NextRequest {
        starts_with: Some("ぬ".into()),
        used: used.clone(),
        order: NextOrder::FewestAnswers,
        limit: Some(500),
        ..NextRequest::default()
    };
    let mut checked = 0;
    for (reading, leaves) in all_next(request).into_iter().step_by(17) {
        let last = reading.chars().next_back().unwrap();
        if ('あ'..='ろ').contains(&last) && !"ぁぃぅぇぉっゃゅょ".contains(last) {
            let mut used = used.clone();
            used.push(reading.clone());
            assert_eq!(leaves, Some(following(last, &used).len()), "{reading}");
            checked += 1;
        }
    }
    assert!(checked > 10);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let next = |request: NextRequest| LEXICON.next_words(&request).map(|_| ()).unwrap_err();
    let none = NextRequest::default();
    assert_eq!(next(none.clone()), ShiritoriError::AfterOrStart);
    let after = NextRequest { after: Some("ねこ".into()), ..none.clone() };
    assert_eq!(next(NextRequest { starts_with: Some("ね".into()), ..after.clone() }), ShiritoriError::AfterOrStart);
    assert_eq!(next(NextRequest { limit: Some(0), ..after.clone() }), ShiritoriError::Limit);
    assert_eq!(next(NextRequest { cursor: Some("x".into()), ..after.clone() }), ShiritoriError::Cursor);
    assert!(matches!(
        next(NextRequest { used: vec!["ねこ".into(); 1001], ..after.clone() }),
        ShiritoriError::Count { list: "used", .. }
    ));
    assert!(matches!(next(NextRequest { extra: vec!["猫".into()], ..after }), ShiritoriError::OwnWords(_)));
    assert!(matches!(
        next(NextRequest { after: Some("abc".into()), ..none }),
        ShiritoriError::Text { parameter: "after", .. }
    ));
    for words in [vec![], vec!["ねこ".to_owned(); 1001]] {
        let request = ChainRequest { words, ..ChainRequest::default() };
        assert!(LEXICON.check_chain(&request).is_err());
    }
}

fn rules() -> impl Strategy<Value = RuleOptions> {
    let either = any::<[Option<bool>; 5]>();
    let repeats = prop::sample::select(&[None, Some(Repeats::SameForm), Some(Repeats::Allowed)][..]);
    (either, repeats, prop::option::of(0_u8..10), prop::option::of(0_usize..11), 0_usize..3).prop_map(
        |(o, repeats, min_length, class, preset)| RuleOptions {
            preset: [Preset::Everyday, Preset::Strict, Preset::Hachiku][preset],
            long_vowel: o[0].map(|x| if x { LongVowel::Vowel } else { LongVowel::Base }),
            small_kana: o[1].map(|x| if x { SmallKana::Large } else { SmallKana::Mora }),
            voicing: o[2].map(|x| if x { Voicing::Loose } else { Voicing::Strict }),
            n: o[3].map(|x| if x { FinalN::Loses } else { FinalN::Allowed }),
            repeats,
            ji_zu: o[4].map(|x| if x { JiZu::Same } else { JiZu::Distinct }),
            min_length,
            classes: class.map(|class| ClassSet::of(Class::ALL[class])),
        },
    )
}

/// A field of a request.
fn field() -> impl Strategy<Value = &'static str> {
    let fields = ["words", "after", "starts_with", "used", "extra", "banned", "order", "limit", "cursor"];
    prop::sample::select(fields.to_vec())
}

/// A value that some field has.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let text = || "\\PC{0,6}|[ぁ-ゖーゝゞ]{0,5}|[市場牛橋]{1,2}|fewest_answers|length";
    prop_oneof![
        text().prop_map(serde_json::Value::from),
        prop::collection::vec(text(), 0..4).prop_map(serde_json::Value::from),
        any::<i16>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// What is offered is accepted, and a chain made of offers holds.
    #[test]
    fn a_chain_of_offered_words_holds(rules in rules(), start in "[か-ろ]", picks in prop::collection::vec(0_usize..5, 1..6)) {
        let mut chain: Vec<String> = Vec::new();
        for pick in picks {
            let request = NextRequest {
                after: chain.last().cloned(),
                starts_with: chain.is_empty().then(|| start.clone()),
                used: chain.clone(),
                rules: rules.clone(),
                limit: Some(5),
                ..NextRequest::default()
            };
            let answer = LEXICON.next_words(&request).unwrap();
            match answer.rules.repeats {
                Repeats::Forbidden => prop_assert_eq!(answer.dead_end, answer.words.is_empty()),
                // A word already used is not offered, but may come again.
                Repeats::SameForm | Repeats::Allowed => prop_assert!(!answer.dead_end || answer.words.is_empty()),
            }
            let Some(word) = answer.words.get(pick % answer.words.len().max(1)) else { break };
            chain.push(word.reading.clone().into_owned());
        }
        if !chain.is_empty() {
            let request = ChainRequest { words: chain, rules, ..ChainRequest::default() };
            prop_assert_eq!(LEXICON.check_chain(&request).unwrap().first_error, None);
        }
    }

    /// What the fuzz target does, with bodies that parse more often.
    #[test]
    fn any_body_is_answered_or_refused(fields in prop::collection::btree_map(field(), value(), 0..4)) {
        let body = serde_json::to_vec(&fields).unwrap();
        if let Ok(request) = serde_json::from_slice(&body) {
            let _ = LEXICON.check_chain(&request);
        }
        if let Ok(request) = serde_json::from_slice(&body) {
            let _ = LEXICON.next_words(&request);
        }
    }

    #[test]
    fn nothing_a_client_sends_panics(
        words in prop::collection::vec("\\PC{0,6}|[ぁ-ゖー]{0,5}|[市場牛橋]{1,2}", 1..5),
        rules in rules(),
    ) {
        let _ = LEXICON.next_words(&NextRequest {
            after: words.first().cloned(),
            used: words.clone(),
            rules: rules.clone(),
            order: NextOrder::FewestAnswers,
            ..NextRequest::default()
        });
        let _ = LEXICON.check_chain(&ChainRequest { words, rules, ..ChainRequest::default() });
    }
}
