//! Who plays in a generated history.

use rules::chance::{Chance, Key};
use rules::time::Timestamp;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use std::sync::Arc;
use uuid::Uuid;

use crate::ids::PlayerId;
use crate::matches::store::to_db;

/// When they registered: 2000-01-01T00:00:00Z, before every match, and the same for all histories of one seed,
/// which share their players.
const REGISTERED_MS: i64 = 946_684_800_000;

/// The registered players. Each errs in its own share of decisions.
pub struct Cast(pub(super) Vec<PlayerId>);

impl Cast {
    /// Registers so many players; those of the same seed are the same. Nobody holds their tokens.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn register(pool: &PgPool, seed: u64, count: u32) -> Result<Self, sqlx::Error> {
        let ids: Vec<_> = (0..count).map(|number| id(seed, number)).collect();
        let names: Vec<_> = (1..=count).map(|number| format!("Player {number}")).collect();
        let hashes: Vec<_> = ids.iter().map(|id| Sha256::digest(id.as_bytes()).to_vec()).collect();
        sqlx::query!(
            "INSERT INTO players (player_id, name, token_hash, created_at)
             SELECT player_id, name, token_hash, $4
             FROM UNNEST($1::uuid[], $2::text[], $3::bytea[]) AS new (player_id, name, token_hash)
             ON CONFLICT DO NOTHING",
            &ids,
            &names,
            &hashes,
            to_db(Timestamp::from_millis(REGISTERED_MS)),
        )
        .execute(pool)
        .await?;
        Ok(Self(ids.into_iter().map(PlayerId).collect()))
    }

    /// Some player, with the share of decisions, in a hundred, in which it errs.
    pub fn draw(&self, chance: &mut Chance) -> Option<(PlayerId, String, u32)> {
        let count = u32::try_from(self.0.len()).ok().filter(|count| *count > 0)?;
        // Some play far more than others.
        let number = chance.below(count).min(chance.below(count));
        Some((self.0[number as usize], format!("Player {}", number + 1), number % 10 * 5))
    }
}

/// The id of a player of a generated history.
fn id(seed: u64, number: u32) -> Uuid {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..12].copy_from_slice(&number.to_le_bytes());
    let mut chance = Chance::new(Key::derive(&bytes, b"takujo players  ", []), Arc::default());
    uuid::Builder::from_unix_timestamp_millis(REGISTERED_MS.unsigned_abs(), &random(&mut chance)).into_uuid()
}

/// Random bytes.
pub fn random<const N: usize>(chance: &mut Chance) -> [u8; N] {
    std::array::from_fn(|_| chance.below(256) as u8)
}
