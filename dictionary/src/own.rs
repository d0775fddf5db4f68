//! Words that somebody adds to the lexicon, or bans, for one match, one request or one server.

use std::collections::{BTreeSet, HashSet};

use crate::checksum::sha256;
use crate::fold::{Kana, as_read_today, modern};
use crate::{FoldError, Letter, Spelling};

/// How many words a match or request may add, and how many it may ban.
pub const MAX_OWN_WORDS: usize = 200;

/// Words added to a lexicon and words banned from it, as readings, ゐ and ゑ read as today; a ban
/// beats everything.
///
/// ```
/// use dictionary::OwnWords;
/// let own = OwnWords::new(["けぬむろ"], ["ねこ"]).unwrap();
/// assert!(OwnWords::new(["猫"], []).is_err()); // not a reading
/// # let _ = own;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnWords {
    extra: HashSet<Box<str>>,
    extra_spellings: BTreeSet<Spelling>,
    banned: HashSet<Box<str>>,
    banned_spellings: HashSet<Spelling>,
}

/// Why a list of own words is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OwnWordsError {
    /// There are too many.
    #[error("`{list}` has more than {limit} words; give at most {limit}")]
    TooMany {
        /// Which list: `extra` or `banned`.
        list: &'static str,
        /// How many it may have.
        limit: usize,
    },
    /// One of them is not a reading.
    #[error("`{list}` must hold readings, but “{word}” is none: {fault}")]
    NotAReading {
        /// Which list: `extra` or `banned`.
        list: &'static str,
        /// The word, cut short where it is long.
        word: String,
        /// What is wrong with it.
        fault: FoldError,
    },
}

impl OwnWordsError {
    /// The same message in Japanese.
    pub fn message_ja(&self) -> String {
        match self {
            Self::TooMany { list, limit } => {
                format!("`{list}`の言葉は{limit}語までです。")
            }
            Self::NotAReading { list, word, fault } => {
                format!("`{list}`には読みを書いてください。「{word}」：{}", fault.message_ja())
            }
        }
    }
}

impl OwnWords {
    /// Reads both lists, at most [`MAX_OWN_WORDS`] words each. A banned word is not extra.
    ///
    /// # Errors
    /// When a list is too long or a word is not a reading with a spelling.
    pub fn new<S: AsRef<str>>(
        extra: impl IntoIterator<Item = S>,
        banned: impl IntoIterator<Item = S>,
    ) -> Result<Self, OwnWordsError> {
        Self::with_limit(extra, banned, MAX_OWN_WORDS)
    }

    pub(crate) fn with_limit<S: AsRef<str>>(
        extra: impl IntoIterator<Item = S>,
        banned: impl IntoIterator<Item = S>,
        limit: usize,
    ) -> Result<Self, OwnWordsError> {
        let mut own = Self::default();
        for kana in readings("banned", banned, limit)? {
            own.banned.insert(reading_of(&kana));
            own.banned_spellings.extend(kana.spellings());
        }
        for kana in readings("extra", extra, limit)? {
            let reading = reading_of(&kana);
            if !own.banned.contains(&reading) {
                own.extra.insert(reading);
                own.extra_spellings.extend(kana.spellings());
            }
        }
        Ok(own)
    }

    /// Eight hex digits that tell these lists from others; None where both are empty.
    pub(crate) fn fingerprint(&self) -> Option<String> {
        let mut words: Vec<_> = self.extra.iter().map(|word| format!("+{word}\n")).collect();
        words.extend(self.banned.iter().map(|word| format!("-{word}\n")));
        words.sort_unstable();
        (!words.is_empty()).then(|| sha256(&[words.concat().as_bytes()])[..8].to_owned())
    }

    /// Whether both lists are empty.
    pub fn is_empty(&self) -> bool {
        self.extra.is_empty() && self.banned.is_empty()
    }

    /// The readings that are added, in no order.
    pub fn extra(&self) -> impl ExactSizeIterator<Item = &str> {
        self.extra.iter().map(AsRef::as_ref)
    }

    /// The readings that are banned, in no order.
    pub fn banned(&self) -> impl ExactSizeIterator<Item = &str> {
        self.banned.iter().map(AsRef::as_ref)
    }
}

fn readings<S: AsRef<str>>(
    list: &'static str,
    words: impl IntoIterator<Item = S>,
    limit: usize,
) -> Result<Vec<Kana>, OwnWordsError> {
    let mut readings = Vec::new();
    for word in words {
        let word = word.as_ref();
        if readings.len() == limit {
            return Err(OwnWordsError::TooMany { list, limit });
        }
        readings.push(Kana::parse(word).map_err(|fault| OwnWordsError::NotAReading {
            list,
            word: word.chars().take(32).collect(),
            fault,
        })?);
    }
    Ok(readings)
}

fn reading_of(kana: &Kana) -> Box<str> {
    kana.reading.chars().map(modern).collect::<String>().into()
}

/// The server's own words together with those of one request or match.
#[derive(Clone, Copy)]
pub(crate) struct Lists<'a>(pub [&'a OwnWords; 2]);

impl<'a> Lists<'a> {
    pub fn bans(&self, reading: &str) -> bool {
        self.0.iter().any(|own| !own.banned.is_empty() && own.banned.contains(&*as_read_today(reading)))
    }

    pub fn banned(self) -> impl Iterator<Item = &'a str> {
        self.0.into_iter().flat_map(OwnWords::banned)
    }

    pub fn bans_any(&self) -> bool {
        self.0.iter().any(|own| !own.banned.is_empty())
    }

    /// Whether some banned reading is spelled so: cards have no marks, so that with がき nobody can
    /// lay かき either.
    pub fn bans_spelling(&self, letters: &[Letter]) -> bool {
        self.0.iter().any(|own| !own.banned.is_empty() && own.banned_spellings.contains(letters))
    }

    pub fn adds(&self, reading: &str) -> bool {
        self.0.iter().any(|own| !own.extra.is_empty() && own.extra.contains(&*as_read_today(reading)))
            && !self.bans(reading)
    }

    /// Whether some added reading is spelled so, and no banned one.
    pub fn adds_spelling(&self, letters: &[Letter]) -> bool {
        self.0.iter().any(|own| !own.extra.is_empty() && own.extra_spellings.contains(letters))
            && !self.bans_spelling(letters)
    }

    /// The added readings that are spelled so, in no order.
    pub fn extra_spelled<'l>(self, letters: &'l [Letter]) -> impl Iterator<Item = &'a str> + use<'a, 'l> {
        let is_spelled = move |reading: &&str| {
            Kana::parse(reading).is_ok_and(|kana| kana.spellings().any(|spelling| spelling.letters() == letters))
        };
        // Most letters spell none: the lists need not be read for them.
        let adds = self.adds_spelling(letters);
        adds.then(|| self.extra().filter(is_spelled)).into_iter().flatten()
    }

    /// The added readings that nobody bans.
    pub fn extra(self) -> impl Iterator<Item = &'a str> {
        self.0.into_iter().flat_map(OwnWords::extra).filter(move |reading| !self.bans(reading))
    }

    /// The spellings of added readings, in gojūon order, each once.
    pub fn extra_spellings(self) -> impl Iterator<Item = &'a Spelling> {
        let [house, own] = self.0;
        let more = own.extra_spellings.iter().filter(|s| !house.extra_spellings.contains(*s));
        house.extra_spellings.iter().chain(more).filter(move |spelling| self.adds_spelling(spelling.letters()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ban_beats_an_extra_word() {
        let own = OwnWords::new(["ねこ", "ﾇｺ"], ["ネコ"]).unwrap();
        assert_eq!(own.extra().collect::<Vec<_>>(), ["ぬこ"]);
        let house = OwnWords::new(["ぬこ"], []).unwrap();
        let banned = OwnWords::new([], ["ぬこ"]).unwrap();
        assert!(!Lists([&house, &banned]).adds("ぬこ"));
        assert_eq!(Lists([&house, &banned]).extra_spellings().count(), 0);
    }

    #[test]
    fn old_kana_are_read_as_today() {
        let own = OwnWords::new(["ゐぬこ"], ["えびす"]).unwrap();
        let none = OwnWords::default();
        let lists = Lists([&own, &none]);
        assert!(lists.adds("いぬこ") && lists.adds("ゐぬこ") && lists.bans("ゑびす"));
    }

    #[test]
    fn a_ban_is_of_a_reading_and_in_cards_of_its_letters() {
        let own = OwnWords::new(["けぬむろ"], ["げぬむろ"]).unwrap();
        let letters: Spelling = "けぬむろ".parse().unwrap();
        let none = OwnWords::default();
        let lists = Lists([&own, &none]);
        assert!(lists.adds("けぬむろ") && lists.bans("げぬむろ") && !lists.bans("けぬむろ"));
        assert!(!lists.adds_spelling(letters.letters()) && lists.bans_spelling(letters.letters()));
        assert_eq!((lists.extra_spellings().count(), lists.extra_spelled(letters.letters()).count()), (0, 0));
    }

    #[test]
    fn lists_are_bounded_and_must_hold_readings() {
        let many = vec!["か"; MAX_OWN_WORDS + 1];
        assert_eq!(OwnWords::new(many, vec![]), Err(OwnWordsError::TooMany { list: "extra", limit: MAX_OWN_WORDS }));
        assert!(matches!(OwnWords::new(["ねこ"], ["猫"]), Err(OwnWordsError::NotAReading { list: "banned", .. })));
    }
}
