use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

fn spellings(text: &str) -> Vec<String> {
    fold(text).unwrap().spellings.iter().map(ToString::to_string).collect()
}

/// The words of rules/hachiku and every row of what real dictionaries hold.
#[test]
fn real_words_are_spelled_right() {
    let table = [
        ("バナナ", "はなな"),
        ("パイン", "はいん"),
        ("コート", "こおと"),
        ("カーテン", "かあてん"),
        ("キャベツ", "きやへつ"),
        ("サーキット", "さあきつと"),
        ("ひしかわもろのぶ", "ひしかわもろのふ"),
        // ー after a small kana
        ("キャー", "きやあ"),
        ("ティー", "ていい"),
        ("シャープ", "しやあふ"),
        ("フォーク", "ふおおく"),
        // ヴ
        ("ヴァイオリン", "うあいおりん"),
        ("ゔ", "う"),
        // small vowels after ウ テ ド フ
        ("ウィスキー", "ういすきい"),
        ("パーティ", "はあてい"),
        ("ドゥ", "とう"),
        ("ファン", "ふあん"),
        // ーー repeats the vowel
        ("すーーっと", "すううつと"),
        // ・ and ＝ are dropped
        ("レオナルド・ダ・ヴィンチ", "れおなるとたういんち"),
        ("サン＝テグジュペリ", "さんてくしゆへり"),
        ("サン゠テグジュペリ", "さんてくしゆへり"),
        // ゐ ゑ を
        ("ゐのしし", "いのしし"),
        ("ヱビス", "えひす"),
        ("をとめ", "をとめ"),
        // ヮ ヵ ヶ
        ("グヮ", "くわ"),
        ("さんヵげつ", "さんかけつ"),
        ("ヶ", "け"),
        // iteration marks
        ("こゝろ", "こころ"),
        ("バナヽ", "はなな"),
        // ヷヸヹヺ and small kana for Ainu
        ("ヷヸヹヺ", "わいえを"),
        ("アイヌイタㇰ", "あいぬいたく"),
        ("トㇷ゚", "とふ"),
        // 〜 for ー
        ("ら〜めん", "らあめん"),
        ("ら～めん", "らあめん"),
        // half-width kana and marks of their own
        ("ｷｬﾍﾞﾂ", "きやへつ"),
        ("か゛ま", "かま"),
        ("は゜いん", "はいん"),
        // combining marks
        ("か\u{3099}ま", "かま"),
        ("ハ\u{309a}イン", "はいん"),
        // final っ, mixed scripts
        ("あっ", "あつ"),
        ("びっクリ", "ひつくり"),
        // おう and おお stay
        ("とうきょう", "とうきよう"),
        ("おおさか", "おおさか"),
    ];
    for (text, spelling) in table {
        assert_eq!(spellings(text), [spelling], "{text}");
    }
}

#[test]
fn zu_has_a_choice_each_and_ji_has_none() {
    assert_eq!(spellings("いなずま"), ["いなすま", "いなつま"]);
    assert_eq!(spellings("イナヅマ"), ["いなすま", "いなつま"]);
    assert_eq!(spellings("つづき"), ["つすき", "つつき"]);
    assert_eq!(spellings("ずづ"), ["すす", "すつ", "つす", "つつ"]);
    assert_eq!(spellings("いすゞ"), ["いすす", "いすつ"]);
    assert_eq!(spellings("ず"), spellings("す\u{3099}"));
    assert_eq!(spellings("はなぢ"), ["はなち"]);
    assert_eq!(spellings("じ"), ["し"]);
}

#[test]
fn some_kana_have_no_spelling() {
    let table = [
        ("ーと", SpellingFault::LongAtStart),
        ("・ー", SpellingFault::LongAtStart),
        ("ンー", SpellingFault::LongAfter('ん')),
        ("アッー", SpellingFault::LongAfter('っ')),
        ("あんーー", SpellingFault::LongAfter('ん')),
        ("ゝ", SpellingFault::NothingToRepeat),
        ("", SpellingFault::Empty),
        ("・", SpellingFault::Empty),
        ("゛", SpellingFault::Empty),
        ("ずずずずずずず", SpellingFault::TooManyZu),
    ];
    for (text, fault) in table {
        assert_eq!(fold(text), Err(fault.into()), "{text}");
    }
}

#[test]
fn what_is_not_kana_is_named() {
    let table =
        [("猫", '猫'), ("Tシャツ", 'T'), ("ねこ!", '!'), ("２月", '2'), ("ね こ", ' '), ("ね\u{200b}こ", '\u{200b}')];
    for (text, found) in table {
        assert_eq!(fold(text), Err(FoldError::NotKana { found }), "{text}");
    }
}

#[test]
fn length_is_bounded_before_any_work() {
    assert!(fold(&"か".repeat(MAX_LENGTH)).is_ok());
    assert!(fold(&"か\u{3099}".repeat(MAX_LENGTH)).is_ok());
    for text in ["か".repeat(MAX_LENGTH + 1), "ず".repeat(10_000), "\u{3099}".repeat(100_000)] {
        assert_eq!(fold(&text), Err(FoldError::TooLong));
    }
}

/// All pairs of characters from the blocks of kana, followed by ー or not.
#[test]
fn one_pass_gives_what_the_steps_give_for_every_pair() {
    let mut passed = 0;
    for (first, second) in ('ぁ'..='ヿ').flat_map(|first| ('ぁ'..='ヿ').map(move |second| (first, second))) {
        for text in [format!("{first}{second}"), format!("{first}{second}ー")] {
            if let Some(folded) = plain::parse(&text) {
                assert_eq!(Kana::step_by_step(&text), Ok(folded), "{text}");
                passed += 1;
            }
        }
    }
    assert!(passed > 50_000, "{passed}");
}

/// Ordinary texts do not take the long way, the others do.
#[test]
fn ordinary_kana_go_in_one_pass() {
    for text in ["ねこ", "ヴァイオリン", "コーヒー", "いなづま", "ゐのしし", "ヵ"] {
        assert_eq!(plain::parse(text), Some(Kana::step_by_step(text).unwrap()), "{text}");
    }
    for text in ["", "ー", "ンー", "いすゞ", "ヷ", "ヿ", "ｶ", "か゛", "か\u{3099}", "カ・カ", "猫", "ずずずずずずず"]
    {
        assert_eq!(plain::parse(text), None, "{text}");
    }
}

#[test]
fn the_trace_tells_each_rule() {
    let lightning = trace("ｲﾅﾂﾞﾏ").unwrap();
    let steps: Vec<_> = lightning.steps.iter().map(|s| (s.rule, s.from.as_str(), s.to.as_str())).collect();
    assert_eq!(
        steps,
        [("width", "ｲﾅﾂﾞﾏ", "イナヅマ"), ("hiragana", "イナヅマ", "いなづま"), ("zu", "いなづま", "いなすま いなつま"),]
    );
    assert_eq!(trace("ねこ").unwrap().steps, []);
}

/// Kana as people write them, in any script.
fn kana() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[ぁ-ゖァ-ヺーゝゞヽヾㇰ-ㇿ・〜\u{3099}\u{309a}ｦ-ﾟ゛゜]{0,12}")
        .expect("a valid pattern")
}

/// Hiragana that has katakana and half-width forms of the same meaning.
fn plain_hiragana() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[ぁ-ろをんゔー]{1,12}").expect("a valid pattern")
}

/// Everything in the blocks of kana, with what may stand beside it.
fn any_kana() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[\u{3000}-\u{30ff}\u{ff60}-\u{ffa0}ず〜A]{0,8}").expect("a valid pattern")
}

fn katakana(hiragana: &str) -> String {
    hiragana
        .chars()
        .map(|c| match c {
            'ぁ'..='ゖ' => char::from_u32(c as u32 + 0x60).expect("a katakana"),
            other => other,
        })
        .collect()
}

fn half_width(hiragana: &str) -> String {
    const FULL: &str = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309a}";
    katakana(hiragana)
        .nfd()
        .map(|c| match FULL.chars().position(|full| full == c) {
            Some(place) => char::from_u32('ｦ' as u32 + place as u32).expect("a half-width kana"),
            None => c,
        })
        .collect()
}

proptest! {
    #[test]
    fn folding_never_panics(text in any::<String>()) {
        let _ = trace(&text);
    }

    #[test]
    fn folding_a_reading_gives_the_same(text in kana()) {
        if let Ok(folded) = fold(&text) {
            let again = fold(&folded.hiragana).unwrap();
            prop_assert_eq!(&again, &folded);
            for spelling in &folded.spellings {
                let letters = fold(&spelling.to_string()).unwrap();
                prop_assert_eq!(&letters.spellings, std::slice::from_ref(spelling));
            }
        }
    }

    #[test]
    fn one_pass_gives_what_the_steps_give(text in prop_oneof![kana(), plain_hiragana(), any_kana()]) {
        if let Some(folded) = plain::parse(&text) {
            prop_assert_eq!(Kana::step_by_step(&text), Ok(folded));
        }
    }

    #[test]
    fn every_way_to_write_a_word_folds_alike(hiragana in plain_hiragana()) {
        let folded = fold(&hiragana);
        for same in [
            hiragana.nfd().collect(),
            hiragana.nfkc().collect(),
            katakana(&hiragana),
            katakana(&hiragana).nfd().collect(),
            half_width(&hiragana),
            hiragana.nfd().map(|c| match c { '\u{3099}' => '゛', '\u{309a}' => '゜', c => c }).collect(),
        ] {
            let same: String = same;
            prop_assert_eq!(&fold(&same), &folded, "{}", same);
        }
    }

    #[test]
    fn a_trace_leads_from_the_text_to_its_spellings(text in kana()) {
        if let Ok(traced) = trace(&text) {
            let last = traced.steps.last().map_or(text.as_str(), |step| &step.to);
            let spellings: Vec<_> = traced.spellings.iter().map(ToString::to_string).collect();
            prop_assert_eq!(last, spellings.join(" "));
            for pair in traced.steps.windows(2) {
                prop_assert_eq!(&pair[0].to, &pair[1].from);
            }
        }
    }
}
