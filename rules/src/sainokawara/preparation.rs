//! The preparation: dice on the ring, duties, and the roll for the first die.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::actions::{Action, Placement, Placements, not_now};
use super::board::{Duties, Duty, Ring, SPACES, Space};
use super::dice::{Dice, Die};
use super::events::Event;
use super::state::{FIRST_CLOCK_MS, Phase, Sainokawara};
use crate::game::{Completeness, Context, Game, Visit};
use crate::seat::Seat;
use crate::text::{Refusal, Text};

/// No turn places more dice.
const MOST_PLACED: usize = 3;

/// `sai.place-dice`
pub(super) fn place_dice(
    game: &mut Sainokawara,
    seat: Seat,
    dice: &[Placement],
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let Phase::Preparation { ring, .. } = &game.phase else { return Err(prepared()) };
    let dice = match ArrayVec::<_, MOST_PLACED>::try_from(dice) {
        Ok(dice) if !dice.is_empty() => dice,
        _ => return Err(not_so_many(dice.len())),
    };
    let (mut ring, mut supply) = (*ring, game.supply);
    for &Placement { space, die } in &dice {
        if ring[space.index()].replace(die).is_some() {
            return Err(occupied(space, &ring));
        }
        supply = supply.less(die).ok_or_else(|| used_up(die, game.supply))?;
    }
    game.emit(Event::DicePlaced { seat, dice, forced: false }, log);
    take_forced(game, log);
    Ok(())
}

/// `sai.take-duty`
pub(super) fn take_duty(game: &mut Sainokawara, seat: Seat, duty: Duty, log: &mut Vec<Event>) -> Result<(), Refusal> {
    let Phase::Preparation { duties, .. } = &game.phase else { return Err(prepared()) };
    if let Some(owner) = duties.owner(duty) {
        let free: Vec<_> = duties.free().map(|duty| serde_json::json!(duty)).collect();
        return Err(Refusal::new(
            "sai.take-duty",
            Text::new(
                format!("Seat {owner} owns that duty; take one that is free."),
                format!("その担当は席{owner}が持っています。空いている担当を取ってください。"),
            ),
        )
        .with("free", free));
    }
    game.emit(Event::DutyTaken { seat, duty, forced: false }, log);
    take_forced(game, log);
    Ok(())
}

/// `sai.start-roll`
pub(super) fn roll_start(
    game: &mut Sainokawara,
    seat: Seat,
    context: &mut Context<'_>,
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let Phase::StartRoll { ring, .. } = game.phase else {
        return Err(not_now(
            "sai.start-roll",
            "The start is rolled once, when all spaces are filled and all duties taken.",
            "積み上げ順を決める賽子は、スペースがすべて埋まり担当がすべて決まったときに一度だけ振ります。",
        ));
    };
    let dice = [context.chance.die(6), context.chance.die(6)].map(|face| face as u8);
    let space = Space::numbered(dice);
    let mut order = ring;
    order.rotate_left(space.index());
    let deadline_at = game.clock(context.now, FIRST_CLOCK_MS);
    game.emit(Event::StartRolled { seat, dice, space, order, deadline_at }, log);
    Ok(())
}

/// Takes the choices that are none: one duty left and no space, or one space and one kind of die.
fn take_forced(game: &mut Sainokawara, log: &mut Vec<Event>) {
    while let Phase::Preparation { turn: seat, ring, duties } = &game.phase {
        let mut only = ArrayVec::<Action, 2>::new();
        visit(ring, duties, game.supply, &mut |action| {
            only.push(action);
            if only.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let seat = *seat;
        match only.as_slice() {
            [Action::PlaceDice { dice }] => {
                let dice = dice.iter().copied().take(MOST_PLACED).collect();
                game.emit(Event::DicePlaced { seat, dice, forced: true }, log);
            }
            [Action::TakeDuty { duty }] => game.emit(Event::DutyTaken { seat, duty: *duty, forced: true }, log),
            _ => return,
        }
    }
}

/// Visits every free duty and every placement of one die; of the many placements of two and three
/// dice those of one kind on the next vacant spaces.
pub(super) fn visit(ring: &Ring, duties: &Duties, supply: Dice, visit: Visit<'_, Action>) -> Completeness {
    if duties.free().try_for_each(|duty| visit(Action::TakeDuty { duty })).is_break() {
        return Completeness::Complete;
    }
    let mut vacant = ArrayVec::<Space, SPACES>::new();
    vacant.extend(Space::all().filter(|space| ring[space.index()].is_none()));
    match visit_placements(&vacant, supply, visit) {
        ControlFlow::Continue(()) if vacant.len() > 1 => Completeness::Sample,
        // Who breaks off has seen enough.
        ControlFlow::Continue(()) | ControlFlow::Break(()) => Completeness::Complete,
    }
}

fn visit_placements(vacant: &[Space], supply: Dice, visit: Visit<'_, Action>) -> ControlFlow<()> {
    let mut kinds = ArrayVec::<Die, { Die::ALL.len() }>::new();
    kinds.extend(supply.kinds());
    let place = |space, die| Placement { space, die };
    for &space in vacant {
        for &die in &kinds {
            visit(Action::PlaceDice { dice: Placements::from_iter([place(space, die)]) })?;
        }
    }
    if let [first, second, ..] = *vacant {
        for &die in kinds.iter().filter(|&&die| supply.count(die) >= 2) {
            visit(Action::PlaceDice { dice: Placements::from_iter([place(first, die), place(second, die)]) })?;
        }
    }
    if let [first, second, third, ..] = *vacant {
        for &die in kinds.iter().filter(|&&die| supply.count(die) >= 3) {
            let dice = [place(first, die), place(second, die), place(third, die)];
            visit(Action::PlaceDice { dice: Placements::from_iter(dice) })?;
        }
    }
    ControlFlow::Continue(())
}

fn not_so_many(dice: usize) -> Refusal {
    Refusal::new(
        "sai.place-dice",
        Text::new(
            format!("A turn places one to three dice, not {dice}; place so many, or take a duty instead."),
            format!("置けるのは1個から3個までです（{dice}個でした）。かわりに担当カードを取ることもできます。"),
        ),
    )
}

fn occupied(space: Space, ring: &Ring) -> Refusal {
    let vacant: Vec<_> =
        Space::all().filter(|space| ring[space.index()].is_none()).map(|space| serde_json::json!(space)).collect();
    let number = space.index();
    Refusal::new(
        "sai.place-dice",
        Text::new(
            format!("A space holds one die, and space {number} has one; choose a vacant space."),
            format!("1つのスペースに置ける賽子は1つです。スペース{number}には賽子があります。空いたスペースを選んでください。"),
        ),
    )
    .with("vacant", vacant)
}

fn used_up(die: Die, supply: Dice) -> Refusal {
    let name = serde_json::json!(die);
    let left = supply.count(die);
    Refusal::new(
        "sai.place-dice",
        Text::new(
            format!("The supply holds {left} of {name}; place only dice that it holds."),
            format!("{name}は残り{left}個です。残っている賽子だけを置いてください。"),
        ),
    )
    .with("supply", serde_json::json!(supply))
}

fn prepared() -> Refusal {
    not_now(
        "sai.prepare",
        "This round is prepared already; dice are placed and duties taken before the tower is begun.",
        "この回の準備は終わっています。賽子と担当は積み上げる前に決めます。",
    )
}
