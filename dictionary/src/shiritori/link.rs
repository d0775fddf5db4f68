//! How one word leads to the next: what a reading ends in, and what may begin after it.

use super::rules::{FinalN, JiZu, LongVowel, Rules, SmallKana, Voicing};
use crate::fold::{is_combining, large, modern, unmarked, vowel_of};

/// The kana that may begin the next word, in gojūon order: one kana, or a mora of two.
///
/// Empty where nothing may follow: after ん, where ん loses.
pub(super) fn starts_after(reading: &str, rules: &Rules) -> Vec<String> {
    let kana: Vec<char> = reading.chars().filter(|&c| !is_combining(c)).collect();
    let Some(end) = end_of(&kana, rules) else {
        return Vec::new();
    };
    if end == "ん" && rules.n == FinalN::Loses {
        return Vec::new();
    }
    alike(&end, rules)
}

/// What decides how a word goes on, and nothing else does: its last two kana, ー not counted, and
/// whether ー follows them.
pub(super) type Tail = ([Option<char>; 2], bool);

pub(super) fn tail_of(reading: &str) -> Tail {
    let mut kana = reading.chars().rev().filter(|&c| !is_combining(c)).peekable();
    let is_long = kana.peek() == Some(&'ー');
    let mut kana = kana.skip_while(|&c| c == 'ー');
    ([kana.next(), kana.next()], is_long)
}

/// Whether a word follows another.
pub(super) fn follows(reading: &str, before: &str, rules: &Rules) -> bool {
    starts_after(before, rules).iter().any(|start| begins(reading, start))
}

/// What may begin after a word that is read in one of these ways, sorted; し stands for しゃ too.
pub(super) fn starts_after_any(readings: &[String], rules: &Rules) -> Vec<String> {
    let mut starts: Vec<_> = readings.iter().flat_map(|reading| starts_after(reading, rules)).collect();
    starts.sort_unstable();
    starts.dedup_by(|start, kept| start.starts_with(kept.as_str()));
    starts
}

/// The starts that count as this one under the rules.
pub(super) fn alike(start: &str, rules: &Rules) -> Vec<String> {
    let mut chars = start.chars();
    let Some(first) = chars.next() else {
        return Vec::new();
    };
    let rest = chars.as_str();
    let twin = if rules.ji_zu == JiZu::Same { twin_of(first) } else { None };
    let mut firsts: Vec<char> = match rules.voicing {
        Voicing::Strict => std::iter::once(first).chain(twin).collect(),
        Voicing::Loose => std::iter::once(first).chain(twin).flat_map(voicings).collect(),
    };
    firsts.sort_unstable();
    firsts.dedup();
    firsts.into_iter().map(|first| format!("{first}{rest}")).collect()
}

/// Whether a word may not be said because of its end.
pub(super) fn loses(reading: &str, rules: &Rules) -> bool {
    rules.n == FinalN::Loses && reading.ends_with('ん')
}

/// What a reading ends in: a kana, or a mora of two.
fn end_of(kana: &[char], rules: &Rules) -> Option<String> {
    let (&last, before) = kana.split_last()?;
    if last == 'ー' {
        return match rules.long_vowel {
            LongVowel::Base => end_of(before, rules),
            LongVowel::Vowel => {
                let sounded = before.iter().rev().copied().find(|&c| c != 'ー')?;
                vowel_of(sounded).map(String::from)
            }
        };
    }
    let full = large(last);
    Some(match (rules.small_kana, before.last()) {
        // っ closes a mora, it does not belong to the one before.
        (SmallKana::Mora, Some(&onset)) if full != last && last != 'っ' && onset != 'ー' => {
            format!("{}{last}", modern(onset))
        }
        _ => modern(full).into(),
    })
}

/// ぢ for じ, ず for づ, and the other way round.
fn twin_of(kana: char) -> Option<char> {
    Some(match kana {
        'じ' => 'ぢ',
        'ぢ' => 'じ',
        'ず' => 'づ',
        'づ' => 'ず',
        _ => return None,
    })
}

/// The kana with every mark that it can have.
fn voicings(kana: char) -> impl Iterator<Item = char> {
    let base = unmarked(kana);
    ('あ'..='ゔ').filter(move |&other| unmarked(other) == base)
}

/// The first mora of a reading: its first kana, and the small kana after it, if there is one.
pub(super) fn first_mora(reading: &str) -> Option<(char, Option<char>)> {
    let mut kana = reading.chars().filter(|&c| !is_combining(c));
    let first = modern(kana.next()?);
    Some((first, kana.next().filter(|&second| second != 'っ' && large(second) != second)))
}

/// Whether a reading begins so.
pub(super) fn begins(reading: &str, start: &str) -> bool {
    let mut kana = reading.chars().filter(|&c| !is_combining(c)).map(modern);
    start.chars().all(|c| kana.next() == Some(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shiritori::rules::{Preset, RuleOptions};

    fn after(reading: &str, options: &RuleOptions) -> Vec<String> {
        starts_after(reading, &Rules::from(options))
    }

    fn preset(preset: Preset) -> RuleOptions {
        RuleOptions { preset, ..RuleOptions::default() }
    }

    #[test]
    fn each_ruleset_follows_the_contract() {
        // reading, then what follows in everyday, strict and hachiku
        let table = [
            ("こーひー", ["い", "ひ", "い"]),
            ("かいしゃ", ["や", "しゃ", "や"]),
            ("きゃー", ["あ", "きゃ", "あ"]),
            ("ねこ", ["こ", "こ", "こ ご"]),
            ("まご", ["ご", "ご", "こ ご"]),
            ("らっぱ", ["ぱ", "ぱ", "は ば ぱ"]),
            ("ぱいん", ["", "", ""]),
            ("あっ", ["つ", "つ", "つ づ"]),
            ("はなぢ", ["ぢ", "ぢ", "ち ぢ"]),
        ];
        for (reading, expected) in table {
            let found = [Preset::Everyday, Preset::Strict, Preset::Hachiku]
                .map(|ruleset| after(reading, &preset(ruleset)).join(" "));
            assert_eq!(found, expected, "{reading}");
        }
    }

    #[test]
    fn single_options() {
        let same = RuleOptions { ji_zu: Some(JiZu::Same), ..RuleOptions::default() };
        assert_eq!(after("はなぢ", &same), ["じ", "ぢ"]);
        assert_eq!(after("みず", &same), ["ず", "づ"]);
        let loose = RuleOptions { voicing: Some(Voicing::Loose), ..same };
        assert_eq!(after("はなぢ", &loose), ["し", "じ", "ち", "ぢ"]);
        let n = RuleOptions { n: Some(FinalN::Allowed), ..RuleOptions::default() };
        assert_eq!(after("ぱいん", &n), ["ん"]);
    }

    proptest::proptest! {
        #[test]
        fn words_with_the_same_tail_go_on_alike(one in "[か-たゃゅょぁっんーず]{1,3}", other in "[か-こゃっー]{0,3}") {
            for ruleset in [Preset::Everyday, Preset::Strict, Preset::Hachiku] {
                let longer = format!("{other}{one}");
                if tail_of(&longer) == tail_of(&one) {
                    proptest::prop_assert_eq!(after(&longer, &preset(ruleset)), after(&one, &preset(ruleset)));
                }
            }
        }
    }

    #[test]
    fn a_long_mora_and_odd_ends() {
        let strict = preset(Preset::Strict);
        assert_eq!(after("ぱーてぃー", &strict), ["てぃ"]);
        assert_eq!(after("あーー", &RuleOptions::default()), ["あ"]);
        assert_eq!(after("ー", &strict), Vec::<String>::new());
        assert_eq!(after("つるゐ", &strict), ["い"]);
        assert_eq!(after("", &strict), Vec::<String>::new());
    }
}
