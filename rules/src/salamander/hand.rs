//! A seat's secret cards.

use arrayvec::ArrayVec;

use super::cards::{Card, Kind, Room};

/// How many cards a seat may keep.
pub const LIMIT: usize = 2;

/// The cards of a hand, in the order of [`Card::ALL`]: up to two of different kinds, and for the
/// moment before a discard one more than the rules let it keep.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hand(ArrayVec<Card, 3>);

impl Hand {
    /// The cards.
    pub fn cards(&self) -> &[Card] {
        &self.0
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the card is there.
    pub fn has(&self, card: Card) -> bool {
        self.0.contains(&card)
    }

    /// Takes a card up. There is room for one beyond the limit.
    pub fn add(&mut self, card: Card) {
        let at = self.0.partition_point(|&other| other <= card);
        // A fourth card can only come from a malformed log.
        let _ = self.0.try_insert(at, card);
    }

    /// Lays a card down.
    pub fn remove(&mut self, card: Card) {
        if let Some(at) = self.0.iter().position(|&other| other == card) {
            self.0.remove(at);
        }
    }

    /// Lays all cards down.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The kind of which there are two cards.
    pub fn repeated_kind(&self) -> Option<Kind> {
        self.0.windows(2).find(|pair| pair[0].kind() == pair[1].kind()).map(|pair| pair[0].kind())
    }

    /// Whether a card has to go.
    pub fn is_overfull(&self) -> bool {
        self.len() > LIMIT || self.repeated_kind().is_some()
    }

    /// The cards of which one has to go, each once: those of a repeated kind, else any of three.
    pub fn surplus(&self) -> impl Iterator<Item = Card> {
        let repeated = self.repeated_kind();
        let overfull = self.is_overfull();
        let mut last = None;
        self.0.iter().copied().filter(move |&card| {
            let fresh = last.replace(card) != Some(card);
            fresh && overfull && repeated.is_none_or(|kind| card.kind() == kind)
        })
    }

    /// The card that has to go where there is no choice: two equal ones.
    pub fn forced_discard(&self) -> Option<Card> {
        let mut surplus = self.surplus();
        let first = surplus.next();
        if surplus.next().is_none() { first } else { None }
    }

    /// The kinds of which there is no card.
    pub fn missing(&self) -> ArrayVec<Kind, 3> {
        Kind::ALL.into_iter().filter(|&kind| self.0.iter().all(|card| card.kind() != kind)).collect()
    }

    /// Whether a marker in this room agrees with every card.
    pub fn agrees_with(&self, room: Room) -> bool {
        self.0.iter().all(|&card| room.has(card))
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut hand = Self::default();
        cards.into_iter().for_each(|card| hand.add(card));
        hand
    }
}
