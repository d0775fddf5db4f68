//! What the tokens of each game's lines of play look like.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex_lite::Regex;
use rules::registry;
use rules::text::Text;

use super::games;
use crate::http::Problem;
use crate::http::problem::Kind;

/// A shape that tokens have.
pub struct Shape {
    /// One of them.
    pub example: &'static str,
    /// What all of them match, from end to end.
    pub pattern: &'static str,
}

impl Shape {
    /// A shape of tokens.
    pub const fn new(example: &'static str, pattern: &'static str) -> Self {
        Self { example, pattern }
    }
}

/// The tokens that every game has.
const TABLE: &[Shape] = &[Shape::new("0.resign", r"\d\.resign")];

/// The tokens of a game.
struct Grammar {
    patterns: Vec<Regex>,
    /// One of each shape.
    examples: String,
}

static GRAMMARS: LazyLock<BTreeMap<&'static str, Grammar>> = LazyLock::new(|| {
    let subjects = registry::games().into_iter().map(|game| game.facts().id);
    subjects.filter_map(|id| Some((id, Grammar::of(games::of(id)?.tokens)))).collect()
});

impl Grammar {
    fn of(shapes: &[Shape]) -> Self {
        let whole = |shape: &Shape| Regex::new(&format!("^(?:{})$", shape.pattern)).ok();
        let all = || shapes.iter().chain(TABLE);
        let examples = all().map(|shape| shape.example).collect::<Vec<_>>().join(" ");
        Self { patterns: all().filter_map(whole).collect(), examples }
    }

    fn has(&self, token: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.is_match(token))
    }
}

/// Refuses tokens that no match of a game can have.
///
/// # Errors
/// [`Kind::InvalidParameters`] with the first of them and what the game's tokens look like.
pub fn check(game: &str, tokens: &[&str]) -> Result<(), Problem> {
    let Some(grammar) = GRAMMARS.get(game) else { return Ok(()) };
    let Some(token) = tokens.iter().find(|token| !grammar.has(token)) else { return Ok(()) };
    let (token, examples): (String, _) = (token.chars().take(40).collect(), &grammar.examples);
    let detail = Text::new(
        format!("“{token}” is no token of {game}; they look like “{examples}”."),
        format!("「{token}」は {game} のトークンではありません。「{examples}」のように書きます。"),
    );
    Err(Problem::new(Kind::InvalidParameters, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_tokens_and_no_patterns_are_broken() {
        for game in registry::games() {
            let id = game.facts().id;
            let shapes = games::of(id).unwrap().tokens;
            assert_eq!(GRAMMARS[id].patterns.len(), shapes.len() + TABLE.len(), "{id}");
            for shape in shapes.iter().chain(TABLE) {
                assert!(GRAMMARS[id].has(shape.example), "{id}: {}", shape.example);
            }
        }
    }

    #[test]
    fn the_tokens_of_the_documentation_are_tokens() {
        let (_, table) = include_str!("../../../docs/analytics.md").split_once("| game | tokens |").unwrap();
        for game in registry::games() {
            let id = game.facts().id;
            let row = table.lines().find(|line| line.starts_with(&format!("| {id} | `"))).unwrap();
            let quoted = row.split('`').skip(1).step_by(2);
            let tokens: Vec<_> = quoted.filter(|text| text.contains('=') || text.starts_with("0.")).collect();
            assert!(tokens.len() >= 2, "{row}");
            check(id, &tokens).unwrap();
        }
    }

    #[test]
    fn nonsense_and_tokens_of_other_games_are_none() {
        for (game, wrong) in [
            ("twenty_one", "a"),
            ("twenty_one", "0.roll=7"),
            ("twenty_one", "0.gather=か"),
            ("twenty_one", "10.stop"),
            ("hachiku", "0.gather=が"),
            ("hachiku", "0.say=か"),
            ("hachiku", "0.roll=5"),
            ("kamudakara", "0.rite=1.ace"),
            ("kamudakara", "open=sword+mirror"),
            ("salamander", "0.throw=5+1.lizard"),
            ("salamander", "0.announce=1.stone-3"),
            ("sainokawara", "0.take_duty=15"),
            ("sainokawara", "fell=15"),
        ] {
            assert_eq!(check(game, &[wrong]).unwrap_err().kind(), Kind::InvalidParameters, "{game}: {wrong}");
        }
    }
}
