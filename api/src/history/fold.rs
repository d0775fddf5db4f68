//! One finished match gone through, from its first event to its last.

use rules::seat::Seat;
use rules::table::{AnyTable, Cause, Head, Status, Step};
use serde_json::Value;
use sqlx::types::time::OffsetDateTime;
use uuid::Uuid;

use super::sheet::{Measure, Sheet};
use super::source::Finished;
use super::{games, line, options};

/// What matches are grouped by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group {
    /// The game's id.
    pub game: &'static str,
    /// How many seats.
    pub seats: i16,
    /// Who sat in them: `humans`, `bots` or `mixed`.
    pub composition: &'static str,
    /// See [`options::grouped`], as JSON with sorted keys.
    pub options: String,
}

impl Group {
    /// All matches of a game: what is asked without narrowing is then read in one.
    pub fn whole(game: &'static str) -> Self {
        Self { game, seats: 0, composition: "any", options: "{}".to_owned() }
    }
}

/// What comes of a match.
pub struct Folded {
    /// The match.
    pub id: Uuid,
    /// Whether it may be named to others than its players.
    pub listed: bool,
    /// When it ended.
    pub finished_at: OffsetDateTime,
    /// What it is grouped by.
    pub group: Group,
    /// What it adds to the counts.
    pub sheet: Sheet,
    /// Its line of play.
    pub line: Vec<String>,
    /// Whether each seat won.
    pub wins: Vec<bool>,
    /// Each registered player once, with the best rank of their seats.
    pub players: Vec<(Uuid, u8)>,
}

/// Goes through a match.
///
/// # Errors
/// What about it cannot be read.
pub fn fold(finished: &Finished) -> Result<Folded, String> {
    let game = finished.game.facts().id;
    let subject = games::of(game).ok_or_else(|| format!("{game} is not studied"))?;
    let mut study = (subject.study)(&finished.options)?;
    let mut table = finished.lay()?;
    let (mut sheet, mut line) = (Sheet::default(), Vec::new());
    let (mut decisions, mut started) = (0, None);
    for step in &finished.steps {
        if matches!(step.cause, Cause::Action | Cause::Bot | Cause::Clock) {
            decisions += 1;
            take_time(&*table, step, &mut sheet);
            study.decided(&*table, step, &mut sheet);
        }
        // Only what the table takes is studied: a study may rely on what the rules make certain.
        table.redo(step)?;
        for event in &step.events {
            let token = study.see(event, &finished.outcome, &mut sheet)?;
            line.extend(token.filter(|_| line.len() < line::LIMIT));
        }
        if started.is_none() && table.head().status != Status::Waiting {
            started = Some(step.at);
        }
    }
    if table.head().outcome.as_ref() != Some(&finished.outcome) {
        return Err("its log does not lead to its outcome".to_owned());
    }
    study.close(&mut sheet);

    let wins: Vec<_> = finished.outcome.ranks.iter().map(|&rank| rank == 1).collect();
    let won = |seat: Seat| wins.get(seat.index()).copied().unwrap_or_default();
    sheet.value(Measure::LENGTH, decisions);
    if let Some(started) = started {
        sheet.value(Measure::DURATION, table.head().now.millis_since(started).max(0).unsigned_abs());
    }
    for seat in table.head().count().seats() {
        sheet.count(Measure::SEAT, seat.to_string(), won(seat));
    }
    sheet.count(Measure::REASON, &*finished.outcome.reason, false);
    if let Some((token, seat)) = line.iter().find_map(|token| Some((token, line::seat(token)?))) {
        sheet.count(Measure::FIRST_MOVE, token, won(seat));
    }
    Ok(Folded {
        id: finished.id,
        listed: finished.listed,
        finished_at: finished.finished_at,
        group: group(finished, game),
        sheet,
        line,
        wins,
        players: players(finished, table.head()),
    })
}

/// How long the seat took for its decision, since it first owed it.
fn take_time(table: &dyn AnyTable, step: &Step, sheet: &mut Sheet) {
    let measure = match step.cause {
        Cause::Action => Measure::HUMAN_DECISION,
        Cause::Bot => Measure::BOT_DECISION,
        _ => return,
    };
    if let Some(since) = step.seat.and_then(|seat| table.head().seat(seat)?.owes_since) {
        sheet.value(measure, step.at.millis_since(since).max(0).unsigned_abs());
    }
}

fn group(finished: &Finished, game: &'static str) -> Group {
    let bots = finished.sitters.iter().filter(|sitter| sitter.is_bot).count();
    let composition = match bots {
        0 => "humans",
        _ if bots == finished.sitters.len() => "bots",
        _ => "mixed",
    };
    let options: Value = options::grouped(game, &finished.options);
    Group { game, seats: finished.sitters.len() as i16, composition, options: options.to_string() }
}

/// The registered players, each with the best rank of its seats. Who resigned stands behind all who did not: in a
/// match of more than two seats the bot played on for it, and what the bot gained is not the player's.
fn players(finished: &Finished, end: &Head) -> Vec<(Uuid, u8)> {
    let mut players: Vec<(Uuid, u8)> = Vec::new();
    for ((sitter, &rank), seat) in finished.sitters.iter().zip(&finished.outcome.ranks).zip(&end.seats) {
        let Some(player) = sitter.player else { continue };
        let rank = if seat.resigned { rank + end.seats.len() as u8 } else { rank };
        match players.iter_mut().find(|(known, _)| *known == player) {
            Some((_, best)) => *best = rank.min(*best),
            None => players.push((player, rank)),
        }
    }
    players
}
