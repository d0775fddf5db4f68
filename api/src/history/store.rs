//! Folded matches added up in the database.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use sqlx::PgConnection;
use sqlx::types::time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::fold::{Folded, Group};
use super::line::{self, DEPTH};
use super::sheet::Tally;

/// How finely counts are kept: 0 all time, 1 a month, 2 a day.
pub const ALL: i16 = 0;
/// See [`ALL`].
pub const MONTH: i16 = 1;
/// See [`ALL`].
pub const DAY: i16 = 2;

/// The period of counts of all time.
pub const EVER: Date = OffsetDateTime::UNIX_EPOCH.date();

/// So many listed matches are kept as examples of a move, the newest.
const SAMPLES: usize = 3;

/// The first day of a date's month.
pub fn month_of(date: Date) -> Date {
    date.replace_day(1).unwrap_or(date)
}

/// Adds matches to everything that is kept of them. All rows are written in the order of their keys,
/// so that two transactions wait for each other instead of locking each other out.
///
/// # Errors
/// Where the database is away or refuses a row.
pub async fn add(connection: &mut PgConnection, matches: &[Folded]) -> Result<(), sqlx::Error> {
    let groups = groups(connection, matches).await?;
    let grouped: Vec<_> = matches.iter().filter_map(|folded| Some((*groups.get(&folded.group)?, folded))).collect();
    let whole = |folded: &Folded| groups.get(&Group::whole(folded.group.game)).copied();
    let twice = grouped.iter().flat_map(|&(group, folded)| [Some(group), whole(folded)].map(|group| (group, folded)));
    let counted: Vec<_> = twice.filter_map(|(group, folded)| Some((group?, folded))).collect();
    add_counts(connection, &counted).await?;
    add_moves(connection, &grouped).await?;
    add_lines(connection, &grouped).await?;
    add_players(connection, matches).await
}

/// The ids of the groups of these matches; those that are new are made.
async fn groups(connection: &mut PgConnection, matches: &[Folded]) -> Result<HashMap<Group, i32>, sqlx::Error> {
    let own = matches.iter().map(|folded| folded.group.clone());
    let whole = matches.iter().map(|folded| Group::whole(folded.group.game));
    let groups: BTreeSet<_> = own.chain(whole).collect();
    let games: Vec<_> = groups.iter().map(|group| group.game.to_owned()).collect();
    let seats: Vec<_> = groups.iter().map(|group| group.seats).collect();
    let compositions: Vec<_> = groups.iter().map(|group| group.composition.to_owned()).collect();
    let options: Vec<_> = groups.iter().map(|group| group.options.clone()).collect();
    sqlx::query!(
        "INSERT INTO history.groups (game, seats, composition, options)
         SELECT game, seats, composition, options::jsonb
         FROM UNNEST($1::text[], $2::smallint[], $3::text[], $4::text[]) AS new (game, seats, composition, options)
         WHERE NOT EXISTS (SELECT FROM history.groups known
                           WHERE known.game = new.game AND known.seats = new.seats
                             AND known.composition = new.composition
                             AND md5(known.options::text) = md5(new.options::jsonb::text))
         ON CONFLICT DO NOTHING",
        &games,
        &seats,
        &compositions,
        &options,
    )
    .execute(&mut *connection)
    .await?;
    let ids = sqlx::query_scalar!(
        r#"SELECT known.group_id FROM
           UNNEST($1::text[], $2::smallint[], $3::text[], $4::text[])
               WITH ORDINALITY AS wanted (game, seats, composition, options, place)
           JOIN history.groups known
             ON known.game = wanted.game AND known.seats = wanted.seats AND known.composition = wanted.composition
            AND md5(known.options::text) = md5(wanted.options::jsonb::text)
           ORDER BY place"#,
        &games,
        &seats,
        &compositions,
        &options,
    )
    .fetch_all(connection)
    .await?;
    Ok(groups.into_iter().zip(ids).collect())
}

async fn add_counts(connection: &mut PgConnection, matches: &[(i32, &Folded)]) -> Result<(), sqlx::Error> {
    let mut counts: BTreeMap<(i32, i16, Date, &str, &str), Tally> = BTreeMap::new();
    for (group, folded) in matches {
        let day = folded.finished_at.date();
        for (measure, key, tally) in folded.sheet.iter() {
            for (grain, period) in [(ALL, EVER), (MONTH, month_of(day)), (DAY, day)] {
                counts.entry((*group, grain, period, measure.0, key)).or_default().add(tally);
            }
        }
    }
    let (mut groups, mut grains, mut periods) = (Vec::new(), Vec::new(), Vec::new());
    let (mut measures, mut keys) = (Vec::new(), Vec::new());
    let (mut ns, mut hits, mut sums, mut squares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for ((group, grain, period, measure, key), tally) in counts {
        groups.push(group);
        grains.push(grain);
        periods.push(period);
        measures.push(measure.to_owned());
        keys.push(key.to_owned());
        ns.push(tally.n);
        hits.push(tally.hits);
        sums.push(tally.sum);
        squares.push(tally.squares);
    }
    sqlx::query!(
        "INSERT INTO history.counts AS old (group_id, grain, period, measure, key, n, hits, sum, squares)
         SELECT * FROM UNNEST($1::int[], $2::smallint[], $3::date[], $4::text[], $5::text[],
                              $6::bigint[], $7::bigint[], $8::float8[], $9::float8[])
         ON CONFLICT (group_id, grain, period, measure, key) DO UPDATE
         SET n = old.n + excluded.n, hits = old.hits + excluded.hits,
             sum = old.sum + excluded.sum, squares = old.squares + excluded.squares",
        &groups,
        &grains,
        &periods,
        &measures,
        &keys,
        &ns,
        &hits,
        &sums,
        &squares,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A move that followed a line.
#[derive(Default)]
struct Next {
    n: i64,
    wins: Vec<i64>,
    samples: Vec<Uuid>,
}

async fn add_moves(connection: &mut PgConnection, matches: &[(i32, &Folded)]) -> Result<(), sqlx::Error> {
    let mut moves: BTreeMap<(Uuid, i32, Date, &str), Next> = BTreeMap::new();
    let mut newest_first = matches.to_vec();
    newest_first.sort_unstable_by_key(|(_, folded)| Reverse(folded.id));
    for (group, folded) in &newest_first {
        let month = month_of(folded.finished_at.date());
        for depth in 0..=DEPTH.min(folded.line.len()) {
            let path = line::name(folded.group.game, &folded.line[..depth]);
            let token = folded.line.get(depth).map_or("", String::as_str);
            let next = moves.entry((path, *group, month, token)).or_default();
            next.n += 1;
            next.wins.resize(folded.wins.len(), 0);
            next.wins.iter_mut().zip(&folded.wins).for_each(|(wins, won)| *wins += i64::from(*won));
            if folded.listed && next.samples.len() < SAMPLES {
                next.samples.push(folded.id);
            }
        }
    }
    let (mut paths, mut groups, mut months, mut tokens) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut ns, mut wins, mut samples) = (Vec::new(), Vec::new(), Vec::new());
    for ((path, group, month, token), next) in moves {
        paths.push(path);
        groups.push(group);
        months.push(month);
        tokens.push(token.to_owned());
        ns.push(next.n);
        wins.push(array(&next.wins));
        samples.push(array(&next.samples));
    }
    sqlx::query!(
        "INSERT INTO history.moves AS old (path, group_id, month, token, n, wins, samples)
         SELECT path, group_id, month, token, n, wins::bigint[], samples::uuid[]
         FROM UNNEST($1::uuid[], $2::int[], $3::date[], $4::text[], $5::bigint[], $6::text[], $7::text[])
              AS new (path, group_id, month, token, n, wins, samples)
         ON CONFLICT (path, group_id, month, token) DO UPDATE
         SET n = old.n + excluded.n,
             wins = ARRAY(SELECT before + more FROM UNNEST(old.wins, excluded.wins) AS seat (before, more)),
             samples = ARRAY(SELECT sample FROM UNNEST(excluded.samples || old.samples) AS sample
                             ORDER BY sample DESC LIMIT 3)",
        &paths,
        &groups,
        &months,
        &tokens,
        &ns,
        &wins,
        &samples,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// An array as PostgreSQL reads it: its parameters have no arrays of arrays of different lengths.
fn array<T: ToString>(values: &[T]) -> String {
    format!("{{{}}}", values.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

async fn add_lines(connection: &mut PgConnection, matches: &[(i32, &Folded)]) -> Result<(), sqlx::Error> {
    let ids: Vec<_> = matches.iter().map(|(_, folded)| folded.id).collect();
    let games: Vec<_> = matches.iter().map(|(_, folded)| folded.group.game.to_owned()).collect();
    let groups: Vec<_> = matches.iter().map(|(group, _)| *group).collect();
    let ends: Vec<_> = matches.iter().map(|(_, folded)| folded.finished_at).collect();
    let listed: Vec<_> = matches.iter().map(|(_, folded)| folded.listed).collect();
    let winners = matches.iter().map(|(_, folded)| {
        let seats = (0_i16..).zip(&folded.wins).filter_map(|(seat, won)| won.then_some(seat));
        array(&seats.collect::<Vec<_>>())
    });
    let winners: Vec<_> = winners.collect();
    let prefix = |folded: &Folded| line::name(folded.group.game, &folded.line[..DEPTH.min(folded.line.len())]);
    let prefixes: Vec<_> = matches.iter().map(|(_, folded)| prefix(folded)).collect();
    let lines: Vec<_> = matches.iter().map(|(_, folded)| line::join(&folded.line)).collect();
    let sheets: Vec<_> =
        matches.iter().map(|(_, folded)| (!folded.players.is_empty()).then(|| folded.sheet.to_json())).collect();
    sqlx::query!(
        "INSERT INTO history.lines (match_id, game, group_id, finished_at, listed, winners, prefix, line, sheet)
         SELECT match_id, game, group_id, finished_at, listed, winners::smallint[], prefix, line, sheet
         FROM UNNEST($1::uuid[], $2::text[], $3::int[], $4::timestamptz[], $5::bool[], $6::text[], $7::uuid[],
                     $8::text[], $9::jsonb[])
              AS new (match_id, game, group_id, finished_at, listed, winners, prefix, line, sheet)",
        &ids,
        &games,
        &groups,
        &ends,
        &listed,
        &winners,
        &prefixes,
        &lines,
        &sheets as &[Option<serde_json::Value>],
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes whose matches these were, and which of them are to be rated: those between two or more
/// registered players.
async fn add_players(connection: &mut PgConnection, matches: &[Folded]) -> Result<(), sqlx::Error> {
    let (mut players, mut games, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    for folded in matches {
        for (player, _) in &folded.players {
            players.push(*player);
            games.push(folded.group.game.to_owned());
            ids.push(folded.id);
        }
    }
    if players.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "INSERT INTO history.participants (player_id, game, match_id)
         SELECT * FROM UNNEST($1::uuid[], $2::text[], $3::uuid[])",
        &players,
        &games,
        &ids,
    )
    .execute(&mut *connection)
    .await?;
    let rated: Vec<_> = matches.iter().filter(|folded| folded.players.len() > 1).collect();
    let ends: Vec<_> = rated.iter().map(|folded| folded.finished_at).collect();
    let ids: Vec<_> = rated.iter().map(|folded| folded.id).collect();
    let games: Vec<_> = rated.iter().map(|folded| folded.group.game.to_owned()).collect();
    let column = |of: fn(&(Uuid, u8)) -> String| -> Vec<_> {
        rated.iter().map(|folded| array(&folded.players.iter().map(of).collect::<Vec<_>>())).collect()
    };
    let players = column(|(player, _)| player.to_string());
    let ranks = column(|(_, rank)| rank.to_string());
    sqlx::query!(
        "INSERT INTO history.unrated (finished_at, match_id, game, players, ranks)
         SELECT finished_at, match_id, game, players::uuid[], ranks::smallint[]
         FROM UNNEST($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[])
              AS new (finished_at, match_id, game, players, ranks)",
        &ends,
        &ids,
        &games,
        &players,
        &ranks,
    )
    .execute(connection)
    .await?;
    Ok(())
}
