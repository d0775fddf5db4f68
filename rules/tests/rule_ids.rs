//! Every rule has an id, and the id stands wherever the rule does: in the page that tells the rules, in
//! a test, in the refusals.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rules::registry::games;
use rules::table::TABLE_RULES;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The text files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn texts(folder: &str, wanted: impl Fn(&Path) -> bool) -> Vec<String> {
    let files = files(&Path::new(CRATE).join(folder));
    files.iter().filter(|path| wanted(path)).map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("cases.csv")
}

/// What a test does, without what its comments say. The table of cases keeps its comments: each is
/// the case's own.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect()
}

/// Whether a test names the rule: by its id, or by beginning with it as names in Rust do.
fn names(text: &str, id: &str) -> bool {
    let whole =
        |found: &str, end: &[char]| text.match_indices(found).any(|(at, _)| text[at + found.len()..].starts_with(end));
    let (game, rule) = id.split_once('.').unwrap();
    let rule = rule.replace('-', "_");
    let end_of_id = ['`', '"', ' ', ')', ',', ':', ';', '.', '\n'];
    whole(id, &end_of_id)
        || whole(&format!("fn {rule}"), &['_', '('])
        || whole(&format!("fn {game}_{rule}"), &['_', '('])
        || whole(&format!("fn rule_{game}_{rule}"), &['_', '('])
}

/// What stands between backquotes or double quotes and has the form of a rule's id.
fn quoted(text: &str, quote: char, prefix: &str) -> BTreeSet<String> {
    let is_id = |part: &&str| {
        part.strip_prefix(prefix).is_some_and(|rule| {
            !rule.is_empty() && rule.chars().all(|c| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit())
        })
    };
    text.split(quote).filter(is_id).map(str::to_owned).collect()
}

/// A game's rules with the prefix of their ids.
fn rules_by_game() -> impl Iterator<Item = (&'static str, String, BTreeSet<String>)> {
    games().into_iter().map(|game| {
        let facts = game.facts();
        let ids: BTreeSet<_> = facts.rules.iter().map(|rule| rule.id.to_owned()).collect();
        let (prefix, _) = facts.rules[0].id.split_once('.').unwrap();
        (facts.id, format!("{prefix}."), ids)
    })
}

#[test]
fn every_rule_is_named_by_a_test() {
    let tests = |folder: &str, wanted: fn(&Path) -> bool| {
        texts(folder, wanted).iter().map(|text| code(text)).collect::<Vec<_>>()
    };
    let tables = tests("tests", |_| true);
    let mut nameless = Vec::new();
    for (game, _, ids) in rules_by_game() {
        let tests = tests(&format!("src/{game}"), is_test);
        nameless.extend(ids.into_iter().filter(|id| !tests.iter().any(|text| names(text, id))));
    }
    let of_tables = TABLE_RULES.iter().map(|rule| rule.id.to_owned());
    nameless.extend(of_tables.filter(|id| !tables.iter().any(|text| names(text, id))));
    assert_eq!(nameless, [] as [&str; 0]);
}

#[test]
fn every_rule_stands_in_the_page_of_its_game_and_no_other() {
    for (game, prefix, ids) in rules_by_game() {
        let page = fs::read_to_string(Path::new(CRATE).join(format!("../docs/rules/{game}.md"))).unwrap();
        assert_eq!(quoted(&page, '`', &prefix), ids, "docs/rules/{game}.md");
    }
}

#[test]
fn refusals_name_rules_that_there_are() {
    for (game, prefix, ids) in rules_by_game() {
        let source = texts(&format!("src/{game}"), |path| path.extension().is_some_and(|end| end == "rs"));
        let named: BTreeSet<_> = source.iter().flat_map(|text| quoted(text, '"', &prefix)).collect();
        assert_eq!(named.difference(&ids).collect::<Vec<_>>(), [] as [&str; 0], "{game}");
    }
}
