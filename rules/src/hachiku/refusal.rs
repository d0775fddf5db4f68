//! Why an action is refused, with what helps to mend it.

use dictionary::fold::SpellingFault;
use dictionary::{FoldError, Letter, LetterSet, Spelling};
use serde_json::Value;

use super::actions::Action;
use super::state::Phase;
use crate::text::{Refusal, Text};

/// Letters as a list of one-letter strings.
fn list(letters: impl IntoIterator<Item = Letter>) -> Value {
    letters.into_iter().map(|letter| letter.to_string()).collect()
}

pub(super) fn not_in_field(letter: Letter, field: LetterSet) -> Refusal {
    let text = Text::new(
        format!("{letter} is not in the field; take one of {field}."),
        format!("「{letter}」は場にありません。場のカードは「{field}」です。"),
    );
    Refusal::new("hachiku.gather", text).with("field", field.to_string())
}

pub(super) fn same_card_twice(letter: Letter, hand: LetterSet) -> Refusal {
    let text = Text::new(
        format!("{letter} is one card and cannot be put back twice; name two different cards of the hand ({hand})."),
        format!("「{letter}」は一枚しかありません。手札「{hand}」から違う二枚を戻してください。"),
    );
    Refusal::new("hachiku.swap", text)
}

pub(super) fn not_in_hand(missing: LetterSet, hand: LetterSet) -> Refusal {
    let text = if hand.len() < 2 {
        Text::fixed(
            "A swap needs at least two cards in the hand; gather first.",
            "臨には手札が二枚以上要ります。先に集で増やしてください。",
        )
    } else {
        Text::new(
            format!("{missing} is not in the hand; put two of {hand} back."),
            format!("「{missing}」は手札にありません。手札「{hand}」から二枚を戻してください。"),
        )
    };
    Refusal::new("hachiku.swap", text).with("missing_letters", list(missing.iter()))
}

pub(super) fn no_such_head(new: Letter, old: Letter, field: LetterSet) -> Refusal {
    let text = if new == old {
        Text::new(
            format!("{new} is the head already; the new one is another card of the field: {field}."),
            format!("「{new}」は今の頭文字です。場の別のカード「{field}」から選んでください。"),
        )
    } else {
        Text::new(
            format!("{new} is not in the field; the new head is one of {field}."),
            format!("「{new}」は場にありません。新しい頭文字は「{field}」から選んでください。"),
        )
    };
    Refusal::new("hachiku.swap", text).with("field", field.to_string())
}

pub(super) fn too_short(word: &Spelling) -> Refusal {
    let text = Text::new(
        format!("A word has at least 2 letters, not {}.", word.len()),
        format!("言葉は二文字以上です（{}文字でした）。", word.len()),
    );
    Refusal::new("hachiku.min-length", text)
}

pub(super) fn wrong_start(first: Letter, head: Letter) -> Refusal {
    let text = Text::new(
        format!("The head is {head}, and the word begins with {first}; say one that begins with {head}."),
        format!("頭文字は「{head}」ですが、「{first}」で始まっています。「{head}」で始まる言葉にしてください。"),
    );
    Refusal::new("hachiku.starts-with-head", text).with("head", head.to_string())
}

pub(super) fn repeats(repeated: LetterSet) -> Refusal {
    let text = Text::new(
        format!("There is one card of each letter, and the word has {repeated} more than once; say another word."),
        format!("カードは一文字一枚ですが、「{repeated}」が二度以上出てきます。別の言葉にしてください。"),
    );
    Refusal::new("hachiku.distinct-letters", text).with("repeated_letters", list(repeated.iter()))
}

pub(super) fn missing(missing: LetterSet, hand: LetterSet) -> Refusal {
    let text = if hand.is_empty() {
        Text::new(
            format!("The hand is empty, and the word needs {missing}; gather first."),
            format!("手札がありません。「{missing}」が要ります。先に集で増やしてください。"),
        )
    } else {
        Text::new(
            format!("{missing} is not in the hand; after the head a word uses only {hand}."),
            format!("「{missing}」が手札にありません。頭文字の後に使えるのは手札の「{hand}」だけです。"),
        )
    };
    Refusal::new("hachiku.letters-in-hand", text).with("missing_letters", list(missing.iter()))
}

/// Why a word is none of the match's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unknown {
    /// Nobody lists it.
    Unlisted,
    /// It is listed, but as no kind of word that this match plays with.
    Class,
    /// The match bans it.
    Banned,
}

pub(super) fn not_a_word(word: &str, why: Unknown) -> Refusal {
    let word: String = word.chars().take(50).collect();
    let text = match why {
        Unknown::Unlisted => Text::new(
            format!("“{word}” is not in the lexicon; say another word."),
            format!("「{word}」は辞書にありません。別の言葉にしてください。"),
        ),
        Unknown::Class => Text::new(
            format!(
                "“{word}” is of no class of words that this match allows (option `word_policy`); say another word."
            ),
            format!(
                "「{word}」はこの試合で使える品詞ではありません（オプション`word_policy`）。別の言葉にしてください。"
            ),
        ),
        Unknown::Banned => Text::new(
            format!("“{word}” is banned, by this match (option `banned_words`) or by the server; say another word."),
            format!(
                "「{word}」はこの試合（オプション`banned_words`）またはサーバーで禁止されています。別の言葉にしてください。"
            ),
        ),
    };
    Refusal::new("hachiku.not-a-word", text)
}

/// A written form that nobody can read: its letters would have to be guessed.
pub(super) fn unreadable(fault: &FoldError) -> Refusal {
    let rule = match fault {
        FoldError::NoSpelling { fault: SpellingFault::Empty } => "hachiku.min-length",
        FoldError::NoSpelling { fault: SpellingFault::LongAtStart | SpellingFault::LongAfter(_) } => {
            "hachiku.fold-long"
        }
        FoldError::NoSpelling { fault: SpellingFault::TooManyZu } => "hachiku.zu",
        FoldError::NoSpelling { fault: SpellingFault::NothingToRepeat }
        | FoldError::NotKana { .. }
        | FoldError::TooLong => "hachiku.not-a-word",
    };
    Refusal::new(rule, Text::new(fault.to_string(), fault.message_ja()))
}

pub(super) fn ambiguous(candidates: &[Spelling]) -> Refusal {
    let names: Vec<_> = candidates.iter().map(ToString::to_string).collect();
    let text = Text::new(
        format!("The word can be laid in several ways now; send one of {} as `letters`.", names.join(", ")),
        format!("いま並べられる綴りが複数あります。「{}」のどれかを`letters`で送ってください。", names.join("」「")),
    );
    Refusal::new("hachiku.ambiguous-spelling", text).with("candidates", names)
}

/// An action of another phase.
pub(super) fn wrong_phase(phase: &Phase, action: &Action) -> Refusal {
    match (phase, action) {
        (Phase::ChooseHead, _) => Refusal::new(
            "hachiku.choose-head",
            Text::fixed(
                "There is no head yet; take any card of the field as the head with `choose_head`.",
                "頭文字がまだありません。`choose_head`で場の好きなカードを頭文字にしてください。",
            ),
        ),
        (Phase::Judging { word, .. }, _) => Refusal::new(
            "hachiku.judge",
            Text::new(
                format!("The word {} waits for your judgement; send `judge` with `accept`.", word.letters),
                format!("「{}」の判定待ちです。`judge`で認めるか認めないかを答えてください。", word.letters),
            ),
        ),
        (Phase::FinalWords { .. }, _) => Refusal::new(
            "hachiku.final-word",
            Text::fixed(
                "The field is empty; only `final_word` or `final_pass` is left.",
                "場のカードがなくなりました。`final_word`か`final_pass`だけができます。",
            ),
        ),
        (_, Action::ChooseHead { .. }) => Refusal::new(
            "hachiku.choose-head",
            Text::fixed(
                "The head is chosen once, at the beginning; take your turn with `gather`, `say` or `swap`.",
                "頭文字を選ぶのは最初の一度だけです。`gather`・`say`・`swap`のどれかを行ってください。",
            ),
        ),
        (_, Action::Judge { .. }) => Refusal::new(
            "hachiku.judge",
            Text::fixed(
                "No word waits for a judgement; take your turn with `gather`, `say` or `swap`.",
                "判定待ちの言葉はありません。`gather`・`say`・`swap`のどれかを行ってください。",
            ),
        ),
        (_, _) => Refusal::new(
            "hachiku.final-word",
            Text::fixed(
                "Final words come when the field is empty; take your turn with `gather`, `say` or `swap`.",
                "最後の言葉は場のカードがなくなってからです。`gather`・`say`・`swap`のどれかを行ってください。",
            ),
        ),
    }
}
