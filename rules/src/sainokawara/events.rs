//! What happens in a match, and what each event does to the state. All of it is public.

use arrayvec::ArrayVec;
use physics::pose::Pose;
use physics::world::Shift;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::actions::Placement;
use super::board::{Duties, Duty, Ring, SPACES, Space, filled};
use super::dice::Die;
use super::scoring::{Steps, at_goal};
use super::simulated::{Landing, Tower};
use super::state::{Hand, Phase, Sainokawara, Site};
use crate::seat::Seat;
use crate::time::Timestamp;

/// Why the tower counts as fallen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sainokawara::Cause)]
pub enum Cause {
    /// A seat saw it fall.
    Reported,
    /// The stacker's time ran out.
    Clock,
    /// It fell in the simulated world.
    World,
}

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sainokawara::Event)]
pub enum Event {
    /// Duties and dice lie ready for a new round.
    RoundBegan {
        /// The round, counted from 1.
        round: u32,
        /// The seat whose turn the preparation begins with.
        seat: Seat,
    },
    /// A seat put dice on the ring.
    DicePlaced {
        /// The seat.
        seat: Seat,
        /// Which die on which space.
        #[schema(value_type = Vec<Placement>, min_items = 1, max_items = 3)]
        dice: ArrayVec<Placement, 3>,
        /// The seat could do nothing else, so the table did it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forced: bool,
    },
    /// A seat took a duty card.
    DutyTaken {
        /// The seat.
        seat: Seat,
        /// The card.
        duty: Duty,
        /// The seat could do nothing else, so the table did it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forced: bool,
    },
    /// The owner of "1–3" rolled for the die to begin with; its clock runs.
    StartRolled {
        /// The seat.
        seat: Seat,
        /// The two order dice.
        dice: [u8; 2],
        /// The space that carries their sum.
        space: Space,
        /// The dice in stacking order.
        order: [Die; SPACES],
        /// When the time for dice 1 to 3 runs out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline_at: Option<Timestamp>,
    },
    /// The stacker took the next die, and the blame with it.
    DieTaken {
        /// The seat.
        seat: Seat,
        /// The die's number in the tower, from 1.
        number: u8,
        /// What it is.
        die: Die,
        /// When the stacker's time runs out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline_at: Option<Timestamp>,
    },
    /// The die stands and the stacker has let go of it.
    DieReleased {
        /// The seat.
        seat: Seat,
        /// The die's number in the tower, from 1.
        number: u8,
        /// What it is.
        die: Die,
        /// When the time for the next die runs out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline_at: Option<Timestamp>,
    },
    /// The next stacker asked for the pause before its die.
    PauseRequested {
        /// The seat.
        seat: Seat,
        /// When the pause is over.
        until: Timestamp,
    },
    /// The pause is over: the blame is the next stacker's, and its clock runs.
    PauseEnded {
        /// The seat.
        seat: Seat,
        /// When its time runs out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline_at: Option<Timestamp>,
    },
    /// Simulated: the stacker set its die down and the world came to rest.
    SetDown {
        /// The seat.
        seat: Seat,
        /// The die's number in the tower, from 1.
        number: u8,
        /// What it is.
        die: Die,
        /// The face it was to stand on.
        face: u8,
        /// Where the trembling hand let go, from the middle of the table.
        at: Shift,
        /// What came of it.
        landing: Landing,
        /// Where the dice are now, from the bottom, this one last.
        poses: Tower,
    },
    /// Simulated: the die that missed is taken off the table again.
    Cleared {
        /// The seat.
        seat: Seat,
        /// The die's number in the tower, from 1.
        number: u8,
        /// What it is.
        die: Die,
        /// Where the dice are now, from the bottom.
        poses: Tower,
    },
    /// Simulated: the stacker nudged a die and the world came to rest.
    Adjusted {
        /// The seat.
        seat: Seat,
        /// The nudged die's number in the tower, from 1.
        number: u8,
        /// How far the trembling hand pushed it.
        by: Shift,
        /// Where the dice are now, from the bottom.
        poses: Tower,
    },
    /// The tower fell.
    TowerFell {
        /// The seat to blame.
        seat: Seat,
        /// The die at which it fell, from 1.
        number: u8,
        /// What that die is.
        die: Die,
        /// Why it counts as fallen.
        cause: Cause,
        /// Who reported it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reporter: Option<Seat>,
    },
    /// All fourteen dice stand.
    TowerCompleted {
        /// The owner of the duty "14".
        seat: Seat,
    },
    /// The pieces moved.
    Scored {
        /// The steps ahead that each seat was given.
        #[schema(value_type = Vec<u8>)]
        moves: Steps,
        /// Where each seat's piece stands now.
        #[schema(value_type = Vec<u8>)]
        track: Steps,
    },
}

impl Event {
    /// Where the simulated world came to rest in this event.
    pub(super) fn poses(&self) -> Option<&[Pose]> {
        match self {
            Self::SetDown { poses, .. } | Self::Cleared { poses, .. } | Self::Adjusted { poses, .. } => Some(poses),
            _ => None,
        }
    }
}

impl Sainokawara {
    /// Whether the event could happen at the table as it stands: its seats are there, and so are the
    /// dice that it moves.
    pub(super) fn event_fits(&self, event: &Event) -> bool {
        let is_here = |seat: &Seat| self.seats.has(*seat);
        match (&self.phase, event) {
            (_, Event::RoundBegan { round, seat }) => is_here(seat) && (self.round..=self.round + 1).contains(round),
            (Phase::Preparation { ring, .. }, Event::DicePlaced { seat, dice, .. }) => {
                is_here(seat) && dice.iter().all(|placed| ring[placed.space.index()].is_none())
            }
            (Phase::Preparation { .. }, Event::DutyTaken { seat, .. })
            | (Phase::StartRoll { .. }, Event::StartRolled { seat, .. }) => is_here(seat),
            (Phase::Stacking(site), event) => self.fits_stacking(site, event),
            _ => false,
        }
    }

    /// Whether the event could happen while a tower is built.
    fn fits_stacking(&self, site: &Site, event: &Event) -> bool {
        let stacked = usize::from(site.stacked());
        let is_next = |seat: &Seat, number: u8, die: Die| {
            self.seats.has(*seat) && number == site.next && site.next_die() == Some(die)
        };
        match event {
            Event::DieTaken { seat, number, die, .. } => is_next(seat, *number, *die),
            Event::DieReleased { seat, number, die, .. } => {
                is_next(seat, *number, *die) && (self.is_reported() || site.tower.len() == stacked + 1)
            }
            Event::SetDown { seat, number, die, landing, poses, .. } => {
                let is_gone = *landing == Landing::Missed && poses.len() == stacked;
                is_next(seat, *number, *die) && (is_gone || poses.len() == stacked + 1)
            }
            Event::Cleared { seat, number, die, poses } => is_next(seat, *number, *die) && poses.len() == stacked,
            Event::Adjusted { seat, number, poses, .. } => {
                self.seats.has(*seat) && (1..=stacked).contains(&usize::from(*number)) && poses.len() == stacked
            }
            Event::PauseRequested { seat, .. }
            | Event::PauseEnded { seat, .. }
            | Event::TowerFell { seat, .. }
            | Event::TowerCompleted { seat } => self.seats.has(*seat),
            Event::Scored { moves, track } => [moves, track].iter().all(|steps| steps.len() == self.seats.get()),
            _ => false,
        }
    }

    /// What an event does to the state.
    pub(super) fn take(&mut self, event: &Event) {
        match *event {
            Event::RoundBegan { round, seat } => {
                self.round = round;
                self.supply = self.options.dice;
                self.phase = Phase::Preparation { turn: seat, ring: Ring::default(), duties: Duties::default() };
            }
            Event::DicePlaced { ref dice, .. } => {
                if let Phase::Preparation { ring, .. } = &mut self.phase {
                    for placement in dice {
                        ring[placement.space.index()] = Some(placement.die);
                        self.supply = self.supply.less(placement.die).unwrap_or(self.supply);
                    }
                    self.pass_turn();
                }
            }
            Event::DutyTaken { seat, duty, .. } => {
                if let Phase::Preparation { duties, .. } = &mut self.phase {
                    *duties = duties.with(duty, seat);
                    self.pass_turn();
                }
            }
            Event::StartRolled { space, order, deadline_at, .. } => {
                if let Phase::StartRoll { owners, .. } = self.phase {
                    let hand = Hand::Idle;
                    let site =
                        Site { owners, first: space, order, next: 1, hand, deadline: deadline_at, tower: Tower::new() };
                    self.phase = Phase::Stacking(site);
                }
            }
            Event::Scored { ref track, .. } => {
                self.track.clone_from(track);
                if !at_goal(track, self.seats).is_empty() {
                    self.phase = Phase::Over;
                }
            }
            Event::DieTaken { deadline_at, .. } => self.stack(|site| {
                site.hand = Hand::Holding;
                site.deadline = deadline_at;
            }),
            Event::DieReleased { deadline_at, .. } => self.stack(|site| {
                site.next += 1;
                site.hand = Hand::Idle;
                site.deadline = deadline_at;
            }),
            Event::PauseRequested { until, .. } => self.stack(|site| {
                site.hand = Hand::Pausing { until };
                site.deadline = None;
            }),
            Event::PauseEnded { deadline_at, .. } => self.stack(|site| {
                site.hand = Hand::Paused;
                site.deadline = deadline_at;
            }),
            Event::SetDown { landing, ref poses, .. } => self.stack(|site| {
                site.tower.clone_from(poses);
                if landing == Landing::Missed {
                    site.tower.truncate(usize::from(site.stacked()));
                }
            }),
            Event::Cleared { ref poses, .. } | Event::Adjusted { ref poses, .. } => {
                self.stack(|site| site.tower.clone_from(poses));
            }
            Event::TowerFell { .. } | Event::TowerCompleted { .. } => {}
        }
    }

    /// After a turn of the preparation: the next seat's, or the roll once all is prepared.
    fn pass_turn(&mut self) {
        let Phase::Preparation { turn, ring, duties } = &mut self.phase else { return };
        *turn = self.seats.after(*turn);
        if let Some(owners) = duties.all_taken()
            && let Some(ring) = filled(ring)
        {
            self.phase = Phase::StartRoll { ring, owners };
        }
    }

    fn stack(&mut self, change: impl FnOnce(&mut Site)) {
        if let Phase::Stacking(site) = &mut self.phase {
            change(site);
        }
    }
}
