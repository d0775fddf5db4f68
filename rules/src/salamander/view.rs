//! What a viewer may know of the table.

use serde::Serialize;
use utoipa::ToSchema;

use super::board::Piece;
use super::cards::{Card, Counts, Room};
use super::knowledge::Hands;
use super::state::{Phase, Salamander, Step};
use super::sticks::Throw;
use crate::seat::{Seat, Viewer};

/// Where the match stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::Phase)]
pub enum PhaseName {
    /// Seats that were dealt two cards of a kind discard one.
    Opening,
    /// The seat on turn throws the sticks.
    Throw,
    /// The seat on turn is in jail.
    Jail,
    /// The seat on turn has drawn a card too many.
    Discard,
    /// The seat on turn places its stone marker.
    PlaceStone,
    /// The seat on turn moves its piece.
    Move,
    /// The seat on turn may ask, announce, throw again or end its turn.
    Act,
    /// The match is over.
    Over,
}

/// What the viewer can tell of one hand, from the questions it asked, the cards shown, taken and
/// discarded, where stone markers stand, and how many of each card there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = salamander::Known)]
pub struct Known {
    /// Cards that the seat surely holds now.
    pub holds: Vec<Card>,
    /// Cards that the seat surely does not hold now.
    pub lacks: Vec<Card>,
}

/// The table as a viewer may see it. Lists per seat are in turn order.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = salamander::View)]
pub struct View {
    /// Where the match stands.
    pub phase: PhaseName,
    /// Whose turn it is, once the first has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Seat>,
    /// The throw being played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<Throw>,
    /// Where each seat's piece stands.
    pub pieces: Vec<Piece>,
    /// Where each seat's stone marker stands, if it is on the board.
    pub stones: Vec<Option<Room>>,
    /// The viewer's own hand, for the player of a seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Vec<Card>>,
    /// How many cards each seat holds.
    pub hand_sizes: Vec<u8>,
    /// How many cards the deck has.
    pub deck_size: u8,
    /// The discards, by card.
    pub discards: Vec<Card>,
    /// Each seat's score.
    pub scores: Vec<u16>,
    /// Each seat's sets, in the order in which they were announced.
    #[schema(value_type = Vec<Vec<Vec<Card>>>)]
    pub sets: Vec<Vec<[Card; 3]>>,
    /// For the player of a seat: what it can tell of each seat's hand; of its own, everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Vec<Known>>,
    /// For the player of a seat: which of its own cards each other seat can tell that it holds,
    /// and in its own place, which of them everybody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposed: Option<Vec<Vec<Card>>>,
    /// Every hand, once everything is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Vec<Vec<Card>>>,
    /// The deck, top card first, once everything is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<Vec<Card>>,
}

impl Salamander {
    pub(super) fn seen_by(&self, viewer: Viewer) -> View {
        let (phase, turn, throw) = self.phase_name();
        let seats = || self.seats.seats();
        let cards = |seat: Seat| self.hands[seat].cards().to_vec();
        let own = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public | Viewer::Everything => None,
        };
        let open = viewer == Viewer::Everything;
        View {
            phase,
            turn,
            throw,
            pieces: seats().map(|seat| self.pieces[seat]).collect(),
            stones: seats().map(|seat| self.stones[seat]).collect(),
            hand: own.map(cards),
            hand_sizes: seats().map(|seat| self.hands[seat].len() as u8).collect(),
            deck_size: self.deck.len() as u8,
            discards: self.discards.iter().collect(),
            scores: seats().map(|seat| self.score(seat)).collect(),
            sets: seats().map(|seat| self.sets_of(seat).map(Room::cards).collect()).collect(),
            known: own.map(|own| self.known_to(own)),
            exposed: own.map(|own| self.exposed_of(own)),
            hands: open.then(|| seats().map(cards).collect()),
            deck: open.then(|| self.deck.iter().rev().copied().collect()),
        }
    }

    fn phase_name(&self) -> (PhaseName, Option<Seat>, Option<Throw>) {
        match self.phase {
            Phase::Opening { .. } => (PhaseName::Opening, None, None),
            Phase::Turn { seat, step } => {
                let (phase, throw) = match step {
                    Step::Throw => (PhaseName::Throw, None),
                    Step::Jail => (PhaseName::Jail, None),
                    Step::Discard { throw } => (PhaseName::Discard, Some(throw)),
                    Step::PlaceStone { throw } => (PhaseName::PlaceStone, Some(throw)),
                    Step::Move { throw } => (PhaseName::Move, Some(throw)),
                    Step::Act { throw, .. } => (PhaseName::Act, Some(throw)),
                };
                (phase, Some(seat), throw)
            }
            Phase::Over { .. } => (PhaseName::Over, None, None),
        }
    }

    fn sets_of(&self, seat: Seat) -> impl Iterator<Item = Room> {
        self.sets.iter().filter(move |scored| scored.seat == seat).map(|scored| scored.set)
    }

    fn known_to(&self, observer: Seat) -> Vec<Known> {
        let inferred = self.knowledge.given_unseen(self.seats, observer, &self.unseen_by(observer));
        let known =
            |seat| if seat == observer { self.in_plain_sight(seat) } else { self.inferred(seat, inferred[seat]) };
        self.seats.seats().map(known).collect()
    }

    fn exposed_of(&self, own: Seat) -> Vec<Vec<Card>> {
        let told = |other| {
            let hands = self.knowledge.of(own, other);
            Card::ALL.into_iter().filter(|&card| hands.surely_hold(card)).collect()
        };
        self.seats.seats().map(told).collect()
    }

    fn in_plain_sight(&self, seat: Seat) -> Known {
        let (holds, lacks) = Card::ALL.into_iter().partition(|&card| self.hands[seat].has(card));
        Known { holds, lacks }
    }

    /// While a seat has a drawn card in its hand beside those that are known of, it may hold any.
    fn inferred(&self, seat: Seat, hands: Hands) -> Known {
        let unsettled = self.hands[seat].is_overfull();
        Known {
            holds: Card::ALL.into_iter().filter(|&card| hands.surely_hold(card)).collect(),
            lacks: Card::ALL.into_iter().filter(|&card| !unsettled && hands.surely_lack(card)).collect(),
        }
    }
}

impl View {
    /// How many of each card lie where the viewer does not see them: in the deck or another hand.
    pub(super) fn unseen(&self) -> Counts {
        let sets = self.sets.iter().flatten().flatten();
        Counts::full_without(self.discards.iter().chain(sets).chain(self.hand.iter().flatten()).copied())
    }
}
