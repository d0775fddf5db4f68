//! A record that was verified, as the match that it is in the database.

use dictionary::Lexicon;
use rules::table::{Cause, Player};
use rules::time::Timestamp;

use crate::ids::ID_SLACK;
use crate::matches::create::check_name;
use crate::matches::desk::now;
use crate::matches::record::verify::entropy;
use crate::matches::record::{RecordBody, RecordSeat};
use crate::matches::store::bulk::{Finished, FinishedSeat};
use crate::matches::store::{from_db, to_db};

/// The longest name of a lexicon, in bytes.
const LEXICON_NAME: usize = 256;

/// The match of a record, verified.
///
/// # Errors
/// Why it is refused.
pub fn verified(text: &[u8], lexicon: &Lexicon, listed: bool) -> Result<Finished, String> {
    let record = RecordBody::read(text).map_err(|flaw| flaw.to_string())?;
    record.verify(lexicon).map_err(|flaw| flaw.to_string())?;
    check(&record)?;
    let mut facts = record.facts().map_err(|flaw| flaw.to_string())?;
    facts.listed = listed;
    facts.analysis = true;
    let created = record.players().map_err(|flaw| flaw.to_string())?;
    // The options come back with defaults filled in, as every match here has them.
    facts.lay(created).map_err(|faults| format!("the set-up is not possible: {faults:?}"))?;
    let seats = record.seats.iter().map(|seat| at_the_end(&record, seat)).collect::<Result<_, _>>()?;
    let steps = record.steps.iter().map(crate::matches::record::RecordStep::step).collect();
    Ok(Finished { facts, seats, steps, outcome: record.outcome })
}

/// A seat as it was at the end: an open one has got the name that it was claimed with.
fn at_the_end(record: &RecordBody, seat: &RecordSeat) -> Result<FinishedSeat, String> {
    let created = seat.player().map_err(|flaw| flaw.to_string())?;
    let opened = created == Player::Open;
    let claim = || record.steps.iter().find(|step| step.cause == Cause::Claim && step.seat == Some(seat.seat));
    let claimed = || claim().and_then(|step| step.action.as_ref()?["name"].as_str()).unwrap_or_default();
    let name = if opened { claimed() } else { &seat.name };
    check_name(name).map_err(|text| format!("seat {}: {}", seat.seat, text.en))?;
    let entropy = entropy(seat).map_err(|flaw| flaw.to_string())?;
    let player = if opened { Player::Human } else { created };
    Ok(FinishedSeat { name: name.into(), player, player_id: None, opened, entropy })
}

/// What a record must keep beside its rules, so that the database can hold it.
fn check(record: &RecordBody) -> Result<(), String> {
    let created = record.created_at;
    let id_time = record.id.0.get_timestamp().map(|time| time.to_unix());
    let id_time = id_time.map(|(seconds, _)| Timestamp::from_millis((seconds as i64).saturating_mul(1000)));
    if record.id.0.get_version_num() != 7
        || id_time.is_none_or(|time| time.millis_since(created).saturating_abs() > ID_SLACK)
    {
        return Err("its id is not of the time at which it was created".to_owned());
    }
    // By clocks that are as far apart.
    if created.millis_since(now()) > ID_SLACK {
        return Err("it was created in the future".to_owned());
    }
    let is_kept = |time: Timestamp| from_db(to_db(time)) == time;
    if !is_kept(created) || !record.steps.iter().all(|step| is_kept(step.at)) {
        return Err("a time is out of the calendar".to_owned());
    }
    if record.turn_seconds.is_some_and(|seconds| seconds == 0 || i32::try_from(seconds).is_err()) {
        return Err("turn_seconds is out of bounds".to_owned());
    }
    if record.lexicon.len() > LEXICON_NAME || record.lexicon.chars().any(char::is_control) {
        return Err("the name of its lexicon cannot be".to_owned());
    }
    Ok(())
}
