//! Which matches a command is about.

use clap::Args;
use rules::table::AnyGame;
use rules::text::Text;

use crate::games;
use crate::http::{Moment, TimeRange};

#[derive(Args)]
pub(super) struct SelectionArgs {
    /// Only matches of this game, such as `kamudakara`.
    #[arg(long, value_parser = games::named)]
    game: Option<&'static dyn AnyGame>,
    /// Only matches created at or after this time, such as 2026-11-01T12:00:00Z or 2026-11-01, which
    /// is its first moment (UTC).
    #[arg(long, value_name = "TIME")]
    from: Option<Moment>,
    /// Only matches created before this time.
    #[arg(long, value_name = "TIME")]
    to: Option<Moment>,
}

impl SelectionArgs {
    /// The game's id.
    pub fn game(&self) -> Option<&'static str> {
        self.game.map(|game| game.facts().id)
    }

    /// When they were created.
    ///
    /// # Errors
    /// Where no match can have been.
    pub fn created(&self) -> Result<TimeRange, Text> {
        TimeRange::new(self.from, self.to)
    }
}
