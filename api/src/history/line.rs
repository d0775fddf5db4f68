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
/// So much of a text that cannot be read is repeated, in characters.
const REPEATED: usize = 40;

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
    match (1..).zip(&tokens).find_map(|(place, token)| Some(no_token(place, token, &fault_of(token)?))) {
        None => Ok(tokens),
        Some(problem) => Err(problem),
    }
}

/// Why a text is no token of any game.
fn fault_of(token: &str) -> Option<Text> {
    if token.contains(' ') {
        return Some(Text::fixed(
            "it holds a space. In a query + stands for a space: write + as %2B",
            "空白があります。クエリの + は空白を表すので、+ は %2B と書いてください",
        ));
    }
    let is_none = token.is_empty() || token.len() > TOKEN_LIMIT || token.chars().any(char::is_control);
    is_none.then_some(Text::fixed(
        "tokens stand between slashes, as in 0.roll=5/1.roll=3",
        "トークンは / で区切って 0.roll=5/1.roll=3 のように書きます",
    ))
}

fn no_token(place: usize, token: &str, why: &Text) -> Problem {
    let token = shown(token);
    fault(
        format!("Token {place} of path, “{token}”, is none; {}.", why.en),
        format!("path の {place} 番目の「{token}」はトークンではありません。{}。", why.ja),
    )
}

/// The beginning of a client's text, to be repeated in a message: what cannot be seen is escaped.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    for char in text.chars().take(REPEATED) {
        if char.is_control() { shown.extend(char.escape_default()) } else { shown.push(char) }
    }
    if text.chars().nth(REPEATED).is_some() {
        shown.push('…');
    }
    shown
}

fn fault(en: String, ja: String) -> Problem {
    Problem::new(Kind::InvalidParameters, Text::new(en, ja))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Language;

    #[test]
    fn a_path_is_read_as_it_is_written() {
        let tokens = read("0.roll=5/1.roll=3").unwrap();
        assert_eq!(tokens, ["0.roll=5", "1.roll=3"]);
        assert_eq!(split(&join(&tokens)).collect::<Vec<_>>(), tokens);
        assert!(read("").unwrap().is_empty());
        assert_eq!(read(&vec!["0.stop"; 199].join("/")).unwrap().len(), 199);
        for wrong in ["/", "0.roll=5/", "a//b", "a b", "a\u{0}", &"a/".repeat(300), &"x".repeat(500)] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_no_token_is_named_and_a_space_explained() {
        for (path, en, ja) in [
            (
                "0.stop/open=sword mirror,jewel demon",
                "Token 2 of path, “open=sword mirror,jewel demon”, is none; it holds a space. In a query + stands for \
                 a space: write + as %2B.",
                "path の 2 番目の「open=sword mirror,jewel demon」はトークンではありません。空白があります。クエリの + \
                 は空白を表すので、+ は %2B と書いてください。",
            ),
            (
                "a\u{0}\n",
                "Token 1 of path, “a\\u{0}\\n”, is none; tokens stand between slashes, as in 0.roll=5/1.roll=3.",
                "path の 1 番目の「a\\u{0}\\n」はトークンではありません。トークンは / で区切って 0.roll=5/1.roll=3 \
                 のように書きます。",
            ),
        ] {
            let problem = read(path).unwrap_err();
            let [told, said] = [Language::English, Language::Japanese].map(|language| {
                serde_json::to_value(problem.body(language)).unwrap()["detail"].as_str().unwrap().to_owned()
            });
            assert_eq!((told.as_str(), said.as_str()), (en, ja));
        }
        assert_eq!(shown(&"か".repeat(41)), format!("{}…", "か".repeat(40)));
    }

    #[test]
    fn the_seat_of_a_token() {
        assert_eq!(seat("1.roll=3"), Seat::new(1));
        assert_eq!(seat("open=sword+mirror,jewel+demon"), None);
        assert_eq!(seat("fell=5"), None);
    }

    #[test]
    fn lines_have_names_of_their_own() {
        let names = [name("a", &["b", "c"]), name("a", &["bc"]), name("ab", &["c"]), name("a", &["b"])];
        assert!((0..4).all(|at| names[..at].iter().all(|other| *other != names[at])), "{names:?}");
    }
}
