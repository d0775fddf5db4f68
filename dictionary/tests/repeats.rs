//! Which words of a しりとり were said before: by reading or by form, whatever is left open.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use dictionary::shiritori::{
    ChainAnswer, ChainReason, ChainRequest, NextAnswer, NextOrder, NextRequest, Repeats, RuleOptions, SmallKana,
};
use dictionary::{Class, Lexicon, Row};
use proptest::prelude::*;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let rows = [
        ("いちば", "市場"),
        ("しじょう", "市場"),
        ("うし", "牛"),
        ("ばら", "薔薇"),
        ("らくがき", "落書き"),
        ("きし", "岸"),
        ("わたし", "私"),
        ("わたくし", "私"),
        ("しぶかわ", "渋川"),
        ("しらかわ", "白川"),
        ("しなさわ", "品沢"),
        ("しんか", "進士"),
        ("しんし", "進士"),
        ("えびす", "恵比寿"),
        ("ゑびす", "恵比寿"),
        ("すえ", "末"),
        ("えのき", "榎"),
        ("かいしゃ", "貸社"),
        ("かし", "貸社"),
        ("しゃこ", "車庫"),
        ("ぬま", "沼"),
        ("ぬか", "糠"),
        ("ねこ", "猫"),
        ("こね", "小根"),
    ];
    Lexicon::build(rows.iter().map(|&(reading, form)| Row::new(reading, Class::Common, &[form]))).unwrap()
});

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn rules(repeats: Repeats) -> RuleOptions {
    RuleOptions { repeats: Some(repeats), ..RuleOptions::default() }
}

/// The chain's error, the readings of its words, and whether it is at a dead end.
fn chain(said: &[&str], rules: &RuleOptions) -> (Option<(usize, ChainReason)>, Vec<String>, bool) {
    let request = ChainRequest { words: words(said), rules: rules.clone(), ..ChainRequest::default() };
    let ChainAnswer { first_error, words, dead_end, .. } = LEXICON.check_chain(&request).unwrap();
    let readings = words.iter().map(|word| word.readings.join("|")).collect();
    (first_error.map(|error| (error.index, error.reason)), readings, dead_end)
}

fn broken(said: &[&str], repeats: Repeats) -> Option<(usize, ChainReason)> {
    chain(said, &rules(repeats)).0
}

fn accepted(said: &[&str], repeats: Repeats) -> Vec<String> {
    let request = ChainRequest { words: words(said), rules: rules(repeats), ..ChainRequest::default() };
    LEXICON.check_chain(&request).unwrap().first_error.unwrap().accepted
}

fn next(request: &NextRequest) -> NextAnswer<'static> {
    LEXICON.next_words(request).unwrap()
}

fn readings(answer: &NextAnswer<'_>) -> Vec<String> {
    answer.words.iter().map(|word| word.reading.clone().into_owned()).collect()
}

const REPEATED: ChainReason = ChainReason::Repeated;

#[test]
fn a_reading_that_the_next_word_decides_is_said() {
    assert_eq!(broken(&["市場", "牛"], Repeats::Forbidden), None);
    assert_eq!(broken(&["市場", "牛", "しじょう"], Repeats::Forbidden), Some((2, REPEATED)));
    assert_eq!(broken(&["市場", "牛", "しじょう"], Repeats::SameForm), None);
}

#[test]
fn a_form_may_come_again_with_another_reading() {
    let said = ["市場", "薔薇", "落書き", "岸", "市場"];
    let (error, readings, _) = chain(&said, &rules(Repeats::Forbidden));
    assert_eq!((error, readings[4].as_str()), (None, "しじょう"));
    assert_eq!(broken(&said, Repeats::SameForm), Some((4, REPEATED)));
    assert_eq!(broken(&said, Repeats::Allowed), None);
}

#[test]
fn a_word_that_decides_the_one_before_for_its_own_reading_repeats_it() {
    assert_eq!(broken(&["進士", "しんし"], Repeats::Forbidden), Some((1, REPEATED)));
    assert_eq!(chain(&["進士"], &rules(Repeats::Forbidden)).1, ["しんか|しんし"]);
    // The part that holds is as it was.
    assert_eq!(chain(&["進士", "しんし"], &rules(Repeats::Forbidden)).1, ["しんか|しんし"]);
}

#[test]
fn a_reading_said_elsewhere_is_taken_from_what_is_open() {
    let (error, readings, _) = chain(&["私", "渋川", "わたし"], &rules(Repeats::Forbidden));
    assert_eq!((error, readings[0].as_str()), (None, "わたくし"));
    assert_eq!(broken(&["私", "渋川", "わたし", "白川", "わたくし"], Repeats::Forbidden), Some((4, REPEATED)));
}

#[test]
fn an_open_form_can_be_said_once_for_each_reading() {
    let twice = ["私", "渋川", "私"];
    assert_eq!(chain(&twice, &rules(Repeats::Forbidden)).1, ["わたくし|わたし", "しぶかわ", "わたくし|わたし"]);
    assert_eq!(broken(&["私", "渋川", "私", "白川", "私"], Repeats::Forbidden), Some((4, REPEATED)));
    assert_eq!(broken(&["私", "渋川", "私", "白川", "わたし"], Repeats::Forbidden), Some((4, REPEATED)));
    assert_eq!(broken(&["私", "渋川", "私", "白川", "私"], Repeats::Allowed), None);
}

#[test]
fn what_would_be_accepted_is_what_the_rules_accept() {
    let said = ["ねこ", "こね", "かし"];
    assert_eq!(accepted(&said, Repeats::Forbidden), Vec::<String>::new());
    assert_eq!(accepted(&said, Repeats::Allowed), ["ねこ"]);
    assert_eq!(accepted(&said, Repeats::SameForm), Vec::<String>::new());
    assert_eq!(accepted(&["猫", "こね", "かし"], Repeats::SameForm), ["ねこ"]);
    // One of the two is still free, both are not.
    assert_eq!(accepted(&["私", "渋川", "ねこ"], Repeats::Forbidden), ["わたくし", "わたし"]);
    assert_eq!(accepted(&["私", "渋川", "私", "白川", "ねこ"], Repeats::Forbidden), Vec::<String>::new());
    for (said, repeats) in [(&["猫", "こね"][..], Repeats::SameForm), (&["私", "渋川"], Repeats::Forbidden)] {
        let wrong: Vec<_> = said.iter().copied().chain(["かし"]).collect();
        for word in accepted(&wrong, repeats) {
            let right: Vec<_> = said.iter().copied().chain([word.as_str()]).collect();
            assert_eq!(broken(&right, repeats), None, "{right:?}");
        }
    }
}

#[test]
fn a_dead_end_follows_the_rules() {
    for (repeats, dead_end) in [(Repeats::Forbidden, true), (Repeats::SameForm, false), (Repeats::Allowed, false)] {
        assert_eq!(chain(&["ねこ", "こね"], &rules(repeats)).2, dead_end, "{repeats:?}");
        let request = NextRequest {
            after: Some("こね".into()),
            used: words(&["ねこ", "こね"]),
            rules: rules(repeats),
            ..NextRequest::default()
        };
        // A word already used is never offered.
        assert_eq!((next(&request).words.len(), next(&request).dead_end), (0, dead_end), "{repeats:?}");
    }
}

#[test]
fn old_kana_are_read_as_today() {
    for last in ["ヱビス", "ゑびす", "えびす"] {
        assert_eq!(broken(&["えびす", "すえ", last], Repeats::Forbidden), Some((2, REPEATED)), "{last}");
        assert_eq!(broken(&["ヱビス", "すえ", last], Repeats::Forbidden), Some((2, REPEATED)), "{last}");
    }
    assert_eq!(broken(&["えびす", "すえ", "ヱビス"], Repeats::SameForm), None);
    let mut request = NextRequest { after: Some("すえ".into()), ..NextRequest::default() };
    assert_eq!(readings(&next(&request)), ["えのき", "えびす"]);
    request.used = words(&["ヱビス"]);
    assert_eq!(readings(&next(&request)), ["えのき"]);
    request.used.clear();
    request.banned = words(&["ヱビス"]);
    assert_eq!(readings(&next(&request)), ["えのき"]);
}

/// Each word said leaves the opponent what `next` would then list.
#[test]
fn a_word_leaves_what_can_then_be_said() {
    for repeats in [Repeats::Forbidden, Repeats::SameForm, Repeats::Allowed] {
        let mut counted = 0;
        for start in ["ぬ", "す", "え", "し", "わ"] {
            let request = NextRequest {
                starts_with: Some(start.into()),
                used: words(&["ぬか", "ヱビス"]),
                rules: rules(repeats),
                order: NextOrder::FewestAnswers,
                extra: words(&["ぬこぬ", "ぬぬ", "すす", "ヱえ"]),
                banned: words(&["すす", "きし"]),
                ..NextRequest::default()
            };
            for word in next(&request).words {
                let mut used = request.used.clone();
                used.push(word.reading.clone().into_owned());
                let used = if repeats == Repeats::Forbidden { used } else { Vec::new() };
                let end = word.reading.chars().last().map(String::from);
                let after = NextRequest { starts_with: end, used, ..request.clone() };
                assert_eq!(word.leaves, Some(next(&after).words.len()), "{} {repeats:?}", word.reading);
                counted += 1;
            }
        }
        assert!(counted > 8);
    }
}

#[test]
fn a_start_within_another_lists_no_word_twice() {
    let mora = RuleOptions { small_kana: Some(SmallKana::Mora), ..RuleOptions::default() };
    let request = NextRequest { after: Some("貸社".into()), rules: mora.clone(), ..NextRequest::default() };
    let answer = next(&request);
    assert_eq!(answer.next_must_start_with, ["し"]);
    let mut once = readings(&answer);
    let found = once.len();
    once.dedup();
    assert!(once.len() == found && once.contains(&"しゃこ".to_owned()), "{once:?}");
    let (error, readings, _) = chain(&["貸社", "車庫"], &mora);
    assert_eq!((error, readings[0].as_str()), (None, "かいしゃ|かし"));
}

/// Two ways to read the words, and both say a reading twice.
#[test]
fn a_chain_that_no_choice_of_readings_makes_is_broken() {
    let rows = [("あい", "甲"), ("うえ", "甲"), ("いあ", "乙"), ("えう", "乙"), ("えあ", "丙"), ("いえ", "丙")];
    let rows = rows.iter().map(|&(reading, form)| Row::new(reading, Class::Common, &[form]));
    let lexicon = Lexicon::build(rows).unwrap();
    let request = ChainRequest { words: words(&["甲", "乙", "甲"]), ..ChainRequest::default() };
    let answer = lexicon.check_chain(&request).unwrap();
    let error = answer.first_error.unwrap();
    assert_eq!((answer.valid, error.index, error.reason), (false, 2, REPEATED));
    let allowed = ChainRequest { rules: rules(Repeats::Allowed), ..request };
    assert!(lexicon.check_chain(&allowed).unwrap().valid);
    // A third word between lets one be あい and the other うえ; what else it could be is no longer left.
    let request = ChainRequest { words: words(&["甲", "丙", "甲"]), ..ChainRequest::default() };
    let answer = lexicon.check_chain(&request).unwrap();
    let readings: Vec<_> = answer.words.iter().map(|word| word.readings.join("|")).collect();
    assert_eq!(readings, ["うえ", "えあ", "あい"]);
}

/// A form with readings that lead from あ to い and back; the kana between tells them apart.
fn swing(there: usize, back: usize) -> Lexicon {
    let between = || ('か'..='ん').flat_map(|a| ('か'..='も').map(move |b| format!("{a}{b}")));
    let there = between().take(there).map(|kana| format!("あ{kana}い"));
    let back = between().take(back).map(|kana| format!("い{kana}あ"));
    let readings: Vec<_> = there.chain(back).collect();
    Lexicon::build(readings.iter().map(|reading| Row::new(reading, Class::Common, &["甲"]))).unwrap()
}

/// There and back in turn: with ten readings of one kind twenty-one words are the most, though there
/// are twenty-two readings.
#[test]
fn a_search_that_takes_too_long_is_broken_off_and_says_so() {
    for (there, back, length, unproven) in [(11, 11, 22, false), (10, 12, 20, false), (10, 12, 22, true)] {
        let lexicon = swing(there, back);
        let request = ChainRequest { words: vec!["甲".to_owned(); length], ..ChainRequest::default() };
        let answer = lexicon.check_chain(&request).unwrap();
        assert_eq!((answer.valid, answer.unproven), (true, unproven), "{there} {back} {length}");
    }
}

/// Every choice of readings that makes a chain and says none twice.
fn choices(said: &[&[&'static str]], so_far: &mut Vec<&'static str>, found: &mut Vec<Vec<&'static str>>) {
    let Some((word, rest)) = said.split_first() else {
        found.push(so_far.clone());
        return;
    };
    for &reading in *word {
        let follows = so_far.last().is_none_or(|last| last.chars().last() == reading.chars().next());
        if follows && !so_far.contains(&reading) {
            so_far.push(reading);
            choices(rest, so_far, found);
            so_far.pop();
        }
    }
}

/// Forms of many readings that lead to each other in many ways.
const FORMS: [(&str, &[&str]); 7] = [
    ("甲", &["かか", "かき", "きか"]),
    ("乙", &["かさか", "かにか"]),
    ("丙", &["かにか", "かぬか", "きにき"]),
    ("丁", &["かき", "きにき"]),
    ("戊", &["きか"]),
    ("己", &["かさか"]),
    ("庚", &["かか", "かさか", "かにか"]),
];

static PUZZLES: LazyLock<Lexicon> = LazyLock::new(|| {
    let readings = FORMS.iter().flat_map(|(_, readings)| readings.iter());
    let rows = readings.map(|&reading| {
        let forms: Vec<_> = FORMS.iter().filter(|(_, all)| all.contains(&reading)).map(|(form, _)| *form).collect();
        Row::new(reading, Class::Common, &forms)
    });
    Lexicon::build(rows).unwrap()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A chain holds exactly as far as a choice of readings is left, and what is left of each word is
    /// what the choices have.
    #[test]
    fn a_chain_holds_while_it_can_be_read(said in prop::collection::vec(0..FORMS.len(), 1..9)) {
        let words: Vec<_> = said.iter().map(|&form| FORMS[form].0.to_owned()).collect();
        let readings: Vec<_> = said.iter().map(|&form| FORMS[form].1).collect();
        let (longest, found) = (0..=said.len())
            .map(|length| {
                let mut found = Vec::new();
                choices(&readings[..length], &mut Vec::new(), &mut found);
                (length, found)
            })
            .take_while(|(_, found)| !found.is_empty())
            .last()
            .unwrap();
        let request = ChainRequest { words, ..ChainRequest::default() };
        let answer = PUZZLES.check_chain(&request).unwrap();
        prop_assert_eq!(answer.words.len(), longest);
        prop_assert!(!answer.unproven);
        for (place, word) in answer.words.iter().enumerate() {
            let left: BTreeSet<_> = found.iter().map(|choice| choice[place]).collect();
            prop_assert_eq!(word.readings.iter().map(String::as_str).collect::<BTreeSet<_>>(), left);
        }
    }
}
