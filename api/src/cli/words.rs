//! `takujo words …`: the word service without a server and without a database.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use dictionary::search::MAX_LIMIT;
use dictionary::shiritori::{ChainRequest, NextOrder, NextRequest, RuleOptions};
use dictionary::{Class, ClassSet, Forms, Lexicon, Library, Order, OwnWords, Policy, SearchQuery, Spelling, trace};
use serde::Serialize;

use super::rule_args::{RuleArgs, named};
use crate::words::library::{DEFAULT, lay_over, open_file, standard};
use crate::words::show::WordVerdict;

/// Ask for words, without a server and without a database.
///
/// What is not given as an argument is read from the standard input, one question a line, and
/// each line is answered at once; an answer of several lines then ends in an empty one.
///
/// Ends with 0 where every answer is a yes: each is a word, each chain holds, each search finds
/// something. Ends with 1 where some answer is a no, with 2 where some question made no sense and
/// the standard error says why.
#[derive(Args)]
pub struct WordsArgs {
    /// The folder where the server keeps its data: the lexicon's file is kept there too.
    #[arg(long, env = "DATA_DIR", global = true)]
    data_dir: Option<PathBuf>,
    /// Another lexicon than the one in the program: a lexicon file or a data file (.tsv.zst).
    #[arg(long, value_name = "FILE", global = true)]
    lexicon: Option<PathBuf>,
    /// Words of your own, one reading a line, banned with `-` before them.
    #[arg(long, env = "OWN_WORDS", value_name = "FILE", global = true)]
    own_words: Option<PathBuf>,
    /// Print JSON as the server gives it, one object a line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Are these words? Prints the word, `valid` or why not, its spellings and its written forms.
    Check {
        /// The words, by reading or written form.
        words: Vec<String>,
        /// The word classes that count, with commas between [default: common, place, person,
        /// organization, proper].
        #[arg(long, value_delimiter = ',')]
        class: Option<Vec<Class>>,
    },
    /// Spell words in the 46 letters. Prints the word, its reading and its spellings.
    Normalize {
        /// The words in any kana.
        words: Vec<String>,
    },
    /// Find words. Prints each with its class and its written forms.
    Search(Search),
    /// What can come next? Prints each word with its class, its written forms and, in the order
    /// `fewest_answers`, how many answers it leaves.
    Next {
        /// The words of the game so far; the last is the one to follow. A line of the standard
        /// input is one game, with spaces between its words.
        words: Vec<String>,
        /// common, length or `fewest_answers`.
        #[arg(long, default_value = "common", value_parser = named::<NextOrder>)]
        order: NextOrder,
        /// How many words to give.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
        limit: u16,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// Does a chain hold? Prints the words that hold and what must follow, or what is wrong.
    Chain {
        /// The words of the chain. A line of the standard input is one chain, with spaces between
        /// its words.
        words: Vec<String>,
        #[command(flatten)]
        rules: RuleArgs,
    },
}

#[derive(Args)]
struct Search {
    /// What the words begin with, in kana. Without this and without another condition, one a line
    /// from the standard input.
    starts: Vec<String>,
    /// What they end in.
    #[arg(long)]
    ends_with: Option<String>,
    /// The rack: letters that they may use, each once.
    #[arg(long)]
    letters: Option<String>,
    /// Letters that they must have.
    #[arg(long)]
    contains: Option<String>,
    /// The fewest letters.
    #[arg(long)]
    min_length: Option<usize>,
    /// The most letters.
    #[arg(long)]
    max_length: Option<usize>,
    /// All letters must be different.
    #[arg(long)]
    distinct: bool,
    /// The word classes, with commas between.
    #[arg(long)]
    class: Option<String>,
    /// gojuon, length or common.
    #[arg(long, default_value = "gojuon", value_parser = named::<Order>)]
    order: Order,
    /// How many words to give; 0 for all.
    #[arg(long, default_value_t = 50)]
    limit: usize,
}

/// What an answer comes to, the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Yes,
    No,
    /// The question made no sense.
    Refused,
}

impl Outcome {
    fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

impl WordsArgs {
    /// Asks and prints.
    pub fn run(self) -> ExitCode {
        match self.answer() {
            Ok(outcome) => outcome.into(),
            // Whoever reads the answers has had enough.
            Err(error) if error.downcast_ref().is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe) => {
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("error: {error:#}");
                Outcome::Refused.into()
            }
        }
    }

    fn answer(self) -> anyhow::Result<Outcome> {
        let lexicon = open(self.data_dir, self.lexicon.as_deref(), self.own_words.as_deref())?;
        let mut desk = Desk { lexicon, json: self.json, out: io::stdout().lock() };
        match self.command {
            Command::Check { words, class } => {
                let classes = class.map_or(ClassSet::NOUNS, |classes| classes.into_iter().collect());
                each(words, |word| desk.check(word, Policy { classes }))
            }
            Command::Normalize { words } => each(words, |word| desk.normalize(word)),
            Command::Search(search) => desk.searches(search),
            Command::Next { words, order, limit, rules } => {
                let (rules, limit) = (RuleOptions::from(rules), Some(limit.into()));
                each_game(words, |used, last| {
                    let request = NextRequest { rules: rules.clone(), order, limit, ..NextRequest::default() };
                    let after = used.last().cloned();
                    desk.next(&NextRequest { after, used, ..request }, last)
                })
            }
            Command::Chain { words, rules } => {
                let rules = RuleOptions::from(rules);
                each_game(words, |words, last| {
                    let request = ChainRequest { words, rules: rules.clone(), ..ChainRequest::default() };
                    desk.chain(&request, last)
                })
            }
        }
    }
}

/// The lexicon that is asked, with the caller's own words over it.
fn open(data_dir: Option<PathBuf>, file: Option<&Path>, own: Option<&Path>) -> anyhow::Result<Lexicon> {
    let lexicon = match file {
        Some(path) => open_file(path)?,
        None => standard(&data_dir.unwrap_or_else(embedded_postgres::default_data_folder))?,
    };
    Ok(lay_over(Library::new(DEFAULT, lexicon), own)?.default_lexicon())
}

/// Answers every question, of the arguments or else of the standard input; the worst answer counts.
fn each(given: Vec<String>, mut answer: impl FnMut(&str) -> io::Result<Outcome>) -> anyhow::Result<Outcome> {
    let mut worst = Outcome::Yes;
    if given.is_empty() {
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line.with_context(|| format!("line {number} of the standard input cannot be read"))?;
            let question = line.trim();
            if !question.is_empty() {
                worst = worst.max(answer(question)?);
            }
        }
    }
    for question in given {
        worst = worst.max(answer(&question)?);
    }
    Ok(worst)
}

/// The same for games: the arguments are one, or each line is one. The answer is told whether an
/// empty line shall end it.
fn each_game(
    given: Vec<String>,
    mut answer: impl FnMut(Vec<String>, bool) -> io::Result<Outcome>,
) -> anyhow::Result<Outcome> {
    if !given.is_empty() {
        return Ok(answer(given, false)?);
    }
    each(given, |line| answer(line.split_whitespace().map(String::from).collect(), true))
}

/// Where questions are answered.
struct Desk<'o> {
    lexicon: Lexicon,
    json: bool,
    out: io::StdoutLock<'o>,
}

impl Desk<'_> {
    fn check(&mut self, word: &str, policy: Policy) -> io::Result<Outcome> {
        let own = OwnWords::default();
        let verdict = self.lexicon.judge(word, &policy, &own);
        let outcome = Outcome::of(verdict.valid);
        if self.json {
            let body = WordVerdict { lexicon: self.lexicon.version(), verdict };
            return print_json(&mut self.out, &body).map(|()| outcome);
        }
        let said = verdict.reason.map_or_else(|| "valid".to_owned(), |reason| name_of(&reason));
        let forms: BTreeSet<_> = verdict.entries.iter().flat_map(|entry| entry.forms.iter()).collect();
        let forms = Vec::from_iter(forms).join(",");
        writeln!(self.out, "{word}\t{said}\t{}\t{forms}", spelled(&verdict.spellings))?;
        Ok(outcome)
    }

    fn normalize(&mut self, word: &str) -> io::Result<Outcome> {
        match trace(word) {
            Err(fault) => {
                complain(word, fault);
                Ok(Outcome::No)
            }
            Ok(folded) if self.json => print_json(&mut self.out, &folded).map(|()| Outcome::Yes),
            Ok(folded) => {
                writeln!(self.out, "{word}\t{}\t{}", folded.hiragana, spelled(&folded.spellings))?;
                Ok(Outcome::Yes)
            }
        }
    }

    fn searches(&mut self, search: Search) -> anyhow::Result<Outcome> {
        let query = SearchQuery {
            starts_with: None,
            ends_with: search.ends_with,
            letters: search.letters,
            contains: search.contains,
            min_length: search.min_length,
            max_length: search.max_length,
            distinct: search.distinct.then_some(true),
            class: search.class,
            order: search.order,
            limit: None,
            cursor: None,
            lexicon: None,
        };
        // Everything that the words are narrowed to: only their order is none of it.
        let conditions = query != SearchQuery { order: query.order, ..SearchQuery::default() };
        let limit = if search.limit == 0 { usize::MAX } else { search.limit };
        if search.starts.is_empty() && conditions {
            return Ok(self.search(&query, limit, false)?);
        }
        let blank = search.starts.is_empty();
        each(search.starts, |start| {
            let query = SearchQuery { starts_with: Some(start.to_owned()), ..query.clone() };
            self.search(&query, limit, blank)
        })
    }

    /// Prints what is found, page by page.
    fn search(&mut self, query: &SearchQuery, limit: usize, blank: bool) -> io::Result<Outcome> {
        let own = OwnWords::default();
        let (mut cursor, mut left, mut found) = (None, limit, false);
        loop {
            let page = SearchQuery { limit: Some(left.min(MAX_LIMIT)), cursor, ..query.clone() };
            let page = match self.lexicon.search(&page, &own) {
                Ok(page) => page,
                Err(fault) => return Ok(refuse(query.starts_with.as_deref().unwrap_or("search"), fault)),
            };
            for word in &page.words {
                found = true;
                if self.json {
                    print_json(&mut self.out, word)?;
                } else {
                    print_word(&mut self.out, word.reading, word.class, word.forms, None)?;
                }
            }
            left -= page.words.len();
            cursor = page.next_cursor;
            if cursor.is_none() || left == 0 {
                break;
            }
        }
        if blank && !self.json {
            writeln!(self.out)?;
        }
        Ok(Outcome::of(found))
    }

    fn next(&mut self, request: &NextRequest, blank: bool) -> io::Result<Outcome> {
        let answer = match self.lexicon.next_words(request) {
            Ok(answer) => answer,
            Err(fault) => return Ok(refuse(request.after.as_deref().unwrap_or("next"), fault)),
        };
        if self.json {
            print_json(&mut self.out, &answer)?;
            return Ok(Outcome::of(!answer.dead_end));
        }
        for word in &answer.words {
            print_word(&mut self.out, &word.reading, word.class, word.forms, word.leaves)?;
        }
        if blank {
            writeln!(self.out)?;
        }
        Ok(Outcome::of(!answer.dead_end))
    }

    fn chain(&mut self, request: &ChainRequest, blank: bool) -> io::Result<Outcome> {
        let answer = match self.lexicon.check_chain(request) {
            Ok(answer) => answer,
            Err(fault) => return Ok(refuse(&request.words.join(" "), fault)),
        };
        if self.json {
            print_json(&mut self.out, &answer)?;
            return Ok(Outcome::of(answer.valid));
        }
        for word in &answer.words {
            writeln!(self.out, "{}\tvalid\t{}", word.input, word.readings.join(","))?;
        }
        if answer.unproven {
            writeln!(self.out, "unproven")?;
        }
        match &answer.first_error {
            None => writeln!(self.out, "next\t{}", answer.next_must_start_with.join(","))?,
            Some(error) => {
                let (word, reason) = (&request.words[error.index], name_of(&error.reason));
                writeln!(self.out, "{word}\t{reason}\t{}\t{}", error.expected.join(","), error.accepted.join(","))?;
            }
        }
        if blank {
            writeln!(self.out)?;
        }
        Ok(Outcome::of(answer.valid))
    }
}

/// Says on the standard error why a question has no answer.
fn complain(question: &str, fault: impl Display) {
    eprintln!("{question}: {fault}");
}

/// The same of a question that made no sense.
fn refuse(question: &str, fault: impl Display) -> Outcome {
    complain(question, fault);
    Outcome::Refused
}

fn print_json(out: &mut impl Write, body: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, body)?;
    writeln!(out)
}

fn print_word(
    out: &mut impl Write,
    reading: &str,
    class: Class,
    forms: Forms<'_>,
    leaves: Option<usize>,
) -> io::Result<()> {
    let leaves = leaves.map(|leaves| format!("\t{leaves}")).unwrap_or_default();
    writeln!(out, "{reading}\t{class}\t{}{leaves}", forms.iter().collect::<Vec<_>>().join(","))
}

fn spelled(spellings: &[Spelling]) -> String {
    spellings.iter().map(Spelling::to_string).collect::<Vec<_>>().join(",")
}

/// The name of a value in JSON.
fn name_of(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
