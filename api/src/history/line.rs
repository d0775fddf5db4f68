//! Lines of play: the tokens of a match, in order, and the names of their beginnings.

use rules::seat::Seat;
use rules::text::Text;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::http::Problem;
use crate::http::problem::Kind;

/// Next moves are counted after lines of at most so many tokens.
pub const DEPTH: usize = 6;
/// So many tokens of a match are kept.
pub const LIMIT: usize = 200;
/// No token is longer, in bytes: fourteen cards or dice fit.
const TOKEN_LIMIT: usize = 400;

/// What separates tokens in a path.
const SEPARATOR: char = '/';

/// The name of a line's beginning in the database.
pub fn name(game: &str, tokens: &[impl AsRef<str>]) -> Uuid {
    let mut hash = Sha256::new();
    hash.update(game);
    for token in tokens {
        hash.update([0]);
        hash.update(token.as_ref());
    }
    let mut first = [0; 16];
    first.copy_from_slice(&hash.finalize()[..16]);
    Uuid::from_bytes(first)
}

/// The tokens as one text.
pub fn join(tokens: &[impl AsRef<str>]) -> String {
    tokens.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("/")
}

/// The tokens of a line as it is kept.
pub fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split(SEPARATOR).filter(|token| !token.is_empty())
}

/// The seat that a token is the decision of, if it is one seat's.
pub fn seat(token: &str) -> Option<Seat> {
    let (seat, _) = token.split_once('.')?;
    Seat::new(seat.parse().ok()?)
}

/// Reads a path that a client gives.
///
/// # Errors
/// [`Kind::InvalidParameters`] where it is no path.
pub fn read(path: &str) -> Result<Vec<&str>, Problem> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let tokens: Vec<_> = path.split(SEPARATOR).collect();
    // What followed must still be kept.
    if tokens.len() >= LIMIT {
        let (given, most) = (tokens.len(), LIMIT - 1);
        return Err(fault(
            format!("path has {given} tokens; it may have {most}."),
            format!("path のトークンは {most} 個までです（{given} 個でした）。"),
        ));
    }
    let is_token = |token: &&str| {
        !token.is_empty() && token.len() <= TOKEN_LIMIT && !token.chars().any(|char| char.is_control() || char == ' ')
    };
    match tokens.iter().position(|token| !is_token(token)) {
        None => Ok(tokens),
        Some(at) => Err(fault(
            format!("Token {} of path is none; tokens stand between slashes, as in 0.roll=5/1.roll=3.", at + 1),
            format!("path の {} 番目がトークンではありません（例：0.roll=5/1.roll=3）。", at + 1),
        )),
    }
}

fn fault(en: String, ja: String) -> Problem {
    Problem::new(Kind::InvalidParameters, Text::new(en, ja))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_it_is_written() {
        let tokens = read("0.roll=5/1.roll=3").unwrap();
        assert_eq!(tokens, ["0.roll=5", "1.roll=3"]);
        assert_eq!(split(&join(&tokens)).collect::<Vec<_>>(), tokens);
        assert!(read("").unwrap().is_empty());
        for wrong in ["/", "0.roll=5/", "a//b", "a b", "a\u{0}", &"a/".repeat(300), &"x".repeat(500)] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_seat_of_a_token() {
        assert_eq!(seat("1.roll=3"), Seat::new(1));
        assert_eq!(seat("open=sword+mirror,demon+jewel"), None);
        assert_eq!(seat("fell=5"), None);
    }

    #[test]
    fn lines_have_names_of_their_own() {
        let names = [name("a", &["b", "c"]), name("a", &["bc"]), name("ab", &["c"]), name("a", &["b"])];
        assert!((0..4).all(|at| names[..at].iter().all(|other| *other != names[at])), "{names:?}");
    }
}
