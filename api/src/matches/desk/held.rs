//! Every match that is in memory: in the cache, or in the hands of who follows it or decides in it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::ids::MatchId;
use crate::matches::live::Live;

/// So many more than there were alive at the last sweep make the next one due.
const GROWTH: usize = 1024;

/// The copies that somebody has. A match that is followed has one copy, also where the cache has no
/// room for it.
#[derive(Default)]
pub struct Held(Mutex<Copies>);

#[derive(Default)]
struct Copies {
    by_id: HashMap<MatchId, Weak<Live>>,
    /// The number at which those that nobody has any more are swept out.
    sweep_at: usize,
}

impl Held {
    /// The copy of a match, unless there is none that can be trusted.
    pub fn find(&self, id: MatchId) -> Option<Arc<Live>> {
        let live = self.lock().by_id.get(&id)?.upgrade();
        live.filter(|live| !live.is_retired())
    }

    /// Takes note of a copy, for as long as somebody has it.
    pub fn note(&self, live: &Arc<Live>) {
        let mut copies = self.lock();
        if copies.by_id.len() >= copies.sweep_at {
            copies.by_id.retain(|_, live| live.strong_count() > 0);
            copies.sweep_at = 2 * copies.by_id.len() + GROWTH;
        }
        copies.by_id.insert(live.facts.id, Arc::downgrade(live));
    }

    /// Retires all copies.
    pub fn retire_all(&self) {
        let all = std::mem::take(&mut *self.lock());
        all.by_id.values().filter_map(Weak::upgrade).for_each(|live| live.retire());
    }

    fn lock(&self) -> MutexGuard<'_, Copies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
