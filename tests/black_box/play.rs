//! Matches of every game, played by the first test that comes along.

use serde_json::{Value, json};

use crate::server::{Match, Server};

/// Every game with the fewest seats it takes.
pub const GAMES: [(&str, usize); 5] =
    [("hachiku", 2), ("twenty_one", 2), ("kamudakara", 2), ("salamander", 2), ("sainokawara", 3)];

/// A small generator, so that a failing test fails again.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}

/// The body that creates a match of so many human seats.
pub fn humans(game: &str, seats: usize) -> Value {
    json!({"game": game, "seats": vec![json!({}); seats]})
}

/// A match of each game, some actions after its start.
pub async fn one_of_each(server: &Server, actions: usize) -> Vec<Match<'_>> {
    let mut matches = Vec::new();
    for (game, seats) in GAMES {
        let table = server.create(&humans(game, seats)).await;
        play(&table, &mut Random::new(7), actions).await;
        matches.push(table);
    }
    matches
}

/// Plays up to so many random legal actions; false once the match is over.
pub async fn play(table: &Match<'_>, random: &mut Random, actions: usize) -> bool {
    for _ in 0..actions {
        if !play_one(table, random).await {
            return false;
        }
    }
    true
}

/// Plays one random legal action; false once the match is over.
pub async fn play_one(table: &Match<'_>, random: &mut Random) -> bool {
    let now = table.public().await;
    if now["status"] == "finished" {
        return false;
    }
    let owing = now["to_act"].as_array().unwrap();
    let seat = owing[random.below(owing.len())].as_u64().unwrap() as usize;
    let legal = table.legal(seat).await;
    let action = legal[random.below(legal.len())].clone();
    table.act(seat, action.clone()).await.expect(200);
    true
}

/// Every answer that every viewer can get about a match, byte for byte.
pub async fn all_that_is_seen(table: &Match<'_>) -> Vec<String> {
    let mut seen = Vec::new();
    let viewers = table.tokens.iter().map(|token| Some(token.as_str())).chain([None]);
    for token in viewers {
        for part in ["", "/events", "/legal-actions?words=false", "/at/1", "/record"] {
            seen.push(table.server.get(&format!("{}{part}", table.path), token).await.text);
        }
    }
    seen
}
