//! What events do to the table.

use super::actions::{End, Take};
use super::cards::{Blessing, Card, Cards};
use super::events::Event;
use super::state::{Kamudakara, Occasion, Offer, Phase, Reception, Rite, SEATS, Step, Storehouse};
use crate::seat::Seat;

impl Kamudakara {
    /// Takes over what an event says that fits the table.
    pub(super) fn fold_event(&mut self, event: &Event) {
        match event {
            Event::Dealt { round, first, hands, deck, .. } => {
                self.round = round - 1;
                (self.first, self.turn) = (*first, *first);
                self.deck = deck.iter().flatten().rev().copied().collect();
                self.hands = per_seat(hands.iter().map(|hand| hand.unwrap_or_default()));
                self.storehouses = [Storehouse::default(); SEATS];
                self.phase = Phase::Opening { chosen: [None; SEATS] };
            }
            Event::OpeningChosen { seat, cards, .. } => {
                if let Phase::Opening { chosen } = &mut self.phase {
                    chosen[seat.index()] = Some(cards.unwrap_or_default());
                }
            }
            Event::Opened { cards } => {
                for (seat, &cards) in cards.iter().enumerate() {
                    self.hands[seat].remove(cards);
                    self.storehouses[seat].open.add(cards);
                }
                self.phase = Phase::Turn;
            }
            Event::RitualDrawn { seat, count, cards, .. } => {
                let drawn = cards.unwrap_or_default();
                self.shorten_deck(*count);
                if *count == 2 {
                    self.phase = Phase::Ritual { drawn };
                } else {
                    self.hands[seat.index()].add(drawn);
                    self.end_turn();
                }
            }
            Event::RitualKept { seat, kept, returned, return_to } => {
                self.hands[seat.index()].add(kept.map_or(Cards::NONE, Cards::from));
                match (returned, return_to) {
                    (Some(card), End::Top) => self.deck.push(*card),
                    (Some(card), End::Bottom) => self.deck.insert(0, *card),
                    (None, _) => {}
                }
                self.end_turn();
            }
            Event::Offered { seat, to, card, side, .. } => {
                if let (Some(card), Some(side)) = (*card, *side) {
                    self.hands[seat.index()].remove(card);
                    self.phase = Phase::Offer(Offer { to: *to, card, side });
                }
            }
            Event::OfferTaken { take, .. } => {
                if let Phase::Offer(offer) = self.phase {
                    self.phase = self.answered(offer, *take);
                }
            }
            Event::OrderChosen { first, .. } => {
                if let Phase::Order(offer) = self.phase {
                    let [shown, hidden] = self.blessings(offer);
                    let second = if *first == shown { hidden } else { shown };
                    let [next, then] = [*first, second].map(|blessing| Some((self.turn, blessing)));
                    self.phase = Phase::Rite(Rite { card: offer.card, owner: offer.to, next, then });
                }
            }
            Event::MemorialHeld { seat, blessing } => {
                self.hands[seat.index()].remove(Card::Demon);
                self.receive(*seat, *blessing, Occasion::Memorial);
            }
            Event::DemonStored { seat } => {
                self.hands[seat.index()].remove(Card::Demon);
                self.storehouses[seat.index()].open.add(Card::Demon);
                self.end_turn();
            }
            Event::BlessingBegun { seat, blessing } => {
                if let Phase::Rite(rite) = self.phase {
                    let rest = Rite { next: rite.then, then: None, ..rite };
                    self.receive(*seat, *blessing, Occasion::Rite(rest));
                }
            }
            Event::DemonsUsed { seat, count, .. } => {
                self.storehouses[seat.index()].open.remove(Cards::some(*count, Card::Demon));
                self.carry_out(*count);
            }
            Event::Drew { seat, count, cards } => {
                self.shorten_deck(*count);
                self.hands[seat.index()].add(cards.unwrap_or_default());
                self.drawn(*count);
            }
            Event::Voided { .. } => self.carried_out(),
            Event::Stored { seat, cards, .. } => {
                self.hands[seat.index()].remove(*cards);
                self.storehouses[seat.index()].open.add(*cards);
                self.carried_out();
            }
            Event::Veiled { seat, cards, .. } => {
                let cards = cards.unwrap_or_default();
                self.hands[seat.index()].remove(cards);
                self.storehouses[seat.index()].veiled[seat.index()].add(cards);
                self.carried_out();
            }
            Event::DemonsGiven { seat, to, .. } => {
                for other in to {
                    self.storehouses[other.index()].veiled[seat.index()].add(Card::Demon);
                }
                self.received();
            }
            Event::TreasureStored { seat, card } => {
                self.storehouses[seat.index()].open.add(*card);
                self.end_turn();
            }
            Event::RoundScored { round, totals, .. } => {
                self.points = per_seat(totals.iter().copied());
                self.phase = Phase::Over;
                if *round < self.options.rounds {
                    self.round = *round;
                    self.first = self.seats.after(self.first);
                    self.phase = Phase::Dealing;
                }
            }
        }
    }

    fn shorten_deck(&mut self, count: u8) {
        self.deck.truncate(self.deck.len().saturating_sub(count.into()));
    }

    /// Rule `kd.rite`: the other seat receives first, the offering seat what was not chosen.
    fn answered(&self, offer: Offer, take: Take) -> Phase {
        let [shown, hidden] = self.blessings(offer);
        let (chosen, left) = match take {
            Take::Shown => (shown, hidden),
            Take::Hidden => (hidden, shown),
            Take::Treasure => return Phase::Order(offer),
        };
        let (next, then) = (Some((offer.to, chosen)), Some((self.turn, left)));
        Phase::Rite(Rite { card: offer.card, owner: self.turn, next, then })
    }

    fn receive(&mut self, seat: Seat, blessing: Blessing, occasion: Occasion) {
        self.phase = Phase::Blessing(Reception { seat, blessing, occasion, step: Step::Declare });
        if self.storehouses[seat.index()].open.of(Card::Demon) == 0 {
            self.carry_out(0);
        }
    }

    /// What the blessing does with so many demons declared.
    fn carry_out(&mut self, demons: u8) {
        let Phase::Blessing(reception) = &mut self.phase else { return };
        let (seat, blessing) = (reception.seat.index(), reception.blessing);
        let strength = self.storehouses[seat].open.of(blessing.counts()) + demons;
        reception.step = match blessing {
            Blessing::Courage | Blessing::Benevolence => {
                Step::Draw { demons, count: strength.min(self.deck.len() as u8) }
            }
            Blessing::Wisdom if strength > self.hands[seat].len() => Step::Void { demons },
            Blessing::Wisdom => Step::Put { demons, count: strength },
        };
    }

    /// Rule `kd.benevolence`: as many cards as were drawn are veiled. With 勇 that is all.
    fn drawn(&mut self, count: u8) {
        if let Phase::Blessing(Reception { blessing: Blessing::Benevolence, step, .. }) = &mut self.phase
            && let Step::Draw { demons, .. } = *step
            && count > 0
        {
            *step = Step::Put { demons, count };
        } else {
            self.carried_out();
        }
    }

    /// The blessing has done its work: demons may be left to give away.
    fn carried_out(&mut self) {
        let Phase::Blessing(Reception { occasion, step, .. }) = &mut self.phase else { return };
        let (Step::Draw { demons, .. } | Step::Void { demons } | Step::Put { demons, .. }) = *step else { return };
        let count = match occasion {
            Occasion::Rite(_) => demons,
            Occasion::Memorial => demons + 1,
        };
        if count > 0 {
            *step = Step::Give { count };
        } else {
            self.received();
        }
    }

    fn received(&mut self) {
        let Phase::Blessing(reception) = &self.phase else { return };
        match reception.occasion {
            Occasion::Rite(rite) => self.phase = Phase::Rite(rite),
            Occasion::Memorial => self.end_turn(),
        }
    }

    /// Rule `kd.end`: what counts is the deck at the end of the turn.
    fn end_turn(&mut self) {
        if self.deck.is_empty() {
            self.phase = Phase::RoundOver;
        } else {
            self.turn = self.seats.after(self.turn);
            self.phase = Phase::Turn;
        }
    }
}

/// A value for every seat there can be; seats that the table does not have get the default.
fn per_seat<T: Default>(values: impl IntoIterator<Item = T>) -> [T; SEATS] {
    let mut values = values.into_iter();
    std::array::from_fn(|_| values.next().unwrap_or_default())
}
