//! The body of the fuzz target `shiritori` on a stable compiler: on anything, and on chains of real words.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use std::sync::LazyLock;

use dictionary::Lexicon;
use dictionary::shiritori::{ChainRequest, LongVowel, Repeats, RuleOptions, SmallKana, Voicing};
use proptest::prelude::*;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("the data in the crate is sound"));

const WORDS: [&str; 12] = [
    "しりとり",
    "栗鼠",
    "西瓜",
    "カメラ",
    "らーめ",
    "会社",
    "車庫",
    "コーヒー",
    "いもジー",
    "市場",
    "こぬめ",
    "ヱビス",
];

fn rules() -> impl Strategy<Value = RuleOptions> {
    (any::<[bool; 3]>(), 0..3_usize).prop_map(|([long, small, loose], repeats)| RuleOptions {
        long_vowel: long.then_some(LongVowel::Base),
        small_kana: small.then_some(SmallKana::Mora),
        voicing: loose.then_some(Voicing::Loose),
        repeats: Some([Repeats::Forbidden, Repeats::SameForm, Repeats::Allowed][repeats]),
        ..RuleOptions::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn next_and_check_agree(first in prop::sample::select(&WORDS[..]), rules in rules(), picks in prop::collection::vec(0..3_usize, 0..4)) {
        let own = ["こぬめ".to_owned()];
        let mut request = ChainRequest { words: vec![first.to_owned()], rules, extra: own.to_vec(), ..ChainRequest::default() };
        bodies::next_and_check_agree(&LEXICON, &request);
        for pick in picks {
            let starts = LEXICON.check_chain(&request).unwrap().next_must_start_with;
            let Some(start) = starts.get(pick % starts.len().max(1)) else { break };
            request.words.push(WORDS.iter().find(|word| word.starts_with(start.as_str())).map_or(start.clone(), |word| (*word).to_owned()));
            bodies::next_and_check_agree(&LEXICON, &request);
        }
    }

    #[test]
    fn any_bytes_are_answered_or_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
        bodies::shiritori(&LEXICON, &body);
    }
}
