//! Matches counted, by game, for `/metrics`.

use metrics::{Unit, counter, describe_counter};

const CREATED: &str = "takujo_matches_created_total";
const FINISHED: &str = "takujo_matches_finished_total";

/// Says what is counted.
pub fn describe() {
    describe_counter!(CREATED, Unit::Count, "Matches created by this process, by game");
    describe_counter!(FINISHED, Unit::Count, "Matches whose end this process has committed, by game");
}

/// Counts a match that was created.
pub fn created(game: &'static str) {
    counter!(CREATED, "game" => game).increment(1);
}

/// Counts a match that was ended.
pub fn finished(game: &'static str) {
    counter!(FINISHED, "game" => game).increment(1);
}
