//! How a hand trembles.

use physics::decimal::Milli;
use physics::world::Shift;

use super::options::Tremor;
use crate::chance::Chance;

impl Tremor {
    /// The standard deviation of where the hand lets go, along each axis, in millimetres.
    const fn spread(self) -> f64 {
        match self {
            Self::Steady => 0.25,
            Self::Normal => 1.0,
            Self::Shaky => 1.6,
        }
    }

    /// Degrees that the hand turns for each millimetre it strays.
    const TURN: f64 = 3.0;

    /// Where the hand really goes: the aim and the match's chance. `docs/chance.md` says the same.
    pub fn stray(self, aim: Shift, chance: &mut Chance) -> Shift {
        let mut off = |value: Milli, scale: f64| Milli::round(value.get() + self.spread() * scale * bell(chance));
        Shift { x: off(aim.x, 1.0), y: off(aim.y, 1.0), turn: off(aim.turn, Self::TURN) }
    }
}

/// Near enough to a normal deviate, and never beyond 3.5: the sum of four even ones.
fn bell(chance: &mut Chance) -> f64 {
    const EVEN: u32 = 1000;
    let sum: u32 = (0..4).map(|_| chance.below(2 * EVEN + 1)).sum();
    let unit = f64::from(sum) / f64::from(EVEN) - 4.0;
    unit * 0.75_f64.sqrt()
}
