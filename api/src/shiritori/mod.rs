//! しりとり: does a chain hold, and what can come next.

pub mod check;
pub mod next;

use dictionary::Policy;
use dictionary::fold::MAX_LENGTH;
use dictionary::shiritori::RuleOptions;

use crate::http::Problem;
use crate::words::check::check_policy;
use crate::words::refused::out_of_bounds;

/// # Errors
/// Where the rules leave no word that could be said.
fn check_rules(rules: &RuleOptions) -> Result<(), Problem> {
    if let Some(classes) = rules.classes {
        check_policy(&Policy { classes })?;
    }
    match rules.min_length {
        Some(length) if !(1..=MAX_LENGTH).contains(&usize::from(length)) => Err(out_of_bounds(
            format!("rules.min_length is {length}; it may be 1 to {MAX_LENGTH} kana."),
            format!("rules.min_length は 1 から {MAX_LENGTH} までです（{length} でした）。"),
        )),
        _ => Ok(()),
    }
}
