//! The tower that the physics engine holds: setting dice down, nudging them, and what has fallen.

use arrayvec::ArrayVec;
use physics::decimal::Milli;
use physics::pose::Pose;
use physics::solid::{Shape, Solid};
use physics::world::{Body, Shift, Touch, lowest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::actions::{Action, not_now};
use super::board::SPACES;
use super::dice::Die;
use super::events::{Cause, Event};
use super::reported;
use super::state::{Hand, Phase, Sainokawara, Site};
use crate::game::{Completeness, Context, Game, Visit};
use crate::seat::Seat;
use crate::text::{Refusal, Text};

/// Where the dice of a tower are, from the bottom.
pub type Tower = Vec<Pose>;

/// A die may be set down at most so far from the axis of the one below, in millimetres.
const REACH: f64 = 60.0;
/// A die may be nudged at most so far at once, in millimetres.
const NUDGE: f64 = 10.0;
/// Nothing is turned further than once round, in degrees.
const ROUND: f64 = 360.0;
/// What comes within this of the table lies on it, in millimetres.
const ON_TABLE: f32 = 1.0;

impl Die {
    /// Its solid, in millimetres between opposite faces. Cubes come in 16 mm as the usual size, 14 mm
    /// and 12 mm (<https://www.measuringknowhow.com/standard-dice-size/>); d8, medium d10 and d20 have
    /// the sizes that a generator of dice sets starts from (`d8_size`, `d10_size` and `d20_size` in
    /// <https://github.com/charmaur/PolyDiceGenerator> 0.26.5). The small d10's 13 mm are our choice.
    pub const fn solid(self) -> Solid {
        let (shape, size) = match self {
            Self::D6Large => (Shape::Cube, 16.0),
            Self::D6Medium => (Shape::Cube, 14.0),
            Self::D6Small => (Shape::Cube, 12.0),
            Self::D8 => (Shape::Octahedron, 15.0),
            Self::D10Medium => (Shape::Trapezohedron, 16.0),
            Self::D10Small => (Shape::Trapezohedron, 13.0),
            Self::D20 => (Shape::Icosahedron, 20.0),
        };
        Solid { shape, size }
    }
}

/// What came of setting a die down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sainokawara::Landing)]
pub enum Landing {
    /// It stands on the tower.
    Stands,
    /// It lies on the table and no other die has fallen: it may be tried again.
    Missed,
    /// It brought the tower down.
    Felled,
}

/// `sai.stack`: sets the next die down.
pub(super) fn stack(
    game: &mut Sainokawara,
    seat: Seat,
    aim: Shift,
    face: u8,
    context: &mut Context<'_>,
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let (site, die) = site(game)?;
    within("sai.stack", aim, REACH)?;
    let (solid, number) = (die.solid(), site.next);
    if face == 0 || face > solid.shape.faces() {
        let faces = solid.shape.faces();
        return Err(Refusal::new(
            "sai.stack",
            Text::new(
                format!("The die has no face {face}: they are 1 to {faces}."),
                format!("この賽子に面{face}はありません（1から{faces}まで）。"),
            ),
        )
        .with("faces", faces));
    }
    let standing = bodies(site);
    let below = standing.last().map_or([0.0; 3], |body| body.pose.centre());
    let tremor = game.options.tremor;
    take(game, seat, log);
    let strayed = tremor.stray(aim, context.chance);
    let at = Shift {
        x: Milli::round(below[0] + strayed.x.get()),
        y: Milli::round(below[1] + strayed.y.get()),
        turn: strayed.turn,
    };
    let poses: Tower = context.world.touch(&standing, &Touch::SetDown { solid, face, at });
    let landing = if has_fallen(&standing, &poses) {
        Landing::Felled
    } else if poses.get(standing.len()).is_none_or(|&pose| number > 1 && on_table(&Body { solid, pose })) {
        Landing::Missed
    } else {
        Landing::Stands
    };
    game.emit(Event::SetDown { seat, number, die, face, at, landing, poses }, log);
    match landing {
        Landing::Stands => reported::finish_die(game, seat, context.now, log),
        Landing::Missed => {
            let left = game.tower_bodies();
            let poses = context.world.touch(&left, &Touch::LetBe);
            let fell = has_fallen(&left, &poses);
            game.emit(Event::Cleared { seat, number, die, poses }, log);
            if fell {
                reported::fall(game, seat, number, Cause::World, None, log);
            }
        }
        Landing::Felled => reported::fall(game, seat, number, Cause::World, None, log),
    }
    Ok(())
}

/// `sai.one-hand`: nudges a die that stands.
pub(super) fn adjust(
    game: &mut Sainokawara,
    seat: Seat,
    number: u8,
    by: Shift,
    context: &mut Context<'_>,
    log: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let (site, _) = site(game)?;
    within("sai.one-hand", by, NUDGE)?;
    if number == 0 || number > site.stacked() {
        let stacked = site.stacked();
        return Err(Refusal::new(
            "sai.one-hand",
            Text::new(
                format!("Die {number} does not stand: dice are numbered from 1 at the bottom, and {stacked} stand."),
                format!("{number}個目の賽子は積まれていません。下から数えて{stacked}個が積まれています。"),
            ),
        )
        .with("stacked", stacked));
    }
    let (standing, next) = (bodies(site), site.next);
    let tremor = game.options.tremor;
    take(game, seat, log);
    let by = tremor.stray(by, context.chance);
    let touch = Touch::Nudge { index: usize::from(number) - 1, by };
    let poses = context.world.touch(&standing, &touch);
    let fell = has_fallen(&standing, &poses);
    game.emit(Event::Adjusted { seat, number, by, poses }, log);
    if fell {
        reported::fall(game, seat, next, Cause::World, None, log);
    }
    Ok(())
}

/// Visits a sample of what the stacker may do: the poses are a continuum.
pub(super) fn visit(site: &Site, visit: Visit<'_, Action>) -> Completeness {
    let shift = |x: f64| (Milli::round(x), Milli::default(), Milli::default());
    let stack = [0.0, 2.0, -2.0].map(shift).map(|(x, y, turn)| Action::Stack { x, y, turn, face: 1 });
    let adjust = (site.stacked() > 0).then(|| {
        let (x, y, turn) = shift(0.5);
        Action::Adjust { die: site.stacked(), x, y, turn }
    });
    let _ = stack.into_iter().chain(adjust).try_for_each(visit);
    Completeness::Sample
}

/// `sai.blame`: with the first touch the stacker has taken its die.
fn take(game: &mut Sainokawara, seat: Seat, log: &mut Vec<Event>) {
    let Phase::Stacking(site) = &game.phase else { return };
    if let (Hand::Idle, Some(die)) = (site.hand, site.next_die()) {
        game.emit(Event::DieTaken { seat, number: site.next, die, deadline_at: site.deadline }, log);
    }
}

/// `sai.collapse`: whether one of the dice that stood, other than the bottom one, lies on the table
/// or has dropped by more than half its size.
fn has_fallen(before: &[Body], after: &[Pose]) -> bool {
    before.iter().zip(after).skip(1).any(|(body, &pose)| {
        let dropped = body.pose.centre()[2] - pose.centre()[2];
        dropped > f64::from(body.solid.size) / 2.0 || on_table(&Body { pose, ..*body })
    })
}

fn on_table(body: &Body) -> bool {
    lowest(body) < ON_TABLE
}

/// The dice that stand.
fn bodies(site: &Site) -> ArrayVec<Body, SPACES> {
    let standing = site.order.iter().zip(&site.tower).take(site.stacked().into());
    standing.map(|(die, &pose)| Body { solid: die.solid(), pose }).collect()
}

impl Sainokawara {
    fn tower_bodies(&self) -> ArrayVec<Body, SPACES> {
        match &self.phase {
            Phase::Stacking(site) => bodies(site),
            Phase::Preparation { .. } | Phase::StartRoll { .. } | Phase::Over => ArrayVec::new(),
        }
    }
}

/// The tower that the engine holds, and the die that is next.
fn site(game: &Sainokawara) -> Result<(&Site, Die), Refusal> {
    if game.is_reported() {
        return Err(not_now(
            "sai.stack",
            "The dice of this match are real: use take_die and release_die.",
            "この試合は本物の賽子で行います。take_die と release_die を使ってください。",
        ));
    }
    match &game.phase {
        Phase::Stacking(site) => site.next_die().map(|die| (site, die)),
        Phase::Preparation { .. } | Phase::StartRoll { .. } | Phase::Over => None,
    }
    .ok_or_else(reported::not_stacking)
}

/// Whether a touch is in reach; `rule` is the one that a touch too far breaks.
fn within(rule: &'static str, shift: Shift, reach: f64) -> Result<(), Refusal> {
    let far = [shift.x, shift.y].into_iter().any(|part| part.get().abs() > reach);
    if !far && shift.turn.get().abs() <= ROUND {
        return Ok(());
    }
    Err(Refusal::new(
        rule,
        Text::new(
            format!(
                "That is out of reach: x and y go from -{reach} to {reach} mm, turn from -{ROUND} to {ROUND} degrees."
            ),
            format!("手が届きません。x と y は-{reach}から{reach}ミリメートル、turn は-{ROUND}から{ROUND}度までです。"),
        ),
    ))
}
