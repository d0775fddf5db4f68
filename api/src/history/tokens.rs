//! What the tokens of each game's lines of play look like.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex_lite::Regex;
use rules::game::Facts;
use rules::registry;
use rules::table::AnyGame;
use rules::text::Text;

use super::{games, line};
use crate::http::Problem;
use crate::http::problem::Kind;

/// What must hold of a token.
pub type Condition = fn(&str) -> bool;

/// A shape that tokens have.
pub struct Shape {
    /// One of them.
    pub example: &'static str,
    /// What all of them match, from end to end; `<seat>` stands for the number of a seat of the game.
    pub pattern: &'static str,
    /// What holds of all of them besides.
    pub holds: Condition,
}

impl Shape {
    /// A shape of tokens.
    pub const fn new(example: &'static str, pattern: &'static str) -> Self {
        Self { example, pattern, holds: |_| true }
    }

    /// Only those of which this holds, too.
    #[must_use]
    pub const fn only(self, holds: Condition) -> Self {
        Self { holds, ..self }
    }
}

/// What a token says: all behind its equals sign.
pub fn value(token: &str) -> &str {
    token.split_once('=').map_or("", |(_, value)| value)
}

/// The parts of what a token says, which stand between pluses.
pub fn parts(token: &str) -> impl Iterator<Item = &str> {
    value(token).split('+')
}

/// Whether the seats that the parts of a token begin with are others than that whose decision it is.
pub fn is_about_others(token: &str) -> bool {
    parts(token).all(|part| part.chars().next() != token.chars().next())
}

/// The tokens that every game has.
const TABLE: &[Shape] = &[Shape::new("0.resign", r"<seat>\.resign")];

/// The tokens of a game.
struct Grammar {
    shapes: Vec<(Regex, Condition)>,
    /// One of each shape.
    examples: String,
}

static GRAMMARS: LazyLock<BTreeMap<&'static str, Grammar>> = LazyLock::new(|| {
    let facts = registry::games().into_iter().map(AnyGame::facts);
    facts.filter_map(|facts| Some((facts.id, Grammar::of(facts, games::of(facts.id)?.tokens)))).collect()
});

impl Grammar {
    fn of(facts: &Facts, shapes: &[Shape]) -> Self {
        let seat = format!("[0-{}]", facts.seats.end().saturating_sub(1));
        let whole = |shape: &Shape| {
            let pattern = format!("^(?:{})$", shape.pattern.replace("<seat>", &seat));
            Some((Regex::new(&pattern).ok()?, shape.holds))
        };
        let all = || shapes.iter().chain(TABLE);
        let examples = all().map(|shape| shape.example).collect::<Vec<_>>().join(" ");
        Self { shapes: all().filter_map(whole).collect(), examples }
    }

    fn has(&self, token: &str) -> bool {
        self.shapes.iter().any(|(pattern, holds)| pattern.is_match(token) && holds(token))
    }
}

/// Refuses tokens that no match of a game can have.
///
/// # Errors
/// [`Kind::InvalidParameters`] with the first of them and what the game's tokens look like.
pub fn check(game: &str, tokens: &[&str]) -> Result<(), Problem> {
    let Some(grammar) = GRAMMARS.get(game) else { return Ok(()) };
    let Some(token) = tokens.iter().find(|token| !grammar.has(token)) else { return Ok(()) };
    let (token, examples) = (line::shown(token), &grammar.examples);
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
            assert_eq!(GRAMMARS[id].shapes.len(), shapes.len() + TABLE.len(), "{id}");
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
            // Out of order.
            ("kamudakara", "open=jewel+sword,demon+jewel"),
            ("kamudakara", "0.store=demon+sword"),
            ("kamudakara", "0.give_demons=2+1"),
            ("salamander", "0.throw=3+2.lizard"),
            ("salamander", "0.announce=2.fire+1.stone-3:true"),
            ("sainokawara", "0.place_dice=3:d20+0:d8"),
            ("hachiku", "0.swap=いあ>う"),
            // Seats that there are not, and the own where another is meant.
            ("hachiku", "2.gather=か"),
            ("hachiku", "2.resign"),
            ("kamudakara", "4.ritual"),
            ("kamudakara", "0.rite=4.wisdom"),
            ("kamudakara", "0.rite=0.wisdom"),
            ("kamudakara", "1.give_demons=0+1"),
            ("salamander", "0.ask=0.fire"),
            ("salamander", "1.announce=0.fire+1.stone-3:true"),
            ("sainokawara", "6.take_die"),
            // More than there is.
            ("hachiku", "0.say=かか"),
            ("hachiku", "0.swap=ああ>い"),
            ("hachiku", "finals=さけさ,-"),
            ("kamudakara", "0.use_demons=99"),
            ("kamudakara", "0.veil=49"),
            ("kamudakara", "open=sword,mirror+jewel"),
            ("kamudakara", "open=sword+mirror,demon+jewel,demon+demon,demon+demon,demon+demon"),
            ("salamander", "0.announce=1.fire+2.stone-3+3.number-1:true"),
            ("sainokawara", "0.roll_start=13"),
            ("sainokawara", "0.place_dice=0:d8+0:d8"),
            ("sainokawara", "0.place_dice=0:d8+1:d8+2:d8+3:d8"),
        ] {
            assert_eq!(check(game, &[wrong]).unwrap_err().kind(), Kind::InvalidParameters, "{game}: {wrong}");
        }
    }
}
