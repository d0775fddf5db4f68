//! What happens on the table, and what of it each viewer sees.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::actions::{End, Recipients, Take};
use super::cards::{Blessing, Card, Cards, Treasure};
use super::options::Side;
use super::state::SEATS;
use crate::seat::{Seat, Viewer};

/// What happened. `forced` tells that there was only one possible answer, which the table took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = kamudakara::Event, examples(
    json!({"type": "offered", "seat": 0, "to": 1, "shown": "wisdom"}),
    json!({"type": "stored", "seat": 1, "cards": ["sword", "demon"], "forced": false})
))]
pub enum Event {
    /// A round was dealt.
    Dealt {
        /// The round, counted from 1.
        round: u8,
        /// The seat that begins it.
        first: Seat,
        /// The hands; those of others are null.
        #[schema(value_type = Vec<Option<Cards>>)]
        hands: ArrayVec<Option<Cards>, SEATS>,
        /// How many cards each hand has.
        #[schema(value_type = Vec<u8>)]
        hand_sizes: ArrayVec<u8, SEATS>,
        /// How many cards are left.
        deck_size: u8,
        /// The deck, top first; hidden until the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deck: Option<Vec<Card>>,
    },
    /// A seat chose its first two cards, in secret.
    OpeningChosen {
        /// The seat.
        seat: Seat,
        /// The cards, for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        /// Whether the table took the only answer.
        forced: bool,
    },
    /// The first cards of all seats were turned up.
    Opened {
        /// The cards by seat.
        #[schema(value_type = Vec<Cards>)]
        cards: ArrayVec<Cards, SEATS>,
    },
    /// 神事: two cards were drawn, or the only one left, which stays in the hand.
    RitualDrawn {
        /// The seat.
        seat: Seat,
        /// How many.
        count: u8,
        /// The cards, for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        /// Whether nothing else was possible: the hand was empty.
        forced: bool,
    },
    /// 神事: one of the two cards went to the hand, the other back to the deck.
    RitualKept {
        /// The seat.
        seat: Seat,
        /// The card kept, for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Card>,
        /// The card put back, for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        returned: Option<Card>,
        /// Where it was put back.
        return_to: End,
    },
    /// 祭祀: a treasure card was offered under the sleeve.
    Offered {
        /// The seat that offers.
        seat: Seat,
        /// The seat that is to choose.
        to: Seat,
        /// The blessing that shows.
        shown: Blessing,
        /// The card, for the seat that offers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Treasure>,
        /// The side that shows, for the seat that offers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Side>,
    },
    /// 祭祀: the other seat chose.
    OfferTaken {
        /// The seat that chose.
        seat: Seat,
        /// What it took.
        take: Take,
    },
    /// The treasure was taken: the offering seat said which blessing it receives first.
    OrderChosen {
        /// The seat.
        seat: Seat,
        /// The first blessing.
        first: Blessing,
    },
    /// 慰霊: a demon was laid out for a blessing.
    MemorialHeld {
        /// The seat.
        seat: Seat,
        /// The blessing, which it receives now.
        blessing: Blessing,
    },
    /// 慰霊: a demon went face up into the own storehouse.
    DemonStored {
        /// The seat.
        seat: Seat,
    },
    /// A blessing of a rite begins.
    BlessingBegun {
        /// The seat that receives it.
        seat: Seat,
        /// The blessing.
        blessing: Blessing,
    },
    /// The receiver declared how many of its demons count as treasures; they leave its storehouse.
    DemonsUsed {
        /// The seat.
        seat: Seat,
        /// How many.
        count: u8,
        /// Whether the table took the only answer.
        forced: bool,
    },
    /// Cards were drawn by 勇 or 仁.
    Drew {
        /// The seat.
        seat: Seat,
        /// How many.
        count: u8,
        /// The cards, for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
    },
    /// A 知 had no effect: the hand was too small.
    Voided {
        /// The seat.
        seat: Seat,
    },
    /// Hand cards went face up into the own storehouse, by 知.
    Stored {
        /// The seat.
        seat: Seat,
        /// The cards.
        cards: Cards,
        /// Whether the table took the only answer.
        forced: bool,
    },
    /// Hand cards went face down into the own storehouse, by 仁.
    Veiled {
        /// The seat.
        seat: Seat,
        /// How many.
        count: u8,
        /// The cards, for itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        /// Whether the table took the only answer.
        forced: bool,
    },
    /// Demons went face down into the storehouses of others.
    DemonsGiven {
        /// The seat that gave them.
        seat: Seat,
        /// The seats that have one more each, lowest number first.
        #[schema(value_type = Vec<Seat>)]
        to: Recipients,
        /// Whether the table took the only answer.
        forced: bool,
    },
    /// The offered treasure went face up into the storehouse of its owner.
    TreasureStored {
        /// The owner.
        seat: Seat,
        /// The treasure.
        card: Treasure,
    },
    /// The deck had run out at the end of a turn: the round was scored.
    RoundScored {
        /// The round, counted from 1.
        round: u8,
        /// What each seat scored in it.
        #[schema(value_type = Vec<u16>)]
        scores: ArrayVec<u16, SEATS>,
        /// What each seat has in all.
        #[schema(value_type = Vec<u16>)]
        totals: ArrayVec<u16, SEATS>,
    },
}

impl Event {
    /// The event as the viewer may see it.
    pub(super) fn redacted(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        match &mut seen {
            Self::Dealt { hands, deck, .. } => {
                for (hand, seat) in hands.iter_mut().zip((0..).map_while(Seat::new)) {
                    *hand = hand.filter(|_| viewer.sees(seat));
                }
                *deck = deck.take().filter(|_| viewer == Viewer::Everything);
            }
            Self::OpeningChosen { seat, cards, .. }
            | Self::RitualDrawn { seat, cards, .. }
            | Self::Drew { seat, cards, .. }
            | Self::Veiled { seat, cards, .. } => *cards = cards.filter(|_| viewer.sees(*seat)),
            Self::RitualKept { seat, kept, returned, .. } => {
                *kept = kept.filter(|_| viewer.sees(*seat));
                *returned = returned.filter(|_| viewer.sees(*seat));
            }
            // Which side shows would tell the card where two cards carry the blessing on different sides.
            Self::Offered { seat, card, side, .. } => {
                *card = card.filter(|_| viewer.sees(*seat));
                *side = side.filter(|_| viewer.sees(*seat));
            }
            Self::Opened { .. }
            | Self::OfferTaken { .. }
            | Self::OrderChosen { .. }
            | Self::MemorialHeld { .. }
            | Self::DemonStored { .. }
            | Self::BlessingBegun { .. }
            | Self::DemonsUsed { .. }
            | Self::Voided { .. }
            | Self::Stored { .. }
            | Self::DemonsGiven { .. }
            | Self::TreasureStored { .. }
            | Self::RoundScored { .. } => {}
        }
        seen
    }
}
