//! How many streams and sockets are open: in all, of each client address, and of each token.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::{Unit, describe_gauge, gauge};

use super::auth::TokenHash;
use super::{Kind, Problem};
use crate::config::Settings;

/// How long a client is told to wait for a place, in seconds.
const WAIT: u64 = 5;

/// How many streams and sockets are open.
const OPEN: &str = "takujo_streams_open";

/// Says what is measured.
pub fn describe() {
    describe_gauge!(OPEN, Unit::Count, "Streams and sockets that are open");
}

/// The places for streams of this process.
#[derive(Clone)]
pub struct Slots(Arc<Inner>);

struct Inner {
    limits: Limits,
    taken: Mutex<Taken>,
}

/// The most that may be open; `u32::MAX` for no limit.
struct Limits {
    all: u32,
    address: u32,
    token: u32,
}

#[derive(Default)]
struct Taken {
    all: u32,
    addresses: HashMap<IpAddr, u32>,
    tokens: HashMap<TokenHash, u32>,
}

/// One place, given back when it is dropped.
pub struct Slot {
    inner: Arc<Inner>,
    address: IpAddr,
    token: Option<TokenHash>,
}

impl Slots {
    /// As many places as the settings say.
    pub fn new(settings: &Settings) -> Self {
        let limit = |number: u32| if number == 0 { u32::MAX } else { number };
        let limits = Limits {
            all: limit(settings.streams),
            address: limit(settings.streams_per_address),
            token: limit(settings.streams_per_token),
        };
        Self(Arc::new(Inner { limits, taken: Mutex::default() }))
    }

    /// Takes a place for a stream.
    ///
    /// # Errors
    /// [`Kind::TooManyStreams`] where the address or the token has as many as it may,
    /// [`Kind::Busy`] where the server has.
    pub fn take(&self, address: IpAddr, token: Option<TokenHash>) -> Result<Slot, Problem> {
        let limits = &self.0.limits;
        let mut taken = self.0.lock();
        let has = |count: Option<&u32>| count.copied().unwrap_or(0);
        let of_token = token.map_or(0, |token| has(taken.tokens.get(&token)));
        if has(taken.addresses.get(&address)) >= limits.address || of_token >= limits.token {
            return Err(Problem::plain(Kind::TooManyStreams).retry_after(WAIT));
        }
        if taken.all >= limits.all {
            return Err(Problem::plain(Kind::Busy).retry_after(WAIT));
        }
        taken.all += 1;
        *taken.addresses.entry(address).or_default() += 1;
        if let Some(token) = token {
            *taken.tokens.entry(token).or_default() += 1;
        }
        gauge!(OPEN).increment(1);
        Ok(Slot { inner: Arc::clone(&self.0), address, token })
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        gauge!(OPEN).decrement(1);
        let mut taken = self.inner.lock();
        taken.all -= 1;
        give_back(&mut taken.addresses, &self.address);
        if let Some(token) = &self.token {
            give_back(&mut taken.tokens, token);
        }
    }
}

/// Counts one less, and forgets who has none.
fn give_back<K: Hash + Eq>(counts: &mut HashMap<K, u32>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Given;
    use crate::http::auth::Token;

    fn slots(all: u32, address: u32, token: u32) -> Slots {
        let mut settings = Given::default().complete().unwrap();
        (settings.streams, settings.streams_per_address, settings.streams_per_token) = (all, address, token);
        Slots::new(&settings)
    }

    fn address(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    #[test]
    fn each_limit_is_its_own() {
        let token = Some(Token::received("a").hash());
        let slots = slots(4, 2, 1);
        let mut held = vec![slots.take(address(1), token).unwrap()];
        assert_eq!(slots.take(address(2), token).err().unwrap().kind(), Kind::TooManyStreams);
        held.push(slots.take(address(1), None).unwrap());
        assert_eq!(slots.take(address(1), None).err().unwrap().kind(), Kind::TooManyStreams);
        held.extend([slots.take(address(2), None).unwrap(), slots.take(address(2), None).unwrap()]);
        assert_eq!(slots.take(address(3), None).err().unwrap().kind(), Kind::Busy);
        held.clear();
        assert_eq!(slots.0.lock().all, 0);
        assert!(slots.take(address(3), token).is_ok());
        let taken = slots.0.lock();
        assert!(taken.addresses.is_empty() && taken.tokens.is_empty(), "nothing is kept of who has left");
    }

    #[test]
    fn nought_is_no_limit() {
        let slots = slots(0, 0, 0);
        let held: Vec<_> = (0..1000).map(|_| slots.take(address(1), None).unwrap()).collect();
        assert_eq!(slots.0.lock().all, held.len() as u32);
    }
}
