//! What a match may choose, and the scripts that can be.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Blessing, Card, Cards, Treasure};
use crate::chance::Script;
use crate::seat::SeatCount;
use crate::text::{Fault, Text};

/// What a match of kamudakara may choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = kamudakara::Options)]
pub struct Options {
    /// The blessings on each treasure card.
    pub faces: Faces,
    /// How many rounds are played; their points add up.
    #[schema(minimum = 1, maximum = 8, default = 1, examples(4))]
    pub rounds: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { faces: Faces::default(), rounds: 1 }
    }
}

/// The two blessings on each treasure card, left and right. They differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = kamudakara::Faces, examples(json!({
    "sword": ["wisdom", "benevolence"], "mirror": ["courage", "benevolence"], "jewel": ["courage", "wisdom"]
})))]
pub struct Faces {
    /// On the sword.
    pub sword: [Blessing; 2],
    /// On the mirror.
    pub mirror: [Blessing; 2],
    /// On the jewel.
    pub jewel: [Blessing; 2],
}

/// Each treasure carries the two blessings that are not its own, so that a shown blessing leaves
/// two cards possible (rule `kd.faces`; the pictures are missing from the publisher's text).
impl Default for Faces {
    fn default() -> Self {
        use Blessing::{Benevolence, Courage, Wisdom};
        Self { sword: [Wisdom, Benevolence], mirror: [Courage, Benevolence], jewel: [Courage, Wisdom] }
    }
}

/// A side of a treasure card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::Side)]
pub enum Side {
    /// The left blessing.
    Left,
    /// The right blessing.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

impl Faces {
    /// The blessing on one side of a treasure card.
    pub const fn blessing(&self, treasure: Treasure, side: Side) -> Blessing {
        let face = match treasure {
            Treasure::Sword => &self.sword,
            Treasure::Mirror => &self.mirror,
            Treasure::Jewel => &self.jewel,
        };
        face[side as usize]
    }
}

/// Everything that is wrong with the options and the script.
pub(super) fn check(options: &Options, seats: SeatCount, script: &Script) -> Vec<Fault> {
    let mut faults = Vec::new();
    if !(1..=8).contains(&options.rounds) {
        let rounds = options.rounds;
        faults.push(Fault::new(
            "options.rounds",
            Text::new(
                format!("a match has 1 to 8 rounds, not {rounds}"),
                format!("回戦数は1から8までです（{rounds}でした）"),
            ),
        ));
    }
    for treasure in Treasure::ALL {
        let [left, right] = Side::BOTH.map(|side| options.faces.blessing(treasure, side));
        if left == right {
            let name = Card::from(treasure).name();
            faults.push(Fault::new(
                format!("options.faces.{name}"),
                Text::new(
                    format!("the two blessings of the {name} must differ"),
                    format!("{name}の左右には異なる加護を指定してください"),
                ),
            ));
        }
    }
    faults.extend(script_fault(options, seats, script));
    faults
}

/// The first card of the script that cannot be: no card at all, one too many of its kind in a
/// round's pile, or beyond the last round's pile.
fn script_fault(options: &Options, seats: SeatCount, script: &Script) -> Option<Fault> {
    let fault = |at: usize, en: String, ja: String| Some(Fault::new(format!("sandbox.deck[{at}]"), Text::new(en, ja)));
    let pile = pile(seats);
    let piles = script.deck.chunks(pile.len().into());
    for (round, names) in piles.enumerate() {
        let first = round * usize::from(pile.len());
        if round >= options.rounds.into() {
            let most = first;
            return fault(
                first,
                format!("the piles of this match hold {most} cards in all; leave out what follows"),
                format!("この試合の山札は合計{most}枚です。以降の札を除いてください"),
            );
        }
        let mut left = pile;
        for (at, name) in (first..).zip(names) {
            let Some(card) = Card::parse(name) else {
                return fault(
                    at,
                    format!("{name:?} is no card: they are sword, mirror, jewel and demon"),
                    format!("「{name}」という札はありません（sword、mirror、jewel、demon）"),
                );
            };
            if left.of(card) == 0 {
                let most = pile.of(card);
                return fault(
                    at,
                    format!("a pile holds {most} cards {name}, and here is one more (each seat has a demon already)"),
                    format!("山札の{name}は{most}枚までです（鬼札は各席に先に1枚ずつ配られます）"),
                );
            }
            left.remove(card);
        }
    }
    None
}

/// The cards that are shuffled: all but the demon that each seat has first.
pub(super) fn pile(seats: SeatCount) -> Cards {
    let mut pile: Cards =
        Card::ALL.into_iter().flat_map(|card| std::iter::repeat_n(card, Card::COPIES.into())).collect();
    pile.remove(Cards::some(seats.get() as u8, Card::Demon));
    pile
}
