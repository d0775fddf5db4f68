//! Matches: created, claimed, played, watched, read again.

pub mod act;
pub mod analysis;
pub mod answer;
pub mod at;
pub mod claim;
pub mod clock;
pub mod create;
pub mod desk;
pub mod events;
pub mod facts;
pub mod follow;
pub mod inflow;
pub mod legal_actions;
pub mod list;
pub mod live;
pub mod metrics;
pub mod news;
pub mod presence;
pub mod recent;
pub mod record;
pub mod replay;
pub mod seat_of;
pub mod show;
pub mod socket;
pub mod store;
pub mod stream;
