//! The default lexicon knows what it should, and nothing else.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use dictionary::{Class, ClassSet, Letter, LetterSet, Lexicon, OwnWords, Policy, Reason, Spelling};
use proptest::prelude::*;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("the data in the crate is sound"));

fn judge(text: &str) -> dictionary::Verdict<'_> {
    LEXICON.judge(text, &Policy::default(), &OwnWords::default())
}

fn spellings(text: &str) -> Vec<String> {
    judge(text).spellings.iter().map(ToString::to_string).collect()
}

/// Every word of the rules' own text.
#[test]
fn the_rules_words_are_words() {
    let table = [
        ("バナナ", "はなな", false),
        ("パイン", "はいん", true),
        ("コート", "こおと", true),
        ("カーテン", "かあてん", true),
        ("キャベツ", "きやへつ", true),
        ("サーキット", "さあきつと", true),
        ("ひしかわもろのぶ", "ひしかわもろのふ", true),
        ("かえる", "かえる", true),
        ("トマト", "とまと", false),
        ("ﾈｺ", "ねこ", true),
        ("ヱビス", "えひす", true),
    ];
    for (text, spelling, playable) in table {
        let verdict = judge(text);
        assert!(verdict.valid, "{text}");
        assert_eq!(spellings(text), [spelling], "{text}");
        assert_eq!(verdict.playable, playable, "{text}");
        assert_eq!(verdict.captures, Some(spelling.chars().count() - 1), "{text}");
    }
}

#[test]
fn written_forms_are_found_with_every_spelling() {
    let lightning = judge("稲妻");
    assert!(lightning.valid && lightning.playable);
    assert_eq!(spellings("稲妻"), ["いなすま", "いなつま"]);
    assert_eq!((lightning.captures, lightning.ends_with_n), (Some(3), Some(false)));
    assert!(spellings("酒粕").contains(&"さけかす".to_owned()));
    assert!(judge("猫").entries.iter().any(|entry| entry.reading == "ねこ"));
    assert!(judge("菱川師宣").entries.iter().any(|entry| entry.class == Class::Person));
}

#[test]
fn a_written_form_is_found_whichever_glyph_is_typed() {
    for (form, reading) in [
        ("𩸽", "ほっけ"),
        ("𠮟", "しかり"),
        ("𠮟責", "しっせき"),
        ("𠮷野家", "よしのや"),
        ("葛\u{e0100}飾", "かつしか"),
        ("葛\u{e0101}飾区", "かつしかく"),
        ("飴\u{fe00}", "あめ"),
        ("頰", "ほお"),
        ("頬", "ほお"),
    ] {
        let verdict = judge(form);
        assert!(verdict.valid, "{form}");
        assert!(verdict.entries.iter().any(|entry| entry.reading == reading), "{form}");
    }
    let verbs = Policy { classes: ClassSet::of(Class::Verb) };
    for form in ["𠮟る", "叱る", "𢌞る", "頰張る"] {
        assert!(LEXICON.judge(form, &verbs, &OwnWords::default()).valid, "{form}");
    }
    // What is in no source stays unknown.
    assert_eq!(judge("𪚥𪚥").reason, Some(Reason::NotKana));
}

/// Every text is found under every reading and every written form that the lexicon has of it.
#[test]
fn every_entry_is_found_by_its_reading_and_its_forms() {
    let mut number = 0;
    LEXICON.visit_spellings(&mut |letters| {
        number += 1;
        if number % 97 == 0 {
            for entry in LEXICON.entries(letters) {
                assert!(LEXICON.classes_of(entry.reading).contains(entry.class), "{}", entry.reading);
                assert!(judge(entry.reading).entries.contains(&entry), "{}", entry.reading);
                // A form in kana may be a reading of another word too: that is what it stands for then.
                let is_read = |form: &str| {
                    judge(form)
                        .entries
                        .iter()
                        .all(|other| dictionary::fold(form).is_ok_and(|form| form.hiragana == other.reading))
                };
                for form in entry.forms.iter() {
                    let verdict = judge(form);
                    assert!(!verdict.entries.is_empty(), "{form}");
                    assert!(verdict.entries.contains(&entry) || is_read(form), "{form}");
                }
            }
        }
        ControlFlow::Continue(())
    });
}

/// Nothing is read かんわ゙す, but かんばす is written so, in other letters.
#[test]
fn a_form_in_kana_that_is_read_otherwise_is_found() {
    for (form, reading, spelling) in
        [("カンヷス", "かんばす", "かんはす"), ("ｶﾝヷス", "かんばす", "かんはす"), ("いもジー", "いもじい", "いもしい")]
    {
        let verdict = judge(form);
        assert!(verdict.valid && verdict.entries.iter().all(|entry| entry.reading == reading), "{verdict:?}");
        assert_eq!(spellings(form), [spelling]);
    }
}

/// Nothing is read ぱらぐわゐ, but ぱらぐわい is written so.
#[test]
fn kana_that_is_no_reading_may_be_a_written_form() {
    let entries = judge("パラグワヰ").entries;
    assert!(!entries.is_empty() && entries.iter().all(|entry| entry.reading == "ぱらぐわい"));
    assert!(entries.iter().all(|entry| entry.forms.iter().any(|form| form == "パラグワヰ")));
    // ゑびす is a reading of its own: ヱビス is not looked for among the forms of えびす.
    assert!(judge("ヱビス").entries.iter().all(|entry| entry.reading == "ゑびす"));
    assert!(!judge("ぱらぐわゐ").valid);
}

#[test]
fn refusals_say_why() {
    for (text, reason) in [
        ("けぬむろ", Reason::Unknown),
        ("ヌフソ", Reason::Unknown),
        ("かくれる", Reason::ClassNotAllowed),
        ("隠れる", Reason::ClassNotAllowed),
        ("abc", Reason::NotKana),
        ("龘龘龘", Reason::NotKana),
        ("ねこ ", Reason::NotKana),
        ("", Reason::NoSpelling),
        ("ーと", Reason::NoSpelling),
    ] {
        assert_eq!(judge(text).reason, Some(reason), "{text}");
    }
    assert_eq!(judge(&"ね".repeat(10_000)).reason, Some(Reason::Unknown));
}

#[test]
fn own_words_change_the_verdict() {
    let policy = Policy::default();
    let own = OwnWords::new(["けぬむろ"], ["ねこ"]).unwrap();
    let extra = LEXICON.judge("ケヌムロ", &policy, &own);
    assert!(extra.valid && extra.playable && extra.entries.is_empty());
    for text in ["ねこ", "ネコ"] {
        let verdict = LEXICON.judge(text, &policy, &own);
        assert_eq!((verdict.reason, verdict.banned), (Some(Reason::Unknown), true), "{text}");
    }
    assert!(LEXICON.judge("猫", &policy, &own).entries.iter().all(|entry| entry.reading != "ねこ"));
    let letters: Spelling = "けぬむろ".parse().unwrap();
    assert!(LEXICON.is_word(letters.letters(), &policy, &own));
    assert!(!LEXICON.is_word(letters.letters(), &policy, &OwnWords::default()));
}

#[test]
fn the_operators_words_hold_for_everybody() {
    let house = OwnWords::new(["けぬむろ", "ぬこ"], ["ねこ"]).unwrap();
    let lexicon = LEXICON.with_house_words(house);
    assert_ne!(lexicon.version(), LEXICON.version());
    let policy = Policy::default();
    let ask = |text, own: &OwnWords| lexicon.judge(text, &policy, own).valid;
    assert!(ask("けぬむろ", &OwnWords::default()) && !ask("ねこ", &OwnWords::default()));
    // Nobody un-bans a word; anybody may ban one more.
    let own = OwnWords::new(["ねこ"], ["ぬこ"]).unwrap();
    assert!(!ask("ねこ", &own) && !ask("ぬこ", &own));
}

#[test]
fn the_lexicon_says_what_it_is() {
    let info = LEXICON.info();
    assert_eq!(info.version, LEXICON.version());
    assert!(info.sources.iter().any(|source| source.name.contains("Sudachi")));
    assert!(info.sources.iter().all(|source| !source.notice.is_empty()));
    assert_eq!(info.entries.by_class.values().sum::<usize>(), info.entries.total);
    if cfg!(feature = "share-alike") {
        assert_eq!(info.licence, "CC-BY-SA-4.0");
        assert!(info.entries.total > 540_000, "{info:?}");
        assert!(info.entries.playable > 270_000, "{info:?}");
    }
}

#[test]
fn a_saved_lexicon_is_the_same_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = Lexicon::standard(Some(folder.path())).unwrap();
    let path = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let again = Lexicon::open(&path).unwrap();
    assert_eq!(again.info(), first.info());
    assert!(again.judge("猫", &Policy::default(), &OwnWords::default()).valid);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.path().join("damaged.bin"), &bytes).unwrap();
    assert!(Lexicon::open(&folder.path().join("damaged.bin")).is_err());
    std::fs::write(&path, &bytes[..100]).unwrap();
    let healed = Lexicon::standard(Some(folder.path())).unwrap();
    assert_eq!(healed.info(), first.info());
}

/// The lists of the contract's test cases, where they are at hand.
fn list(name: &str) -> Option<Vec<String>> {
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases");
    let text = std::fs::read_to_string(shared.join(name)).ok()?;
    Some(text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect())
}

#[test]
fn known_nouns_are_known() {
    let own = [
        "しりとり",
        "りす",
        "すいか",
        "めだか",
        "いぬ",
        "さくら",
        "とうきょう",
        "ほっかいどう",
        "でんしゃ",
        "がっこう",
        "じてんしゃ",
        "りんご",
        "みかん",
        "コーヒー",
        "テレビ",
        "パソコン",
        "ふじさん",
        "おおさか",
        "しんかんせん",
        "らーめん",
    ];
    let words = list("words-known.txt").unwrap_or_else(|| own.map(str::to_owned).to_vec());
    let unknown: Vec<_> = words.iter().filter(|word| !judge(word).valid).collect();
    assert!(unknown.len() * 100 <= words.len(), "{} of {}: {unknown:?}", unknown.len(), words.len());
}

#[test]
fn what_only_sounds_japanese_is_unknown() {
    let own = ["ぬめさろ", "けぬむろ", "そぬへち", "よめてぬさ", "ろこへもり", "むちゃぬき", "ふべろん", "みゃごろ"];
    let words = list("words-unknown.txt").unwrap_or_else(|| own.map(str::to_owned).to_vec());
    let known: Vec<_> = words.iter().filter(|word| judge(word).valid).collect();
    assert!(known.is_empty(), "{known:?}");
}

/// The words that a hand makes, found by trying every entry.
fn by_brute_force(head: Letter, hand: LetterSet, policy: Policy, all: &[(Spelling, Class)]) -> Vec<Spelling> {
    let mut words: Vec<_> = all
        .iter()
        .filter(|(word, class)| {
            policy.classes.contains(*class)
                && word.len() >= 2
                && word.first() == Some(head)
                && word.is_distinct()
                && hand.with(head).is_superset(word.set())
        })
        .map(|(word, _)| word.clone())
        .collect();
    words.sort();
    words.dedup();
    words
}

/// Every spelling in the lexicon with the class of every entry.
static ALL: LazyLock<Vec<(Spelling, Class)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    LEXICON.visit_spellings(&mut |letters| {
        let classes = LEXICON.entries(letters).map(|entry| (letters.into(), entry.class));
        all.extend(classes);
        ControlFlow::Continue(())
    });
    all
});

/// The letters that spell a word are those of its readings; a ban of one reading bans the letters.
#[test]
fn letters_spell_a_word_where_they_have_readings() {
    let house = LEXICON.with_house_words(OwnWords::new(["けぬむろ", "がぎ"], ["ぶた", "へぬ"]).unwrap());
    let own = OwnWords::new(["げぬむろ", "ふだ", "へぬ"], ["きつね"]).unwrap();
    for (letters, readings) in
        [("けぬむろ", &["けぬむろ", "げぬむろ"][..]), ("ふた", &[]), ("へぬ", &[]), ("きつね", &[]), ("ぬめさろ", &[])]
    {
        let spelling: Spelling = letters.parse().unwrap();
        let found = house.readings_of(spelling.letters(), &Policy::default(), &own);
        assert_eq!(found, readings, "{letters}");
        assert_eq!(house.is_word(spelling.letters(), &Policy::default(), &own), !readings.is_empty(), "{letters}");
        let played = std::cell::Cell::new(false);
        house.playable(spelling.first().unwrap(), spelling.set(), &Policy::default(), &own, &mut |word| {
            played.set(played.get() || word == spelling.letters());
            ControlFlow::Continue(())
        });
        assert_eq!(played.get(), !readings.is_empty(), "{letters}");
    }
    // Where the marks are seen, the other readings stay words.
    let lid = house.judge("ふた", &Policy::default(), &own);
    assert!(lid.valid && !lid.playable && !house.judge("ぶた", &Policy::default(), &own).valid);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn playable_words_are_those_of_a_scan(
        head in 0_usize..46,
        hand in 0_u64..1 << 46,
        classes in 0_usize..3,
    ) {
        let head = Letter::from_index(head).unwrap();
        let hand = LetterSet::from_bits(hand);
        let policy = Policy { classes: [ClassSet::NOUNS, ClassSet::ALL, ClassSet::of(Class::Verb)][classes] };
        let mut found = Vec::new();
        LEXICON.playable(head, hand, &policy, &OwnWords::default(), &mut |letters| {
            found.push(Spelling::from(letters));
            ControlFlow::Continue(())
        });
        prop_assert_eq!(found, by_brute_force(head, hand, policy, &ALL));
    }
}

#[test]
fn playable_words_heed_own_words() {
    let own = OwnWords::new(["けぬむろ", "けむ", "かき"], ["けむり"]).unwrap();
    let mut found = Vec::new();
    let head = Letter::try_from('け').unwrap();
    let hand = "ぬむろり".parse().unwrap();
    LEXICON.playable(head, hand, &Policy::default(), &own, &mut |letters| {
        found.push(Spelling::from(letters).to_string());
        ControlFlow::Continue(())
    });
    assert!(found.contains(&"けぬむろ".to_owned()) && found.contains(&"けむ".to_owned()));
    assert!(!found.contains(&"けむり".to_owned()));
    let mut once = found.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), found.len(), "{found:?}");
}

#[test]
fn a_visitor_may_break_off() {
    let mut seen = 0;
    LEXICON.playable(Letter::N, LetterSet::ALL, &Policy { classes: ClassSet::ALL }, &OwnWords::default(), &mut |_| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert!(seen <= 1);
}
