//! Which seats are connected: somebody looks from them by a stream or a socket, on any process.
//!
//! Nothing of it is stored. A process tells the others by notifications what it has and asks them
//! when it begins to show a match; what was told by a process that falls silent is forgotten. A seat
//! that connects or leaves shows within about [`TICK`]; one whose process was killed, within
//! [`SILENCE`].

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rules::seat::{Seat, SeatSet};
use sqlx::PgPool;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::ids::MatchId;

/// The channel on which processes tell each other who is connected.
pub const CHANNEL: &str = "takujo_presence";

/// How often what has changed is told, all of it together.
const TICK: Duration = Duration::from_millis(100);
/// How often a process says that it is alive.
const BEAT: Duration = Duration::from_secs(5);
/// After how long without a word a process counts as gone.
const SILENCE: Duration = Duration::from_secs(15);

/// Who is connected to the matches that this process shows.
#[derive(Clone)]
pub struct Presence(Arc<Inner>);

struct Inner {
    /// This process, among those on the same database.
    process: Uuid,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    rooms: HashMap<MatchId, Room>,
    /// The matches of which to tell, at the next tick, what is here.
    to_tell: HashSet<MatchId>,
    /// The matches of which to ask what is elsewhere.
    to_ask: HashSet<MatchId>,
    /// When each other process was last heard.
    heard: HashMap<Uuid, Instant>,
}

/// A match that somebody here looks at.
struct Room {
    /// How many streams look from each seat, here.
    here: [u32; Seat::LIMIT as usize],
    /// What other processes have told.
    elsewhere: HashMap<Uuid, SeatSet>,
    watchers: u32,
    shown: watch::Sender<SeatSet>,
}

impl Room {
    fn seats_here(&self) -> SeatSet {
        (0..).map_while(Seat::new).zip(self.here).filter(|(_, count)| *count > 0).map(|(seat, _)| seat).collect()
    }

    fn show(&self) {
        let everywhere = self.elsewhere.values().flat_map(|seats| seats.iter()).chain(self.seats_here().iter());
        let everywhere = everywhere.collect();
        self.shown.send_if_modified(|shown| std::mem::replace(shown, everywhere) != everywhere);
    }
}

/// A stream's part in it: while it is held its seat is connected.
pub struct Attendance {
    /// Who is connected.
    pub connected: watch::Receiver<SeatSet>,
    presence: Presence,
    id: MatchId,
    seat: Option<Seat>,
}

/// What one process says to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    /// These seats are connected here.
    Here(MatchId, SeatSet),
    /// Which are there?
    Ask(MatchId),
    /// I am alive.
    Alive,
    /// I am gone.
    Gone,
}

impl Word {
    fn write(self, process: Uuid) -> String {
        let process = process.simple();
        match self {
            Self::Here(id, seats) => {
                let seats: String = seats.iter().map(|seat| seat.to_string()).collect();
                format!("{process} here {id} {seats}")
            }
            Self::Ask(id) => format!("{process} ask {id}"),
            Self::Alive => format!("{process} alive"),
            Self::Gone => format!("{process} gone"),
        }
    }

    fn read(text: &str) -> Option<(Uuid, Self)> {
        let mut parts = text.split(' ');
        let process = parts.next()?.parse().ok()?;
        let verb = parts.next()?;
        let id = parts.next().map(str::parse).transpose().ok()?;
        let word = match (verb, id) {
            ("here", Some(id)) => {
                let seats = parts.next()?.bytes().map(|digit| Seat::new(digit.wrapping_sub(b'0')));
                Self::Here(id, seats.collect::<Option<_>>()?)
            }
            ("ask", Some(id)) => Self::Ask(id),
            ("alive", None) => Self::Alive,
            ("gone", None) => Self::Gone,
            _ => return None,
        };
        Some((process, word))
    }
}

impl Presence {
    /// Nobody is connected yet.
    pub fn new() -> Self {
        Self(Arc::new(Inner { process: Uuid::now_v7(), state: Mutex::default() }))
    }

    /// A stream begins: it looks from a seat, or as the public, which is not counted.
    pub fn attend(&self, id: MatchId, seat: Option<Seat>) -> Attendance {
        let mut state = self.lock();
        let state = &mut *state;
        let room = state.rooms.entry(id).or_insert_with(|| {
            state.to_ask.insert(id);
            Room { here: [0; _], elsewhere: HashMap::new(), watchers: 0, shown: watch::Sender::default() }
        });
        room.watchers += 1;
        if let Some(seat) = seat {
            room.here[seat.index()] += 1;
            state.to_tell.insert(id);
        }
        room.show();
        Attendance { connected: room.shown.subscribe(), presence: self.clone(), id, seat }
    }

    fn leave(&self, id: MatchId, seat: Option<Seat>) {
        let mut state = self.lock();
        let Some(room) = state.rooms.get_mut(&id) else { return };
        room.watchers -= 1;
        if let Some(seat) = seat {
            room.here[seat.index()] -= 1;
        }
        room.show();
        if room.watchers == 0 {
            state.rooms.remove(&id);
        }
        if seat.is_some() {
            state.to_tell.insert(id);
        }
    }

    /// Takes in what a process says.
    pub fn hear(&self, text: &str) {
        let Some((process, word)) = Word::read(text) else { return };
        if process == self.0.process {
            return;
        }
        let mut state = self.lock();
        if word == Word::Gone {
            state.heard.remove(&process);
            return state.forget(process);
        }
        state.heard.insert(process, Instant::now());
        match word {
            Word::Here(id, seats) => {
                let Some(room) = state.rooms.get_mut(&id) else { return };
                if seats.is_empty() {
                    room.elsewhere.remove(&process);
                } else {
                    room.elsewhere.insert(process, seats);
                }
                room.show();
            }
            Word::Ask(id) if state.rooms.get(&id).is_some_and(|room| !room.seats_here().is_empty()) => {
                state.to_tell.insert(id);
            }
            Word::Ask(_) | Word::Alive | Word::Gone => {}
        }
    }

    /// Begins anew after a time in which nothing was heard: asks and tells of everything.
    pub fn start_over(&self) {
        let mut state = self.lock();
        let state = &mut *state;
        state.heard.clear();
        for (id, room) in &mut state.rooms {
            room.elsewhere.clear();
            state.to_ask.insert(*id);
            state.to_tell.insert(*id);
        }
    }

    /// Tells the other processes until the server stops.
    pub async fn tell(self, pool: PgPool, stop: CancellationToken) {
        let mut beat = Instant::now();
        while stop.run_until_cancelled(tokio::time::sleep(TICK)).await.is_some() {
            let mut words = self.due_words();
            if beat.elapsed() >= BEAT {
                beat = Instant::now();
                words.push(Word::Alive);
                self.forget_silent(beat);
            }
            if let Err(error) = self.send(&pool, &words).await {
                tracing::debug!(%error, "the other processes cannot be told who is connected");
                self.tell_later(&words);
            }
        }
        let _untold = self.send(&pool, &[Word::Gone]).await;
    }

    /// What has changed since the last tick.
    fn due_words(&self) -> Vec<Word> {
        let mut state = self.lock();
        let (to_tell, to_ask) = (std::mem::take(&mut state.to_tell), std::mem::take(&mut state.to_ask));
        let here = |id| state.rooms.get(id).map_or(SeatSet::EMPTY, Room::seats_here);
        to_tell.iter().map(|id| Word::Here(*id, here(id))).chain(to_ask.into_iter().map(Word::Ask)).collect()
    }

    fn tell_later(&self, words: &[Word]) {
        let mut state = self.lock();
        for word in words {
            match word {
                Word::Here(id, _) => _ = state.to_tell.insert(*id),
                Word::Ask(id) => _ = state.to_ask.insert(*id),
                Word::Alive | Word::Gone => {}
            }
        }
    }

    async fn send(&self, pool: &PgPool, words: &[Word]) -> Result<(), sqlx::Error> {
        if words.is_empty() {
            return Ok(());
        }
        let words: Vec<_> = words.iter().map(|word| word.write(self.0.process)).collect();
        sqlx::query!("SELECT count(pg_notify($1, word)) FROM UNNEST($2::text[]) AS words(word)", CHANNEL, &words)
            .fetch_one(pool)
            .await?;
        Ok(())
    }

    fn forget_silent(&self, now: Instant) {
        let mut state = self.lock();
        let silent: Vec<_> = state.heard.iter().filter(|(_, at)| now - **at > SILENCE).map(|(who, _)| *who).collect();
        for process in silent {
            state.heard.remove(&process);
            state.forget(process);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn forget(&mut self, process: Uuid) {
        for room in self.rooms.values_mut() {
            if room.elsewhere.remove(&process).is_some() {
                room.show();
            }
        }
    }
}

impl Default for Presence {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.presence.leave(self.id, self.seat);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(numbers: &[u8]) -> SeatSet {
        numbers.iter().filter_map(|number| Seat::new(*number)).collect()
    }

    fn seat(number: u8) -> Option<Seat> {
        Seat::new(number)
    }

    /// Carries what one says to the other, as the database would.
    fn carry(from: &Presence, to: &Presence) {
        from.due_words().iter().for_each(|word| to.hear(&word.write(from.0.process)));
    }

    #[test]
    fn words_are_read_as_they_were_written() {
        let (process, id) = (Uuid::now_v7(), MatchId::fresh());
        for word in
            [Word::Here(id, seats(&[])), Word::Here(id, seats(&[0, 3, 9])), Word::Ask(id), Word::Alive, Word::Gone]
        {
            assert_eq!(Word::read(&word.write(process)), Some((process, word)));
        }
        for bad in ["", "x", "x alive", &format!("{process} here {id} a"), &format!("{process} here"), "\u{0}"] {
            assert_eq!(Word::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_seat_is_connected_while_any_process_has_it() {
        let (one, two, id) = (Presence::new(), Presence::new(), MatchId::fresh());
        let public = one.attend(id, None);
        assert_eq!(*public.connected.borrow(), seats(&[]));
        let twice = [two.attend(id, seat(1)), two.attend(id, seat(1))];
        carry(&two, &one);
        assert_eq!(*public.connected.borrow(), seats(&[1]));
        let own = one.attend(id, seat(0));
        assert_eq!(*own.connected.borrow(), seats(&[0, 1]));
        // Who comes later asks, and is told.
        carry(&one, &two);
        assert_eq!(*twice[0].connected.borrow(), seats(&[0, 1]));
        let [first, second] = twice;
        drop(first);
        carry(&two, &one);
        assert_eq!(*own.connected.borrow(), seats(&[0, 1]));
        drop(second);
        carry(&two, &one);
        assert_eq!(*own.connected.borrow(), seats(&[0]));
        assert!(two.lock().rooms.is_empty());
    }

    #[test]
    fn who_comes_later_is_told() {
        let (one, two, id) = (Presence::new(), Presence::new(), MatchId::fresh());
        let _early = one.attend(id, seat(0));
        one.due_words();
        let late = two.attend(id, None);
        carry(&two, &one);
        carry(&one, &two);
        assert_eq!(*late.connected.borrow(), seats(&[0]));
    }

    #[test]
    fn a_process_that_is_gone_or_silent_has_nobody() {
        let (one, two, id) = (Presence::new(), Presence::new(), MatchId::fresh());
        let shown = one.attend(id, None);
        let _there = two.attend(id, seat(1));
        let meet = || {
            two.start_over();
            carry(&two, &one);
            assert_eq!(*shown.connected.borrow(), seats(&[1]));
        };
        meet();
        one.hear(&Word::Gone.write(two.0.process));
        assert_eq!(*shown.connected.borrow(), seats(&[]));
        meet();
        one.forget_silent(Instant::now() + SILENCE / 2);
        assert_eq!(*shown.connected.borrow(), seats(&[1]));
        one.forget_silent(Instant::now() + SILENCE * 2);
        assert_eq!(*shown.connected.borrow(), seats(&[]));
    }
}
