//! A history: whole matches that the built-in bots play, loaded in bulk.

use std::sync::Arc;

use rules::chance::Key;
use rules::game::Level;
use rules::registry;
use rules::table::Player;
use rules::time::Timestamp;
use serde_json::{Value, json};
use takujo::ids::MatchId;
use takujo::matches::facts::{Facts, SeatOrder};
use takujo::matches::store::bulk::{Fate, Finished, FinishedSeat, load};

use crate::play::GAMES;
use crate::server::LEXICON;

/// 2026-10-31T23:59:00Z: a minute before a month ends.
pub const EVE: i64 = 1_793_491_140_000;
/// A day, in milliseconds.
pub const DAY: i64 = 24 * 3600 * 1000;

/// Names that a format could stumble over.
pub const NAMES: [&str; 4] = ["先生", "O'Brien, \"Bob\"", "a;b\\c\u{3000}é", "👩‍👩‍👧=1+1"];

/// A match of a game between easy bots, created at an instant; the same for the same number.
pub fn played(game: &str, seats: usize, number: u64, created: i64) -> Finished {
    let mut random = [0; 10];
    random[2..].copy_from_slice(&number.to_be_bytes());
    let id = uuid::Builder::from_unix_timestamp_millis(created.cast_unsigned(), &random).into_uuid();
    let mut server_seed = [7; 32];
    server_seed[..8].copy_from_slice(&number.to_be_bytes());
    let mut facts = Facts {
        id: MatchId(id),
        game: registry::game(game).unwrap(),
        options: Arc::new(options(game)),
        rules_version: registry::game(game).unwrap().facts().rules_version as i32,
        lexicon_version: LEXICON.version().to_owned(),
        seat_order: SeatOrder::AsGiven,
        turn_seconds: number.is_multiple_of(2).then_some(60),
        listed: true,
        analysis: true,
        sandbox: None,
        server_seed,
        created_at: Timestamp::from_millis(created),
    };
    let player = Player::Bot(Level::Easy);
    let names = NAMES.iter().cycle().skip(number as usize % NAMES.len());
    let seated: Vec<(Arc<str>, Player)> = names.take(seats).map(|name| (Arc::from(*name), player)).collect();
    let entropy = number.to_be_bytes().to_vec();
    let mut table = facts.lay(seated.clone()).unwrap();
    table.set_chance(Key::derive(&server_seed, id.as_bytes(), seated.iter().map(|_| entropy.as_slice())));
    let mut steps = vec![table.start(facts.created_at, &LEXICON).unwrap()];
    while table.head().outcome.is_none() {
        let at = table.head().now.plus_millis(1_250);
        let is_due = |due: &Timestamp| *due <= at || table.head().bot_to_act().is_none();
        let step = match table.due().filter(is_due) {
            Some(due) => table.expire(due, &LEXICON),
            None => table.bot_step(at, &LEXICON),
        };
        steps.push(step.unwrap_or_else(|| panic!("{game} {number} stands still")));
    }
    let outcome = table.head().outcome.clone().unwrap();
    let seats = seated
        .into_iter()
        .map(|(name, player)| FinishedSeat { name, player, player_id: None, opened: false, entropy: entropy.clone() })
        .collect();
    Finished { facts, seats, steps, outcome }
}

/// Options under which matches are short.
fn options(game: &str) -> Value {
    match game {
        "hachiku" => json!({"preset": "easy"}),
        _ => json!({}),
    }
}

/// So many matches of each game, a quarter of a day between one and the next.
pub fn history(each: u64) -> Vec<Finished> {
    let mut matches = Vec::new();
    for number in 0..each {
        for (game, seats) in GAMES {
            let created = EVE + matches.len() as i64 * (DAY / 4);
            matches.push(played(game, seats, number * 10 + matches.len() as u64 % 10, created));
        }
    }
    matches
}

/// A database with these matches in it, and its address.
pub async fn database_of(matches: &[Finished]) -> (String, sqlx::PgPool) {
    let url = crate::server::database().await;
    let pool = takujo::startup::database(url.parse().unwrap(), 4).await.unwrap();
    let fates = load(&pool, matches).await.unwrap();
    assert!(fates.iter().all(|fate| *fate == Fate::Written), "{fates:?}");
    (url, pool)
}
