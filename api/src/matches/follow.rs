//! Following a match: what a reader is told, message by message, in whatever form it is written.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rules::seat::{Seat, SeatSet, Viewer};
use rules::table::Status;
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;
use utoipa::{IntoParams, ToSchema};

use super::desk::{Desk, now};
use super::live::Live;
use super::presence::Attendance;
use super::recent::{self, Telling};
use super::store::load;
use crate::http::Problem;
use crate::http::problem::Kind;
use crate::http::slots::Slot;

/// How often a reader is told that the server is alive.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long until a copy that cannot be had, as the database is away, is asked for again.
const RETRY: Duration = Duration::from_secs(1);
/// How many steps are read from the database at a time: what a reader that takes nothing can hold.
const PAGE: u32 = 50;

/// Where a reader begins.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Start {
    /// Begin after this `seq`, as `Last-Event-ID` does; without either, after the newest event.
    #[param(value_type = Option<u64>, maximum = 4_294_967_295_u64, example = 0)]
    pub after: Option<u32>,
    /// Of a player with several seats: the one to look from.
    #[param(value_type = Option<u8>, maximum = 9)]
    pub seat: Option<Seat>,
}

/// Whose decision is awaited, and until when.
#[derive(Serialize, ToSchema)]
#[schema(as = StreamClock)]
pub struct Clock {
    /// The server's time.
    now: Timestamp,
    /// The seats that owe a decision.
    #[schema(value_type = Vec<Seat>)]
    to_act: SeatSet,
    /// When something happens next though nobody acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_at: Option<Timestamp>,
}

/// Who is connected.
#[derive(Serialize, ToSchema)]
#[schema(as = StreamPresence)]
pub struct Connected {
    /// The seats from which somebody follows the match now, on whatever server.
    #[schema(value_type = Vec<Seat>, examples(json!([0, 1])))]
    connected: SeatSet,
}

/// Why a stream ends.
#[derive(Serialize, ToSchema)]
#[schema(as = StreamEnd)]
pub struct Ended {
    reason: Ending,
}

/// A reason to end. After each but `finished` the reader may come again with the last `id`, and
/// misses nothing.
#[derive(Serialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The match is over and everything was told.
    Finished,
    /// The server stops.
    Stopping,
    /// The reader took nothing for too long.
    Slow,
    /// The database is away.
    Unavailable,
    /// The stored match cannot be read.
    Damaged,
}

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The match as GET gives it.
    Snapshot,
    /// An event as the history gives it.
    Event,
    /// A [`Clock`].
    Clock,
    /// A [`Connected`].
    Presence,
    /// An [`Ended`].
    End,
}

impl Topic {
    /// The name that readers know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Event => "event",
            Self::Clock => "clock",
            Self::Presence => "presence",
            Self::End => "end",
        }
    }
}

/// What a reader is told.
pub enum Told {
    /// A message.
    Message {
        /// What it is about.
        topic: Topic,
        /// The `seq` up to which the reader has everything after it.
        seq: Option<u32>,
        /// JSON.
        data: Arc<str>,
    },
    /// Nothing has happened; the server is alive.
    Alive,
}

/// Where a reader stands.
#[derive(PartialEq, Eq)]
enum State {
    Opening,
    Following,
    Ended(Ending),
}

/// One reader. It is asked for the next message only when the last one is taken, so a slow reader
/// costs no more memory than a page of events, and slows nobody.
pub struct Follower {
    desk: Desk,
    live: Arc<Live>,
    news: watch::Receiver<bool>,
    attendance: Attendance,
    seat: Option<Seat>,
    /// The `seq` up to which everything is told or ready to be.
    last: Option<u32>,
    /// The `seq` up to which the reader has everything.
    told: Option<u32>,
    ready: VecDeque<Told>,
    state: State,
    beat: Instant,
    _slot: Slot,
}

impl Follower {
    /// A reader that looks from a seat, or as the public, and has everything up to `last`.
    pub fn new(desk: &Desk, live: Arc<Live>, seat: Option<Seat>, last: Option<u32>, slot: Slot) -> Self {
        Self {
            news: live.watch(),
            attendance: desk.presence.attend(live.facts.id, seat),
            desk: desk.clone(),
            live,
            seat,
            last,
            told: last,
            ready: VecDeque::new(),
            state: State::Opening,
            beat: Instant::now() + HEARTBEAT,
            _slot: slot,
        }
    }

    /// The next message; nothing after the last. Nothing is lost where the future is dropped before
    /// it is ready.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.ready.pop_front() {
                if let Told::Message { seq: Some(seq), .. } = told {
                    self.told = Some(seq);
                }
                return Some(told);
            }
            match self.state {
                State::Ended(_) => return None,
                State::Opening => {
                    self.open();
                    self.state = State::Following;
                }
                State::Following => match self.gather().await {
                    Err(problem) => self.end(match problem.kind() {
                        Kind::Unavailable => Ending::Unavailable,
                        _ => Ending::Damaged,
                    }),
                    Ok(()) if self.ready.is_empty() => self.wait().await,
                    Ok(()) => {}
                },
            }
        }
    }

    /// Ends it before its time: one message more, then nothing.
    pub fn end(&mut self, reason: Ending) {
        if !matches!(self.state, State::Ended(_)) {
            // What was ready and is not told is told when the reader comes again.
            self.ready.clear();
            self.push(Topic::End, self.told, &Ended { reason });
            self.state = State::Ended(reason);
        }
    }

    /// Why it has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.state {
            State::Ended(reason) => Some(reason),
            State::Opening | State::Following => None,
        }
    }

    /// The match that is followed.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }

    fn push(&mut self, topic: Topic, seq: Option<u32>, data: &impl Serialize) {
        let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
        self.ready.push_back(Told::Message { topic, seq, data: data.into() });
    }

    /// The snapshot, as of which the reader has everything that it does not ask for.
    fn open(&mut self) {
        self.news.borrow_and_update();
        let snapshot = self.live.snapshot();
        let seq = snapshot.table.head().seq;
        let last = *self.last.get_or_insert(seq);
        let projection = snapshot.projection(&self.live.facts, self.seat);
        let data = String::from_utf8_lossy(&projection.body).into();
        self.ready.push_back(Told::Message { topic: Topic::Snapshot, seq: Some(last), data });
        self.tell_clock();
        self.tell_presence();
    }

    /// Gathers the events that the reader does not have yet, a page of steps at a time.
    async fn gather(&mut self) -> Result<(), Problem> {
        self.news.borrow_and_update();
        let snapshot = self.live.snapshot();
        let head = snapshot.table.head();
        let last = self.last.unwrap_or(head.seq);
        if last >= head.seq {
            if head.status == Status::Finished {
                self.end(Ending::Finished);
            }
            return Ok(());
        }
        let viewer = snapshot.table.open_to(self.seat.map_or(Viewer::Public, Viewer::Seat));
        let tellings = if let Some(kept) = snapshot.recent.after(last, &self.live.facts, viewer)? {
            kept
        } else {
            let from = load::version_before_seq(&self.desk.pool, self.live.facts.id, last).await?;
            let up_to = head.version.min(from.saturating_add(PAGE));
            let steps = load::steps(&self.desk.pool, self.live.facts.id, from, up_to).await?;
            recent::tell(&self.live.facts, &steps, viewer)?
        };
        // From here on nothing waits: what is gathered is told.
        for Telling { seq, data } in tellings.into_iter().filter(|telling| telling.seq > last) {
            self.ready.push_back(Told::Message { topic: Topic::Event, seq: Some(seq), data });
            self.last = Some(seq);
        }
        self.tell_clock();
        Ok(())
    }

    fn tell_clock(&mut self) {
        let snapshot = self.live.snapshot();
        let clock = Clock { now: now(), to_act: snapshot.table.head().to_act, deadline_at: snapshot.table.due() };
        self.push(Topic::Clock, None, &clock);
    }

    fn tell_presence(&mut self) {
        let connected = *self.attendance.connected.borrow_and_update();
        self.push(Topic::Presence, None, &Connected { connected });
    }

    /// Waits for the next version, for somebody to come or go, for the next heartbeat or the server's
    /// stop.
    async fn wait(&mut self) {
        let is_retired = *self.news.borrow();
        if is_retired && self.look_again().await {
            return;
        }
        tokio::select! {
            () = self.desk.closing.cancelled() => self.end(Ending::Stopping),
            Ok(()) = self.news.changed() => {}
            Ok(()) = self.attendance.connected.changed() => self.tell_presence(),
            () = tokio::time::sleep(RETRY), if is_retired => {}
            () = tokio::time::sleep_until(self.beat) => {
                self.beat = Instant::now() + HEARTBEAT;
                self.ready.push_back(Told::Alive);
            }
        }
    }

    /// Follows the copy that takes the retired one's place; whether it is to be had.
    async fn look_again(&mut self) -> bool {
        let Ok(live) = self.desk.get(self.live.facts.id).await else { return false };
        self.news = live.watch();
        self.live = live;
        true
    }
}
