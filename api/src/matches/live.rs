//! A match in memory: its state as of the last commit, and who waits for the next.

use std::sync::{Arc, OnceLock};

use actix_web::web::Bytes;
use arc_swap::ArcSwap;
use rules::seat::{Seat, Viewer};
use rules::table::AnyTable;
use tokio::sync::{Mutex, watch};

use super::answer;
use super::facts::Facts;
use super::recent::Recent;
use super::store::commit::Numbered;
use crate::http::auth::TokenHash;
use crate::ids::PlayerId;

/// What a seat is entered with, beside what everybody sees of it.
#[derive(Clone, Debug, Default)]
pub struct Credential {
    /// The hash of the seat's own token.
    pub token: Option<TokenHash>,
    /// The player who holds the seat.
    pub player: Option<PlayerId>,
    /// What the seat added to the chance.
    pub entropy: Vec<u8>,
    /// Whether it was created open.
    pub opened: bool,
}

/// A match as one viewer may see it.
pub struct Projection {
    /// Its entity tag: a hash of the body.
    pub etag: String,
    /// The JSON.
    pub body: Bytes,
}

/// A match as of one version.
pub struct Snapshot {
    /// The table.
    pub table: Box<dyn AnyTable>,
    /// The seats' credentials, in seat order.
    pub credentials: Arc<[Credential]>,
    /// What led here lately, while somebody follows the match.
    pub recent: Recent,
    projections: [OnceLock<Projection>; Seat::LIMIT as usize + 1],
}

impl Snapshot {
    /// A snapshot of a table.
    pub fn new(table: Box<dyn AnyTable>, credentials: Arc<[Credential]>) -> Self {
        Self { table, credentials, recent: Recent::default(), projections: Default::default() }
    }

    /// The match as a seat may see it, or the public; made once.
    pub fn projection(&self, facts: &Facts, seat: Option<Seat>) -> &Projection {
        let slot = seat.map_or(Seat::LIMIT as usize, Seat::index);
        self.projections[slot].get_or_init(|| {
            let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
            answer::projection(facts, self, self.table.open_to(viewer))
        })
    }
}

/// A match that this process has in memory.
pub struct Live {
    /// What it was created with.
    pub facts: Facts,
    /// Held while a step is worked out and committed.
    pub turn: Mutex<()>,
    current: ArcSwap<Snapshot>,
    /// Changes with every version; true once this copy is retired.
    news: watch::Sender<bool>,
}

impl Live {
    /// A match as it stands.
    pub fn new(facts: Facts, snapshot: Snapshot) -> Self {
        let news = watch::Sender::new(false);
        Self { facts, turn: Mutex::new(()), current: ArcSwap::from_pointee(snapshot), news }
    }

    /// The match as of its last commit.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Shows a committed version to everybody, with the steps that lead there from the one before. The
    /// caller holds the match's turn.
    pub fn publish(&self, mut snapshot: Snapshot, steps: Arc<[Numbered]>) {
        if self.news.receiver_count() > 0 {
            let before = self.current.load();
            snapshot.recent = before.recent.led(before.table.head().seq, steps, snapshot.table.head().seq);
        }
        self.current.store(Arc::new(snapshot));
        self.news.send_modify(|_| {});
    }

    /// Tells of every version from now on, and in the end, or at once, that this copy is retired.
    pub fn watch(&self) -> watch::Receiver<bool> {
        let mut news = self.news.subscribe();
        if *news.borrow() {
            news.mark_changed();
        }
        news
    }

    /// Ends the trust in this copy: who watches it has to look for another.
    pub fn retire(&self) {
        self.news.send_replace(true);
    }

    /// Whether another copy is to be read.
    pub fn is_retired(&self) -> bool {
        *self.news.borrow()
    }
}
