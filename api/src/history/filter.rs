//! Which matches a summary or the explorer is about.

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use rules::registry;
use rules::table::AnyGame;
use rules::text::{Text, counted};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use sqlx::PgPool;
use sqlx::types::time::{Date, OffsetDateTime, Time};
use std::fmt;
use std::future::{Ready, ready};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::store::{ALL, DAY, EVER, MONTH, month_of};
use super::{line, options};
use crate::games;
use crate::http::problem::Kind;
use crate::http::{Moment, Problem};
use crate::ids::PlayerId;
use crate::matches::store::to_db;
use crate::players::no_such;

/// The game in a path; one that there is not is not found.
pub struct PathGame(pub &'static dyn AnyGame);

impl FromRequest for PathGame {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = games::named(request.match_info().get("game").unwrap_or_default());
        ready(found.map(Self).map_err(|text| Problem::new(Kind::NotFound, text)))
    }
}

/// Who sits in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Composition {
    /// Humans alone.
    Humans,
    /// Bots alone.
    Bots,
    /// Both.
    Mixed,
}

impl Composition {
    /// The name in the database.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Humans => "humans",
            Self::Bots => "bots",
            Self::Mixed => "mixed",
        }
    }
}

/// What matches are narrowed to, as clients write it.
#[derive(Clone, Serialize, Deserialize, Default, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
#[schema(as = AnalyticsFilter)]
pub struct Asked {
    /// Only matches that ended at or after this time; a day stands for its first moment (UTC). Counts
    /// are kept by day: a time stands for the day that it lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(example = "2026-11-01")]
    #[schema(examples("2026-11-01"))]
    pub from: Option<String>,
    /// Only matches that ended before this time; a day stands for its first moment (UTC). Counts are
    /// kept by day: a time that is no first moment stands for the next day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(example = "2026-12-01")]
    #[schema(examples("2026-12-01"))]
    pub to: Option<String>,
    /// Only matches with these options: `name=value`, with commas between. A list or an object can
    /// be asked for as `default` or `other`, an option that is not set as `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(examples("tie_rule=draw,hands=true"))]
    pub options: Option<String>,
    /// Only matches in which this player held a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<Uuid>)]
    pub player: Option<PlayerId>,
    /// Only matches of so many seats.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "seat_count")]
    #[param(minimum = 2, maximum = 10)]
    #[schema(minimum = 2, maximum = 10)]
    pub seats: Option<u8>,
    /// Only matches of humans alone, of bots alone, or of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub composition: Option<Composition>,
}

/// The days that an answer is about (UTC), by the ends of the matches: those that lie in the time that
/// was asked for, in whole or in part.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalyticsDays)]
pub struct Days {
    /// The first of them; not there where `from` was not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("2026-11-01"), format = Date)]
    from: Option<String>,
    /// The first day after them; not there where `to` was not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("2026-12-01"), format = Date)]
    to: Option<String>,
}

/// What matches are narrowed to, checked and looked up.
pub struct Filter {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The groups that match in all but time and player, in order.
    pub groups: Vec<i32>,
    /// The groups whose counts add up to the same.
    pub counted: Vec<i32>,
    /// The player.
    pub player: Option<Uuid>,
    /// The first day.
    pub from: Option<Date>,
    /// The day after the last.
    pub to: Option<Date>,
}

/// Periods of one grain, from the first to before the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// See [`ALL`].
    pub grain: i16,
    /// The first period.
    pub from: Date,
    /// The first period that is not in it.
    pub to: Date,
}

impl Filter {
    /// Checks what was asked for and looks its groups up.
    ///
    /// # Errors
    /// [`Kind::InvalidParameters`] where a value cannot be.
    pub async fn of(pool: &PgPool, game: &'static dyn AnyGame, asked: &Asked) -> Result<Self, Problem> {
        let facts = game.facts();
        let options = options::read(game, asked.options.as_deref().unwrap_or_default())?;
        if let Some(seats) = asked.seats.filter(|seats| !facts.seats.contains(seats)) {
            let there = counted(&facts.seats);
            return Err(fault(
                format!("seats is {seats}; {} has {there}.", facts.id),
                format!("seats は{there:#}です（{seats} でした）。"),
            ));
        }
        if let Some(player) = asked.player {
            known_player(pool, player).await?;
        }
        let groups = groups(pool, facts.id, asked, &options).await?;
        let is_narrowed = options != Value::Object(Map::new()) || asked.seats.is_some() || asked.composition.is_some();
        let counted = if is_narrowed { groups.clone() } else { whole(pool, facts.id).await? };
        let filter = Self {
            game,
            groups,
            counted,
            player: asked.player.map(|player| player.0),
            from: asked.from.as_deref().map(|text| day("from", text, false)).transpose()?,
            to: asked.to.as_deref().map(|text| day("to", text, true)).transpose()?,
        };
        match (filter.from, filter.to) {
            (Some(from), Some(to)) if from >= to => Err(fault(
                format!("from ({from}) must come before to ({to}), which is the first day left out."),
                format!("from（{from}）は to（{to}）より前の日にしてください。to の日は含まれません。"),
            )),
            _ => Ok(filter),
        }
    }

    /// The days that its time is made of, as clients read them.
    pub fn days(&self) -> Days {
        let written = |day: Option<Date>| day.map(|day| day.to_string());
        Days { from: written(self.from), to: written(self.to) }
    }

    /// The periods that its time is made of, in as few rows as there can be.
    pub fn spans(&self) -> Vec<Span> {
        let (from, to) = (self.from.unwrap_or(EVER), self.to.unwrap_or(Date::MAX));
        if self.from.is_none() && self.to.is_none() {
            return vec![Span { grain: ALL, from: EVER, to: Date::MAX }];
        }
        // The whole months in the middle, days before and after them.
        let first = if month_of(from) == from { from } else { next_month(from) };
        let last = month_of(to);
        let spans = if first >= last {
            vec![Span { grain: DAY, from, to }]
        } else {
            vec![
                Span { grain: DAY, from, to: first },
                Span { grain: MONTH, from: first, to: last },
                Span { grain: DAY, from: last, to },
            ]
        };
        spans.into_iter().filter(|span| span.from < span.to).collect()
    }

    /// Whether it takes a match of this group that ended then.
    pub fn takes(&self, group: i32, finished_at: OffsetDateTime) -> bool {
        let day = finished_at.date();
        self.groups.binary_search(&group).is_ok()
            && self.from.is_none_or(|from| from <= day)
            && self.to.is_none_or(|to| day < to)
    }

    /// Whether its time is made of whole months.
    pub fn is_of_months(&self) -> bool {
        [self.from, self.to].into_iter().flatten().all(|day| month_of(day) == day)
    }
}

/// The first day of the month after a date's: no month has more than 31 days.
fn next_month(date: Date) -> Date {
    Date::from_julian_day(month_of(date).to_julian_day() + 31).map_or(Date::MAX, month_of)
}

/// Reads a day, or a time as its day: that which it lies in, or the first that is wholly after it.
fn day(name: &str, text: &str, up: bool) -> Result<Date, Problem> {
    let time = text.parse::<Moment>().map(|moment| to_db(moment.0)).ok();
    let next = |time: OffsetDateTime| up && time.time() != Time::MIDNIGHT;
    let day = time.and_then(|time| if next(time) { time.date().next_day() } else { Some(time.date()) });
    day.filter(|day| (1970..=9998).contains(&day.year())).ok_or_else(|| {
        let shown = line::shown(text);
        let right = if text.contains(' ') {
            Text::fixed(
                "in a query + stands for a space: write the + of an offset as %2B",
                "クエリの + は空白を表すので、時差の + は %2B と書いてください",
            )
        } else {
            Text::fixed("write 2026-11-30, or a time with its offset", "例：2026-11-30")
        };
        fault(
            format!("{name}: “{shown}” is no day from 1970 to 9998; {}.", right.en),
            format!("{name}：「{shown}」は 1970 年から 9998 年までの日ではありません（{}）。", right.ja),
        )
    })
}

/// Reads how many seats; which a game has is known later.
///
/// # Errors
/// Where it is no number that a match of any game can have.
pub fn seat_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    struct SeatCount;

    impl Visitor<'_> for SeatCount {
        type Value = u8;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let seats = || registry::games().into_iter().map(|game| &game.facts().seats);
            let fewest = seats().map(|seats| *seats.start()).min().unwrap_or_default();
            let most = seats().map(|seats| *seats.end()).max().unwrap_or_default();
            let (en, ja) =
                (format!("a whole number from {fewest} to {most}"), format!("{fewest} から {most} までの整数"));
            fmt::Display::fmt(&Text::new(en, ja), f)
        }

        fn visit_u8<E>(self, seats: u8) -> Result<u8, E> {
            Ok(seats)
        }
    }

    deserializer.deserialize_u8(SeatCount).map(Some)
}

async fn known_player(pool: &PgPool, player: PlayerId) -> Result<(), Problem> {
    let known =
        sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM players WHERE player_id = $1) AS "known!""#, player.0,)
            .fetch_one(pool)
            .await?;
    if known {
        return Ok(());
    }
    Err(Problem::new(Kind::InvalidParameters, no_such(player)))
}

/// The group of all matches of a game; none before the first has ended.
async fn whole(pool: &PgPool, game: &str) -> Result<Vec<i32>, sqlx::Error> {
    sqlx::query_scalar!("SELECT group_id FROM history.groups WHERE game = $1 AND composition = 'any'", game)
        .fetch_all(pool)
        .await
}

async fn groups(pool: &PgPool, game: &str, asked: &Asked, options: &Value) -> Result<Vec<i32>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT group_id FROM history.groups
         WHERE game = $1 AND composition <> 'any' AND options @> $2
           AND ($3::smallint IS NULL OR seats = $3) AND ($4::text IS NULL OR composition = $4)
         ORDER BY group_id",
        game,
        options,
        asked.seats.map(i16::from),
        asked.composition.map(Composition::as_str),
    )
    .fetch_all(pool)
    .await
}

fn fault(en: String, ja: String) -> Problem {
    Problem::new(Kind::InvalidParameters, Text::new(en, ja))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Language;

    fn spans(from: Option<&str>, to: Option<&str>) -> Vec<(i16, String, String)> {
        let read = |text: &str| day("from", text, false).unwrap();
        let game = registry::game("hachiku").unwrap();
        let filter =
            Filter { game, groups: vec![], counted: vec![], player: None, from: from.map(read), to: to.map(read) };
        filter.spans().into_iter().map(|span| (span.grain, span.from.to_string(), span.to.to_string())).collect()
    }

    fn span(grain: i16, from: &str, to: &str) -> (i16, String, String) {
        (grain, from.to_owned(), to.to_owned())
    }

    #[test]
    fn a_time_stands_for_a_day() {
        let read = |text, up| day("from", text, up).map(|day| day.to_string());
        assert_eq!(read("2026-11-30", true).unwrap(), "2026-11-30");
        assert_eq!(read("2026-11-30T00:00:00Z", true).unwrap(), "2026-11-30");
        assert_eq!(read("2026-11-30T13:00:00+09:00", false).unwrap(), "2026-11-30");
        assert_eq!(read("2026-11-30T13:00:00Z", true).unwrap(), "2026-12-01");
        for wrong in ["", "yesterday", "2026-13-01", "2026-11-31", "9999-01-01", "1969-12-31", "2026-11-30 12"] {
            assert_eq!(day("from", wrong, false).unwrap_err().kind(), Kind::InvalidParameters, "{wrong}");
        }
        for (language, told) in [(Language::English, "write the + of an offset as %2B"), (Language::Japanese, "%2B と")]
        {
            let problem = day("to", "2026-11-30T13:00:00 09:00", true).unwrap_err();
            let detail = serde_json::to_value(problem.body(language)).unwrap()["detail"].to_string();
            assert!(detail.starts_with("\"to") && detail.contains(told), "{detail}");
        }
    }

    #[test]
    fn a_time_is_whole_months_and_the_days_around_them() {
        assert_eq!(spans(None, None).len(), 1);
        assert_eq!(
            spans(Some("2025-11-20"), Some("2026-02-03")),
            [
                span(DAY, "2025-11-20", "2025-12-01"),
                span(MONTH, "2025-12-01", "2026-02-01"),
                span(DAY, "2026-02-01", "2026-02-03")
            ]
        );
        assert_eq!(spans(Some("2026-02-03"), Some("2026-02-05")), [span(DAY, "2026-02-03", "2026-02-05")]);
        assert_eq!(spans(Some("2026-01-31"), Some("2026-02-01")), [span(DAY, "2026-01-31", "2026-02-01")]);
        assert_eq!(spans(Some("2026-01-01"), Some("2026-02-01")), [span(MONTH, "2026-01-01", "2026-02-01")]);
        let open = spans(Some("2026-01-15"), None);
        assert_eq!(open[0], span(DAY, "2026-01-15", "2026-02-01"));
        assert_eq!((open[1].0, open[1].1.as_str()), (MONTH, "2026-02-01"));
    }
}
