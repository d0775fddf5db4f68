//! What a word must be like.

use std::ops::Range;

use crate::fold::{FoldError, Kana, MAX_LENGTH, SpellingFault};
use crate::lexicon::{KeySet, Keys, SetTest};
use crate::own::Lists;
use crate::{Class, ClassSet, Entry, Forms, Letter, LetterSet, Lexicon, NotALetter, Spelling};

use super::{FoundWord, SearchError, SearchQuery};

const STARTS_WITH: &str = "starts_with";

/// A text at the start or the end of words.
pub(super) struct Affix {
    /// Its spellings.
    pub spellings: Vec<Spelling>,
    /// What the reading must have, where that is more than the letters say.
    reading: Option<String>,
}

impl Affix {
    fn new(parameter: &'static str, text: &str) -> Result<Self, SearchError> {
        let kana = Kana::parse(text).map_err(|fault| refused(parameter, fault))?;
        let spellings: Vec<_> = kana.spellings().collect();
        let reading = kana.reading.to_string();
        let says_more = spellings.len() > 1 || reading != spellings[0].to_string();
        Ok(Self { spellings, reading: says_more.then_some(reading) })
    }
}

/// A search that makes sense.
pub(super) struct Filter {
    pub start: Option<Affix>,
    pub end: Option<Affix>,
    pub rack: Option<LetterSet>,
    /// What its letters must be.
    pub letters: SetTest,
    length: Range<usize>,
    classes: ClassSet,
}

impl Filter {
    pub fn new(query: &SearchQuery) -> Result<Self, SearchError> {
        let affix =
            |parameter, text: &Option<String>| text.as_deref().map(|text| Affix::new(parameter, text)).transpose();
        let classes = match &query.class {
            None => ClassSet::NOUNS,
            Some(list) => list.split(',').map(str::parse::<Class>).collect::<Result<_, _>>()?,
        };
        let rack = query.letters.as_deref().map(rack).transpose()?;
        let contains = query.contains.as_deref().map_or(Ok(LetterSet::EMPTY), contained)?;
        let distinct = rack.is_some() || query.distinct.unwrap_or(false);
        Ok(Self {
            start: affix(STARTS_WITH, &query.starts_with)?,
            end: affix("ends_with", &query.ends_with)?,
            rack,
            letters: SetTest::new(rack.unwrap_or(LetterSet::ALL), distinct, contains),
            length: query.min_length.unwrap_or(0)..query.max_length.unwrap_or(MAX_LENGTH).saturating_add(1),
            classes,
        })
    }

    /// Whether a key whose letters pass does so as far as its other numbers tell; its start and end
    /// are not among them.
    pub fn passes(&self, keys: Keys<'_>, key: usize) -> bool {
        self.length.contains(&keys.set(key).length()) && keys.classes(key).intersects(self.classes)
    }

    /// Whether a spelling passes.
    fn accepts(&self, spelling: &Spelling) -> bool {
        let letters = spelling.letters();
        let key = KeySet::of(letters, false);
        let begins = |start: &Spelling| letters.starts_with(start.letters());
        let ends = |end: &Spelling| letters.ends_with(end.letters());
        self.start.as_ref().is_none_or(|start| start.spellings.iter().any(begins))
            && self.end.as_ref().is_none_or(|end| end.spellings.iter().any(ends))
            && self.letters.passes(key)
            && self.length.contains(&key.length())
    }

    fn accepts_reading(&self, reading: &str) -> bool {
        let has = |affix: &Option<Affix>, test: &dyn Fn(&str) -> bool| {
            affix.as_ref().and_then(|affix| affix.reading.as_deref()).is_none_or(test)
        };
        has(&self.start, &|start| reading.starts_with(start)) && has(&self.end, &|end| reading.ends_with(end))
    }

    /// Whether the rows of a key must be read to know if there is a word among them.
    pub fn must_read(&self, keys: Keys<'_>, key: usize, lists: Lists<'_>) -> bool {
        let says_more = |affix: &Option<Affix>| affix.as_ref().is_some_and(|a| a.reading.is_some());
        says_more(&self.start) || says_more(&self.end) || keys.set(key).has_choice() || lists.bans_any()
    }

    /// The words of a key that pass. A word with several spellings that pass is listed under the
    /// first of them alone.
    pub fn entries<'a>(
        &self,
        lexicon: &'a Lexicon,
        key: usize,
        lists: Lists<'_>,
    ) -> impl Iterator<Item = FoundWord<'a>> {
        let words = lexicon.words();
        let has_choice = words.keys().set(key).has_choice();
        words.rows_of(key).filter_map(move |entry| {
            let Entry { reading, forms, class, .. } = entry;
            if !self.classes.contains(class) || lists.bans(reading) || !self.accepts_reading(reading) {
                return None;
            }
            let kana = Kana::parse(reading).ok()?;
            // Where no reading of the key has a choice, the key itself is the only spelling.
            let spellings = if has_choice { self.accepted(&kana) } else { vec![kana.first_spelling().into()] };
            let is_first = !has_choice || words.key(spellings.first()?.letters()) == Some(key);
            is_first.then_some(FoundWord { reading, forms, class, spellings })
        })
    }

    /// The spellings that pass.
    fn accepted(&self, kana: &Kana) -> Vec<Spelling> {
        kana.spellings().filter(|spelling| self.accepts(spelling)).collect()
    }

    /// Words that pass and that only lists know, sorted.
    pub fn own_words<'a>(&self, lexicon: &Lexicon, lists: Lists<'a>) -> Vec<FoundWord<'a>> {
        let mut words: Vec<_> = lists
            .extra()
            .filter(|reading| self.accepts_reading(reading))
            .filter(|reading| !lexicon.has_reading(reading, self.classes))
            .map(|reading| FoundWord {
                reading,
                forms: Forms::default(),
                class: Class::Other,
                spellings: Kana::parse(reading).map_or_else(|_| Vec::new(), |kana| self.accepted(&kana)),
            })
            .filter(|word| !word.spellings.is_empty())
            .collect();
        words.sort_by(|a, b| (&a.spellings, a.reading).cmp(&(&b.spellings, b.reading)));
        words.dedup();
        words
    }
}

/// No word begins with ー, but many have one further on.
fn refused(parameter: &'static str, fault: FoldError) -> SearchError {
    match fault {
        FoldError::NoSpelling { fault: SpellingFault::LongAtStart } if parameter != STARTS_WITH => {
            SearchError::LongAlone { parameter }
        }
        fault => SearchError::Text { parameter, fault },
    }
}

/// The reading of a list of letters: katakana and half-width kana are letters too.
fn letters_of(parameter: &'static str, text: &str) -> Result<Vec<Letter>, SearchError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let kana = Kana::parse(text).map_err(|fault| refused(parameter, fault))?;
    let letters = kana.reading.chars().map(Letter::try_from).collect::<Result<_, _>>();
    letters.map_err(|fault| SearchError::Letters { parameter, fault })
}

fn contained(text: &str) -> Result<LetterSet, SearchError> {
    Ok(letters_of("contains", text)?.into_iter().collect())
}

fn rack(text: &str) -> Result<LetterSet, SearchError> {
    let mut rack = LetterSet::EMPTY;
    for letter in letters_of("letters", text)? {
        if !rack.insert(letter) {
            let fault = NotALetter { found: format!("{letter}{letter}") };
            return Err(SearchError::Letters { parameter: "letters", fault });
        }
    }
    Ok(rack)
}
