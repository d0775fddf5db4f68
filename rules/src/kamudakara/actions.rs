//! What seats may do, and whether a rule forbids it.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Blessing, Card, Cards};
use super::events::Event;
use super::options::Side;
use super::refusals;
use super::state::{Kamudakara, Offer, Phase, Reception, Step};
use crate::seat::Seat;
use crate::text::Refusal;

/// The seats that demons go to; a seat that is named twice gets two.
pub type Recipients = ArrayVec<Seat, { Card::COPIES as usize }>;

/// What a seat may do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = kamudakara::Action, examples(
    json!({"type": "choose_opening", "cards": ["sword", "jewel"]}),
    json!({"type": "rite", "card": "jewel", "to": 1, "show": "left"}),
    json!({"type": "rite_choose", "take": "hidden"}),
    json!({"type": "ritual_keep", "keep": "mirror", "return_to": "bottom"})
))]
pub enum Action {
    /// At the beginning: two hand cards for the own storehouse, turned up together with the others'.
    ChooseOpening {
        /// The two cards.
        cards: Cards,
    },
    /// 神事: draw two cards.
    Ritual {},
    /// 神事: keep one of the two cards drawn and put the other back.
    RitualKeep {
        /// The card that goes to the hand.
        keep: Card,
        /// Where the other goes.
        return_to: End,
    },
    /// 祭祀: offer a treasure card to another seat, one blessing showing.
    Rite {
        /// The treasure card.
        card: Card,
        /// The other seat.
        to: Seat,
        /// The side that shows.
        show: Side,
    },
    /// 祭祀: choose from the card that is offered.
    RiteChoose {
        /// What to take.
        take: Take,
    },
    /// 慰霊: receive any blessing for a demon of the hand, which goes to another seat afterwards.
    Memorial {
        /// The blessing.
        blessing: Blessing,
    },
    /// 慰霊: put a demon of the hand face up into the own storehouse.
    MemorialStore {},
    /// When the treasure was taken: which of the two blessings to receive first.
    BlessingOrder {
        /// The first blessing.
        first: Blessing,
    },
    /// How many face-up demons count as treasures in the blessing that is being received.
    UseDemons {
        /// How many, from 0.
        count: u8,
    },
    /// 知: the hand cards that go face up into the storehouse.
    Store {
        /// As many cards as the blessing asks for.
        cards: Cards,
    },
    /// 仁: the hand cards that go face down into the storehouse.
    Veil {
        /// As many cards as were drawn.
        cards: Cards,
    },
    /// The other seats that the demons used go to.
    GiveDemons {
        /// One seat a demon, in any order.
        #[schema(value_type = Vec<Seat>, max_items = 12, examples(json!([1, 2])))]
        to: Recipients,
    },
}

/// An end of the deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::End)]
pub enum End {
    /// The next card to be drawn.
    Top,
    /// The last card to be drawn.
    Bottom,
}

/// What may be taken from an offered card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::Take)]
pub enum Take {
    /// The blessing that shows.
    Shown,
    /// The blessing under the sleeve.
    Hidden,
    /// The treasure under the sleeve.
    Treasure,
}

impl Take {
    /// Everything that may be taken.
    pub const ALL: [Self; 3] = [Self::Shown, Self::Hidden, Self::Treasure];
}

impl Kamudakara {
    /// What the action of a seat that owes a decision does, before all that follows from it.
    ///
    /// # Errors
    /// The rule that the action breaks.
    pub(super) fn judge(&self, seat: Seat, action: &Action) -> Result<Event, Refusal> {
        match (&self.phase, action) {
            (Phase::Opening { .. }, &Action::ChooseOpening { cards }) => self.judge_opening(seat, cards),
            (Phase::Turn, Action::Ritual {}) => Ok(self.ritual(false)),
            (Phase::Turn, &Action::Rite { card, to, show }) => self.judge_rite(seat, card, to, show),
            (Phase::Turn, Action::Memorial { .. } | Action::MemorialStore {})
                if self.hands[seat.index()].of(Card::Demon) == 0 =>
            {
                Err(refusals::no_demon_in_hand())
            }
            (Phase::Turn, &Action::Memorial { blessing }) => Ok(Event::MemorialHeld { seat, blessing }),
            (Phase::Turn, Action::MemorialStore {}) => Ok(Event::DemonStored { seat }),
            (&Phase::Ritual { drawn }, &Action::RitualKeep { keep, return_to }) => {
                let mut rest = drawn;
                rest.remove(keep);
                if drawn.of(keep) == 0 {
                    return Err(refusals::not_drawn(drawn));
                }
                Ok(Event::RitualKept { seat, kept: Some(keep), returned: rest.kinds().next(), return_to })
            }
            (Phase::Offer(_), &Action::RiteChoose { take }) => Ok(Event::OfferTaken { seat, take }),
            (&Phase::Order(offer), &Action::BlessingOrder { first }) => self.judge_order(offer, first),
            (Phase::Blessing(reception), action) => self.judge_decision(reception, action),
            _ => Err(refusals::not_now(self, action)),
        }
    }

    fn judge_opening(&self, seat: Seat, cards: Cards) -> Result<Event, Refusal> {
        let hand = self.hands[seat.index()];
        if cards.len() != 2 || !hand.contain(cards) {
            return Err(refusals::not_two_of_hand(hand));
        }
        Ok(Event::OpeningChosen { seat, cards: Some(cards), forced: false })
    }

    fn judge_rite(&self, seat: Seat, card: Card, to: Seat, side: Side) -> Result<Event, Refusal> {
        let Some(treasure) = card.treasure() else { return Err(refusals::demon_offered()) };
        let hand = self.hands[seat.index()];
        if hand.of(card) == 0 {
            return Err(refusals::offered_not_in_hand(card, hand));
        }
        if to == seat || !self.seats.has(to) {
            return Err(refusals::no_other_seat("kd.rite", self.seats, seat));
        }
        let shown = self.options.faces.blessing(treasure, side);
        Ok(Event::Offered { seat, to, shown, card: Some(treasure), side: Some(side) })
    }

    fn judge_order(&self, offer: Offer, first: Blessing) -> Result<Event, Refusal> {
        let blessings = self.blessings(offer);
        if !blessings.contains(&first) {
            return Err(refusals::not_of_the_card(blessings));
        }
        Ok(Event::OrderChosen { seat: self.turn, first })
    }

    /// A decision within a blessing.
    fn judge_decision(&self, reception: &Reception, action: &Action) -> Result<Event, Refusal> {
        let &Reception { seat, blessing, step, .. } = reception;
        match (step, blessing, action) {
            (Step::Declare, _, &Action::UseDemons { count }) => {
                let most = self.most_demons(seat, blessing);
                if count > most {
                    let open = self.storehouses[seat.index()].open.of(Card::Demon);
                    return Err(refusals::too_many_demons(most, open));
                }
                Ok(Event::DemonsUsed { seat, count, forced: false })
            }
            (Step::Put { count, .. }, Blessing::Wisdom, &Action::Store { cards })
            | (Step::Put { count, .. }, Blessing::Benevolence, &Action::Veil { cards }) => {
                let hand = self.hands[seat.index()];
                if cards.len() != count || !hand.contain(cards) {
                    return Err(refusals::not_so_many_of_hand(blessing, count, hand));
                }
                Ok(Self::put(seat, blessing, cards, false))
            }
            (Step::Give { count }, _, Action::GiveDemons { to }) => {
                let rule = reception.rule_of_giving(count);
                if to.iter().any(|&other| other == seat || !self.seats.has(other)) {
                    return Err(refusals::no_other_seat(rule, self.seats, seat));
                }
                if to.len() != usize::from(count) {
                    return Err(refusals::not_so_many_seats(rule, count));
                }
                let mut to = to.clone();
                to.sort_unstable();
                Ok(Event::DemonsGiven { seat, to, forced: false })
            }
            _ => Err(refusals::not_now(self, action)),
        }
    }
}
