//! The referee of a tower of real dice: order, clocks, pauses and blame.

use super::actions::{Action, not_now};
use super::board::SPACES;
use super::dice::Die;
use super::events::{Cause, Event};
use super::rounds;
use super::scoring::Ending;
use super::state::{CLOCK_MS, FIRST_DICE, Hand, PAUSE_MS, Phase, Sainokawara, Site};
use crate::game::{Completeness, Game, Visit};
use crate::seat::Seat;
use crate::text::{Refusal, Text};
use crate::time::Timestamp;

/// `sai.stack`, `sai.blame`: the stacker takes its die; a pause ends by it.
pub(super) fn take_die(
    game: &mut Sainokawara,
    seat: Seat,
    now: Timestamp,
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let (site, die) = site(game)?;
    let deadline_at = match site.hand {
        Hand::Idle | Hand::Paused => site.deadline,
        Hand::Pausing { .. } => game.clock(now, CLOCK_MS),
        Hand::Holding => {
            return Err(not_now(
                "sai.stack",
                "The die is in your hand already; release it when it stands.",
                "賽子はすでに手の中です。積み上げたら手を離してください。",
            ));
        }
    };
    game.emit(Event::DieTaken { seat, number: site.next, die, deadline_at }, log);
    Ok(())
}

/// `sai.stack`: the stacker lets go of its die, which stands.
pub(super) fn release_die(
    game: &mut Sainokawara,
    seat: Seat,
    now: Timestamp,
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let (site, _) = site(game)?;
    if site.hand != Hand::Holding {
        return Err(not_now(
            "sai.stack",
            "There is no die in your hand; take the next one first.",
            "手に賽子がありません。先に次の賽子を取ってください。",
        ));
    }
    finish_die(game, seat, now, log);
    Ok(())
}

/// `sai.clock`: the next die stands; the clock of the one after it begins, or the tower is whole.
pub(super) fn finish_die(game: &mut Sainokawara, seat: Seat, now: Timestamp, log: &mut Vec<Event>) {
    let Phase::Stacking(site) = &game.phase else { return };
    let Some(die) = site.next_die() else { return };
    let (number, owners) = (site.next, site.owners);
    let deadline_at = match usize::from(number) {
        SPACES => None,
        _ if number < FIRST_DICE => site.deadline,
        _ => game.clock(now, CLOCK_MS),
    };
    game.emit(Event::DieReleased { seat, number, die, deadline_at }, log);
    if usize::from(number) == SPACES {
        game.emit(Event::TowerCompleted { seat }, log);
        rounds::close(game, Ending::Complete, &owners, log);
    }
}

/// `sai.pause`
pub(super) fn request_pause(
    game: &mut Sainokawara,
    seat: Seat,
    now: Timestamp,
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let Phase::Stacking(site) = &game.phase else {
        return Err(not_now(
            "sai.pause",
            "A pause can be asked for only while a tower is built.",
            "一時停止を要求できるのは、積み上げている間だけです。",
        ));
    };
    if !game.is_reported() || !site.can_pause() {
        return Err(not_now(
            "sai.pause",
            "One pause a die, after the release before it and before taking it, from die 4 on; take the die now.",
            "一時停止は4個目以降の賽子ごとに一度、前の人が手を離してから賽子を取るまでに要求できます。賽子を取ってください。",
        ));
    }
    game.emit(Event::PauseRequested { seat, until: now.plus_millis(PAUSE_MS) }, log);
    Ok(())
}

/// `sai.collapse`: who is to blame follows from the state, never from who says it.
pub(super) fn report_collapse(game: &mut Sainokawara, reporter: Seat, log: &mut Vec<Event>) -> Result<(), Refusal> {
    let Phase::Stacking(site) = &game.phase else {
        return Err(not_now(
            "sai.collapse",
            "There is no tower yet; a collapse can be reported only while one is built.",
            "まだ積み上げていません。崩れたと言えるのは積み上げている間だけです。",
        ));
    };
    if !game.is_reported() {
        return Err(not_now(
            "sai.collapse",
            "The simulated world itself sees when the tower falls; go on stacking.",
            "崩れたかどうかは物理シミュレーションが判定します。そのまま続けてください。",
        ));
    }
    let Some((seat, number)) = site.blame().filter(|_| site.can_fall()) else {
        let standing = site.stacked();
        return Err(Refusal::new(
            "sai.collapse",
            Text::new(
                format!(
                    "{standing} of the dice stand: with fewer than two there is nothing to collapse; stack the next die again."
                ),
                format!("積み上がった賽子は{standing}個です。2個未満では崩れたことになりません。積み直してください。"),
            ),
        ));
    };
    fall(game, seat, number, Cause::Reported, Some(reporter), log);
    Ok(())
}

/// The pause is over, or the clock has run out (`sai.clock`), at the instant `now`.
pub(super) fn expire(game: &mut Sainokawara, now: Timestamp, log: &mut Vec<Event>) {
    let Phase::Stacking(site) = &game.phase else { return };
    let (seat, number) = (site.stacker(), site.next);
    match site.hand {
        Hand::Pausing { .. } => {
            let deadline_at = game.clock(now, CLOCK_MS);
            game.emit(Event::PauseEnded { seat, deadline_at }, log);
        }
        Hand::Idle | Hand::Paused | Hand::Holding => fall(game, seat, number, Cause::Clock, None, log),
    }
}

/// The tower falls at a die, and the round is over.
pub(super) fn fall(
    game: &mut Sainokawara,
    seat: Seat,
    number: u8,
    cause: Cause,
    reporter: Option<Seat>,
    log: &mut Vec<Event>,
) {
    let Phase::Stacking(Site { owners, order, .. }) = game.phase else { return };
    let Some(&die) = order.get(usize::from(number) - 1) else { return };
    game.emit(Event::TowerFell { seat, number, die, cause, reporter }, log);
    rounds::close(game, Ending::Fell { number, blamed: seat }, &owners, log);
}

/// Visits what the stacker may do.
pub(super) fn visit(site: &Site, visit: Visit<'_, Action>) -> Completeness {
    let hand = if site.hand == Hand::Holding { Action::ReleaseDie {} } else { Action::TakeDie {} };
    let pause = site.can_pause().then_some(Action::RequestPause {});
    let flow = [Some(hand), pause].into_iter().flatten().try_for_each(&mut *visit);
    if flow.is_continue() { visit_collapse(site, visit) } else { Completeness::Complete }
}

/// Visits what any seat may do while the tower is built: say that it has fallen.
pub(super) fn visit_collapse(site: &Site, visit: Visit<'_, Action>) -> Completeness {
    if site.can_fall() {
        // It is the last one: breaking off after it changes nothing.
        let _ = visit(Action::ReportCollapse {});
    }
    Completeness::Complete
}

/// The tower that hands are building, and the die that is next.
fn site(game: &Sainokawara) -> Result<(&Site, Die), Refusal> {
    match &game.phase {
        Phase::Stacking(site) if game.is_reported() => site.next_die().map(|die| (site, die)),
        _ => None,
    }
    .ok_or_else(|| {
        if game.is_reported() {
            not_stacking()
        } else {
            not_now(
                "sai.stack",
                "The tower of this match is simulated: use stack and adjust.",
                "この試合の塔はシミュレーションです。stack と adjust を使ってください。",
            )
        }
    })
}

/// The refusal of stacking while no tower is built.
pub(super) fn not_stacking() -> Refusal {
    not_now(
        "sai.stack",
        "Dice are stacked only while a tower is built; prepare the round and roll the start first.",
        "賽子を積めるのは、準備と積み上げ順の決定が終わってからです。",
    )
}
