//! What a viewer may know of the table.

use arrayvec::ArrayVec;
use serde::Serialize;
use utoipa::ToSchema;

use super::cards::{Blessing, Card, Cards, Treasure};
use super::options::Faces;
use super::state::{Kamudakara, Occasion, Phase, Reception, SEATS, Step, Storehouse};
use crate::seat::{Seat, Viewer};

/// The table as a viewer may know it. Lists by seat begin with seat 0.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = kamudakara::View)]
pub struct View {
    /// The blessings on each treasure card.
    pub faces: Faces,
    /// The round, counted from 1.
    pub round: u8,
    /// How many rounds are played.
    pub rounds: u8,
    /// The seat that began the round.
    pub first: Seat,
    /// The decision that is owed.
    pub phase: PhaseName,
    /// The seat whose turn it is; others may owe decisions in it.
    pub turn: Seat,
    /// How many cards the owed decision is about: to be stored or veiled, the most demons that may
    /// be declared, demons to be given away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u8>,
    /// How many cards are left in the deck.
    pub deck_size: u8,
    /// The deck, top first; open after the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<Vec<Card>>,
    /// The viewer's hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Cards>,
    /// All hands; open after the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Cards>>)]
    pub hands: Option<ArrayVec<Cards, SEATS>>,
    /// How many cards each hand has.
    #[schema(value_type = Vec<u8>, examples(json!([3, 4])))]
    pub hand_sizes: ArrayVec<u8, SEATS>,
    /// The storehouses.
    #[schema(value_type = Vec<StorehouseView>)]
    pub storehouses: ArrayVec<StorehouseView, SEATS>,
    /// By storehouse, the face-down cards that the viewer put there; after the end all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Cards>>)]
    pub veiled_cards: Option<ArrayVec<Cards, SEATS>>,
    /// In the opening, the two cards that the viewer has chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Cards>,
    /// The two cards of a ritual, for who drew them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Cards>,
    /// The offer that is to be answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<OfferView>,
    /// The treasure card under the sleeve, for who offered it, until it lies in a storehouse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offered: Option<Treasure>,
    /// In whose storehouse the treasure under the sleeve will lie, once the offer is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub treasure_to: Option<Seat>,
    /// The blessing that is being received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blessing: Option<BlessingView>,
    /// What each seat scored in the rounds that are over.
    #[schema(value_type = Vec<u16>)]
    pub points: ArrayVec<u16, SEATS>,
    /// What each seat's cards would score as they lie now.
    #[schema(value_type = Vec<u16>, examples(json!([29, 21])))]
    pub standing: ArrayVec<u16, SEATS>,
    /// The final points, after the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<u16>>)]
    pub scores: Option<ArrayVec<u16, SEATS>>,
}

/// The decision that is owed, by the action that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::PhaseName)]
pub enum PhaseName {
    /// Nothing has been dealt yet.
    Deal,
    /// `choose_opening`, of every seat that has not yet chosen.
    ChooseOpening,
    /// `ritual`, `rite`, `memorial` or `memorial_store`.
    Turn,
    /// `ritual_keep`.
    RitualKeep,
    /// `rite_choose`, of the seat to which a card is offered.
    RiteChoose,
    /// `blessing_order`.
    BlessingOrder,
    /// `use_demons`, of the seat that receives the blessing.
    UseDemons,
    /// `store`, of the seat that receives the blessing.
    Store,
    /// `veil`, of the seat that receives the blessing.
    Veil,
    /// `give_demons`, of the seat that used them.
    GiveDemons,
    /// None: the match is over.
    Over,
}

/// What lies in a storehouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = kamudakara::StorehouseView)]
pub struct StorehouseView {
    /// Swords, face up.
    pub sword: u8,
    /// Mirrors, face up.
    pub mirror: u8,
    /// Jewels, face up.
    pub jewel: u8,
    /// Demons, face up.
    pub demon: u8,
    /// 形代: cards face down.
    pub veiled: u8,
}

/// A card offered under the sleeve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = kamudakara::OfferView)]
pub struct OfferView {
    /// The seat that offers.
    pub from: Seat,
    /// The seat that is to choose.
    pub to: Seat,
    /// The blessing that shows.
    pub shown: Blessing,
}

/// A blessing that is being received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = kamudakara::BlessingView)]
pub struct BlessingView {
    /// The seat that receives it.
    pub seat: Seat,
    /// The blessing.
    pub blessing: Blessing,
    /// How many demons have been declared; they leave for other storehouses when it is done.
    pub demons: u8,
}

impl Kamudakara {
    pub(super) fn seen_by(&self, viewer: Viewer) -> View {
        let open = viewer == Viewer::Everything;
        let own = match viewer {
            Viewer::Seat(seat) if self.seats.has(seat) => Some(seat),
            Viewer::Seat(_) | Viewer::Public | Viewer::Everything => None,
        };
        let (phase, count) = self.owed();
        let points = self.points[..self.seats.get()].iter().copied().collect();
        View {
            faces: self.options.faces.clone(),
            round: self.round + 1,
            rounds: self.options.rounds,
            first: self.first,
            phase,
            turn: self.turn,
            count,
            deck_size: self.deck.len() as u8,
            deck: open.then(|| self.deck.iter().rev().copied().collect()),
            hand: own.map(|seat| self.hands[seat.index()]),
            hands: open.then(|| self.seats.seats().map(|seat| self.hands[seat.index()]).collect()),
            hand_sizes: self.seats.seats().map(|seat| self.hands[seat.index()].len()).collect(),
            storehouses: self.seats.seats().map(|seat| self.storehouses[seat.index()].seen()).collect(),
            veiled_cards: (viewer != Viewer::Public).then(|| self.veiled_seen_by(viewer)),
            opening: self.opening_of(own),
            drawn: match self.phase {
                Phase::Ritual { drawn } if viewer.sees(self.turn) => Some(drawn),
                _ => None,
            },
            offer: match self.phase {
                Phase::Offer(offer) => {
                    let [shown, _] = self.blessings(offer);
                    Some(OfferView { from: self.turn, to: offer.to, shown })
                }
                _ => None,
            },
            offered: self.offered().filter(|_| viewer.sees(self.turn)),
            treasure_to: self.treasure_to(),
            blessing: self.blessing_seen(),
            scores: self.is_over().then(|| ArrayVec::clone(&points)),
            points,
            standing: self.seats.seats().map(|seat| self.score(seat)).collect(),
        }
    }

    /// The decision that is owed, and how many cards it is about.
    fn owed(&self) -> (PhaseName, Option<u8>) {
        match &self.phase {
            Phase::Dealing => (PhaseName::Deal, None),
            Phase::Opening { .. } => (PhaseName::ChooseOpening, Some(2)),
            Phase::Ritual { .. } => (PhaseName::RitualKeep, None),
            Phase::Offer(_) => (PhaseName::RiteChoose, None),
            Phase::Order(_) => (PhaseName::BlessingOrder, None),
            Phase::Blessing(reception) => match (reception.step, reception.blessing) {
                (Step::Give { count }, _) => (PhaseName::GiveDemons, Some(count)),
                (Step::Put { count, .. }, Blessing::Benevolence) => (PhaseName::Veil, Some(count)),
                (Step::Put { count, .. }, Blessing::Courage | Blessing::Wisdom) => (PhaseName::Store, Some(count)),
                (Step::Declare | Step::Draw { .. } | Step::Void { .. }, blessing) => {
                    (PhaseName::UseDemons, Some(self.most_demons(reception.seat, blessing)))
                }
            },
            Phase::Turn | Phase::Rite(_) => (PhaseName::Turn, None),
            Phase::RoundOver | Phase::Over => (PhaseName::Over, None),
        }
    }

    /// The own choice of the opening, while it is secret.
    fn opening_of(&self, own: Option<Seat>) -> Option<Cards> {
        match &self.phase {
            Phase::Opening { chosen } => chosen[own?.index()],
            _ => None,
        }
    }

    /// The treasure card that lies under the sleeve.
    pub(super) fn offered(&self) -> Option<Treasure> {
        match &self.phase {
            Phase::Offer(offer) | Phase::Order(offer) => Some(offer.card),
            Phase::Rite(rite) => Some(rite.card),
            Phase::Blessing(reception) => match &reception.occasion {
                Occasion::Rite(rite) => Some(rite.card),
                Occasion::Memorial => None,
            },
            _ => None,
        }
    }

    /// Whose the treasure under the sleeve is, once that has been chosen.
    fn treasure_to(&self) -> Option<Seat> {
        match &self.phase {
            Phase::Order(offer) => Some(offer.to),
            Phase::Blessing(Reception { occasion: Occasion::Rite(rite), .. }) | Phase::Rite(rite) => Some(rite.owner),
            _ => None,
        }
    }

    fn blessing_seen(&self) -> Option<BlessingView> {
        let Phase::Blessing(Reception { seat, blessing, occasion, step }) = &self.phase else { return None };
        let demons = match (*step, occasion) {
            (Step::Declare, _) => 0,
            (Step::Draw { demons, .. } | Step::Void { demons } | Step::Put { demons, .. }, _) => demons,
            (Step::Give { count }, Occasion::Rite(_)) => count,
            // The memorial's own demon leaves with those declared.
            (Step::Give { count }, Occasion::Memorial) => count - 1,
        };
        Some(BlessingView { seat: *seat, blessing: *blessing, demons })
    }

    fn veiled_seen_by(&self, viewer: Viewer) -> ArrayVec<Cards, SEATS> {
        let seen = |storehouse: &Storehouse| {
            let mut cards = Cards::NONE;
            for seat in self.seats.seats().filter(|&seat| viewer.sees(seat)) {
                cards.add(storehouse.veiled[seat.index()]);
            }
            cards
        };
        self.storehouses[..self.seats.get()].iter().map(seen).collect()
    }
}

impl Storehouse {
    fn seen(&self) -> StorehouseView {
        let [sword, mirror, jewel, demon] = Card::ALL.map(|card| self.open.of(card));
        StorehouseView { sword, mirror, jewel, demon, veiled: self.veiled_count() }
    }
}
