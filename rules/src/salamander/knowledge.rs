//! What each seat can tell of the others' hands from all that it has seen.
//!
//! A hand that rests between turns is empty, one card, or two of different kinds: 76 hands. What
//! an observer knows of one is the set of those that fit everything it saw, and each event makes
//! of that set the set of hands that may come of it. Nothing is kept that a careful player could
//! not have noted down, and nothing of that is lost.

use super::cards::{Card, Counts, Room};
use super::hand::Hand;
use super::state::PerSeat;
use crate::seat::{Seat, SeatCount};

/// A set of hands: bit 0 is the empty one, then come the 14 of one card and the 61 of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hands(u128);

/// The hands with a given card.
const WITH: [u128; Card::COUNT] = {
    let mut with = [0; Card::COUNT];
    let (mut one, mut pair) = (0, 1 + Card::COUNT);
    while one < Card::COUNT {
        with[one] |= 1 << (1 + one);
        let mut other = one + 1;
        while other < Card::COUNT {
            if Card::ALL[one].kind() as u8 != Card::ALL[other].kind() as u8 {
                with[one] |= 1 << pair;
                with[other] |= 1 << pair;
                pair += 1;
            }
            other += 1;
        }
        one += 1;
    }
    with
};

const EMPTY: u128 = 1;
const SINGLES: u128 = ((1 << Card::COUNT) - 1) << 1;
const PAIRS: u128 = {
    let mut all = 0;
    let mut card = 0;
    while card < Card::COUNT {
        all |= WITH[card];
        card += 1;
    }
    all & !SINGLES
};

const fn with(card: Card) -> u128 {
    WITH[card.index()]
}

const fn single(card: Card) -> u128 {
    with(card) & SINGLES
}

/// All hands that hold one of these cards.
fn with_any(cards: impl IntoIterator<Item = Card>) -> u128 {
    cards.into_iter().fold(0, |hands, card| hands | with(card))
}

impl Hands {
    /// The empty hand alone.
    pub const NO_CARD: Self = Self(EMPTY);
    /// Every hand of one card.
    pub const ONE_CARD: Self = Self(SINGLES);
    /// Every hand of two cards.
    pub const TWO_CARDS: Self = Self(PAIRS);

    /// This resting hand and no other.
    pub fn exactly(hand: &Hand) -> Self {
        match *hand.cards() {
            [] => Self::NO_CARD,
            [card] => Self(single(card)),
            [one, other, ..] => Self(with(one) & with(other)),
        }
    }

    /// Whether the hand is one of these.
    pub fn allow(self, hand: &Hand) -> bool {
        self.0 & Self::exactly(hand).0 != 0
    }

    /// Whether every one of these hands has the card.
    pub fn surely_hold(self, card: Card) -> bool {
        self.0 & !with(card) == 0
    }

    /// Whether none of these hands has the card.
    pub fn surely_lack(self, card: Card) -> bool {
        self.0 & with(card) == 0
    }

    /// Those with the card.
    #[must_use]
    pub fn holding(self, card: Card) -> Self {
        Self(self.0 & with(card))
    }

    /// Those without the card.
    #[must_use]
    pub fn lacking(self, card: Card) -> Self {
        Self(self.0 & !with(card))
    }

    /// Those of which a claim or an answer holds true.
    #[must_use]
    pub fn answering(self, card: Card, held: bool) -> Self {
        if held { self.holding(card) } else { self.lacking(card) }
    }

    /// Those that a stone marker in this room agrees with.
    #[must_use]
    pub fn agreeing_with(self, room: Room) -> Self {
        Self(self.0 & !with_any(Card::ALL.into_iter().filter(|&card| !room.has(card))))
    }

    /// What becomes of them by drawing a card that they can all keep.
    #[must_use]
    pub fn after_drawing(self) -> Self {
        let first = if self.0 & EMPTY == 0 { 0 } else { SINGLES };
        Self(first | with_any(Card::ALL.into_iter().filter(|&card| self.0 & single(card) != 0)) & PAIRS)
    }

    /// What becomes of them by drawing a card and laying this one down. Where that was `forced`,
    /// the card drawn was its equal.
    #[must_use]
    pub fn after_discarding(self, card: Card, forced: bool) -> Self {
        if forced {
            return self.holding(card);
        }
        // The drawn card itself went: a hand of one card shares its kind.
        let kind = with_any(card.kind().cards().iter().copied());
        let drawn_went = self.0 & !with(card) & (PAIRS | kind);
        // The single card went for another of its kind.
        let single_went = if self.0 & single(card) == 0 { 0 } else { kind & SINGLES & !with(card) };
        // One card of two went: the other stayed beside whatever was drawn.
        let partners = Card::ALL.into_iter().filter(|&other| self.0 & PAIRS & with(card) & with(other) != 0);
        let of_pair_went = with_any(partners.filter(|&other| other != card)) & PAIRS & !with(card);
        Self(drawn_went | single_went | of_pair_went)
    }

    /// What becomes of them by giving this card away.
    #[must_use]
    pub fn after_giving(self, card: Card) -> Self {
        let kept = if self.0 & single(card) == 0 { 0 } else { EMPTY };
        let partners = Card::ALL.into_iter().filter(|&other| other != card && self.0 & with(card) & with(other) != 0);
        Self(kept | with_any(partners) & SINGLES)
    }

    /// The hands, each as its cards.
    pub fn iter(self) -> impl Iterator<Item = Hand> {
        let pairs = Card::ALL.into_iter().enumerate().flat_map(|(at, one)| {
            Card::ALL[at + 1..].iter().filter(move |other| other.kind() != one.kind()).map(move |&other| [one, other])
        });
        std::iter::once(Hand::default())
            .chain(Card::ALL.into_iter().map(|card| Hand::from_iter([card])))
            .chain(pairs.map(Hand::from_iter))
            .filter(move |hand| self.allow(hand))
    }

    /// The hands of so many cards that hold these and none of those.
    pub fn of(size: usize, holds: &[Card], lacks: &[Card]) -> Self {
        let all = match size {
            0 => Self::NO_CARD,
            1 => Self::ONE_CARD,
            _ => Self::TWO_CARDS,
        };
        let holding = holds.iter().fold(all, |hands, &card| hands.holding(card));
        lacks.iter().fold(holding, |hands, &card| hands.lacking(card))
    }
}

/// What each seat can tell of each other's hand, by target and observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knowledge(PerSeat<PerSeat<Hands>>);

impl Knowledge {
    /// Before the deal.
    pub const NOTHING_DEALT: Self = Self(PerSeat::new([const { PerSeat::new([Hands::NO_CARD; 4]) }; 4]));

    /// What an observer can tell of a seat's hand. A seat needs no inference about its own: there
    /// stands what everybody can tell of it.
    pub fn of(&self, target: Seat, observer: Seat) -> Hands {
        self.0[target][observer]
    }

    /// All have seen something of a seat's hand. Who could tell no more than everybody still cannot.
    pub fn all_saw(&mut self, target: Seat, change: impl Fn(Hands) -> Hands) {
        let before = self.of(target, target);
        let after = change(before);
        for hands in self.0[target].iter_mut() {
            *hands = if *hands == before { after } else { change(*hands) };
        }
    }

    /// One seat was told something of another's hand.
    pub fn was_told(&mut self, observer: Seat, target: Seat, change: impl FnOnce(Hands) -> Hands) {
        if observer != target {
            let hands = &mut self.0[target][observer];
            *hands = change(*hands);
        }
    }

    /// What an observer can tell of every other hand at once, given how many of each card it does
    /// not see anywhere: a card of which none is left is in nobody's hand, and neither is one whose
    /// copies are all known to be elsewhere.
    pub fn given_unseen(&self, seats: SeatCount, observer: Seat, unseen: &Counts) -> PerSeat<Hands> {
        let mut known = PerSeat::new([Hands::NO_CARD; 4]);
        let others = || seats.seats().filter(|&seat| seat != observer);
        for seat in others() {
            known[seat] = self.of(seat, observer);
        }
        loop {
            let before = known;
            for card in Card::ALL {
                let holders = others().filter(|&seat| before[seat].surely_hold(card)).count();
                if holders >= unseen.get(card).into() {
                    for seat in others().filter(|&seat| !before[seat].surely_hold(card)) {
                        known[seat] = known[seat].lacking(card);
                    }
                }
            }
            if known == before {
                return known;
            }
        }
    }
}
