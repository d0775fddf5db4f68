//! The hash chain over a record's set-up and steps, as `docs/chance.md` describes it.

use rules::table::Step;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{RecordBody, RecordStep};

/// Links steps into the chain that begins with `before`.
pub(super) fn link(mut before: String, steps: Vec<Step>) -> Vec<RecordStep> {
    steps
        .into_iter()
        .map(|step| {
            let mut link = RecordStep {
                version: step.version,
                cause: step.cause,
                seat: step.seat,
                action: step.action,
                at: step.at,
                chance_used: step.position,
                events: step.events,
                hash: String::new(),
            };
            link.hash = hash(&before, &link);
            before.clone_from(&link.hash);
            link
        })
        .collect()
}

/// The hash of a step that follows the one with the hash `before`.
pub(super) fn hash(before: &str, step: &RecordStep) -> String {
    // serde_json's own map sorts its keys.
    hex::encode(Sha256::digest(format!("{before}\n{}", json_without(step, &["hash"]))))
}

/// A value as JSON with sorted keys and no spaces, without some of its fields.
fn json_without<T: Serialize>(value: &T, left_out: &[&str]) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !left_out.contains(&name.as_str()));
    }
    value
}

impl RecordBody {
    /// The hash that the chain begins with: of what the match was created with.
    pub(super) fn setup_hash(&self) -> String {
        hex::encode(Sha256::digest(json_without(self, &["steps", "outcome"]).to_string()))
    }
}
