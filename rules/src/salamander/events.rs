//! What happens at the table, what it does to the state, and who sees how much of it.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Piece;
use super::cards::{Card, Counts, Room};
use super::hand::{Hand, LIMIT};
use super::knowledge::Hands;
use super::state::{Ending, Phase, Salamander, Scored, Step};
use super::sticks::{By, KeyThrows, Picture, Throw};
use crate::seat::{Seat, SeatSet, Viewer};

/// Why a piece goes to jail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::JailedFor)]
pub enum JailedFor {
    /// Another piece landed on its square.
    Bump,
    /// Its seat announced what was not so.
    FalseAnnouncement,
}

/// Why a piece leaves jail for home.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::FreedBy)]
pub enum FreedBy {
    /// Three keys.
    Keys,
    /// Somebody asked its seat.
    Question,
    /// Its seat announced a set.
    Announcement,
}

/// A statement of an announcement, judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = salamander::JudgedClaim)]
pub struct JudgedClaim {
    /// Who was said to hold the card.
    pub seat: Seat,
    /// The card.
    pub card: Card,
    /// Whether it was so.
    pub held: bool,
}

/// An event of the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = salamander::Event)]
pub enum Event {
    /// The deck was shuffled: at first all cards, later the discards.
    Shuffled {
        /// How many cards it has.
        deck_size: u8,
        /// The cards, top first; nobody sees them before the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deck: Option<Vec<Card>>,
    },
    /// A seat was dealt two cards.
    Dealt {
        /// The seat.
        seat: Seat,
        /// The cards; the seat alone sees them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Vec<Card>>)]
        cards: Option<[Card; 2]>,
    },
    /// A seat threw the sticks.
    Thrown {
        /// The seat.
        seat: Seat,
        /// What they show.
        throw: Throw,
    },
    /// A seat drew the top card of the deck.
    Drew {
        /// The seat.
        seat: Seat,
        /// The card; the seat alone sees it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// Deck and discards are empty, so a seat drew nothing.
    DrewNothing {
        /// The seat.
        seat: Seat,
    },
    /// A seat discarded a card, face up.
    Discarded {
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
        /// Whether there was no choice: the seat had two of this card.
        forced: bool,
    },
    /// A seat placed its stone marker.
    PlacedStone {
        /// The seat.
        seat: Seat,
        /// Where.
        room: Room,
    },
    /// A seat moved its piece.
    Moved {
        /// The seat.
        seat: Seat,
        /// How it read the numbers.
        by: By,
        /// How far that was.
        steps: u8,
        /// Where the piece stands now.
        piece: Piece,
    },
    /// A piece was put in jail.
    Jailed {
        /// Whose piece.
        seat: Seat,
        /// Why.
        reason: JailedFor,
    },
    /// A piece left jail for home.
    Freed {
        /// Whose piece.
        seat: Seat,
        /// Why.
        reason: FreedBy,
    },
    /// A seat asked another whether it holds a card.
    Asked {
        /// The asker.
        seat: Seat,
        /// The asked.
        target: Seat,
        /// The card.
        card: Card,
        /// Whether the asked holds it; these two alone see it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<bool>,
    },
    /// A seat showed its hand and said which cards of others complete the set.
    Announced {
        /// The seat.
        seat: Seat,
        /// Its whole hand.
        #[schema(value_type = Vec<Card>)]
        shown: ArrayVec<Card, LIMIT>,
        /// What it said, and which of it was so.
        #[schema(value_type = Vec<JudgedClaim>)]
        claims: ArrayVec<JudgedClaim, LIMIT>,
        /// What the set scores, if all of it was so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<u16>,
    },
    /// A jailed seat threw for keys.
    KeysThrown {
        /// The seat.
        seat: Seat,
        /// Up to five throws: the faces of both number sticks and the picture stick, none for a
        /// stick that shows a key already.
        throws: KeyThrows,
    },
    /// A turn ended; the next seat clockwise is to act, unless the match is over.
    TurnEnded {
        /// Whose turn it was.
        seat: Seat,
        /// Whether the table ended it, because nothing was left to choose.
        forced: bool,
    },
    /// The match is over.
    Ended {
        /// Why.
        reason: Ending,
    },
}

impl Event {
    /// The event as the viewer may see it.
    pub(super) fn seen_by(&self, viewer: Viewer) -> Self {
        let mut event = self.clone();
        match &mut event {
            Self::Shuffled { deck, .. } if viewer != Viewer::Everything => *deck = None,
            Self::Dealt { seat, cards } if !viewer.sees(*seat) => *cards = None,
            Self::Drew { seat, card } if !viewer.sees(*seat) => *card = None,
            Self::Asked { seat, target, answer, .. } if !viewer.sees(*seat) && !viewer.sees(*target) => *answer = None,
            _ => {}
        }
        event
    }
}

impl Salamander {
    /// Whether the event could happen at the table as it stands: its seats are there, and so are the
    /// cards that it moves and the square that it moves to.
    pub(super) fn event_fits(&self, event: &Event) -> bool {
        let is_here = |seat: &Seat| self.seats.has(*seat);
        match event {
            Event::Shuffled { deck, .. } => {
                let mut cards = Counts::NONE;
                let all = deck.iter().flatten().take(Card::TOTAL + 1);
                all.for_each(|&card| cards.add(card));
                cards == self.discards || cards == Counts::FULL
            }
            Event::Dealt { seat, cards } => {
                let top = self.deck.iter().rev().copied().take(2);
                is_here(seat) && cards.is_some_and(|cards| top.eq(cards))
            }
            Event::Drew { seat, card } => is_here(seat) && card.is_some() && *card == self.deck.last().copied(),
            Event::Discarded { seat, card, .. } => is_here(seat) && self.hands[*seat].has(*card),
            Event::Moved { seat, piece, .. } => is_here(seat) && piece.is_on(self.seats),
            Event::Asked { seat, target, answer, .. } => is_here(seat) && is_here(target) && answer.is_some(),
            Event::Announced { seat, claims, .. } => is_here(seat) && claims.iter().all(|claim| is_here(&claim.seat)),
            Event::Thrown { seat, .. }
            | Event::DrewNothing { seat }
            | Event::PlacedStone { seat, .. }
            | Event::Jailed { seat, .. }
            | Event::Freed { seat, .. }
            | Event::KeysThrown { seat, .. }
            | Event::TurnEnded { seat, .. } => is_here(seat),
            Event::Ended { .. } => true,
        }
    }

    pub(super) fn fold_event(&mut self, event: &Event) {
        match *event {
            Event::Shuffled { ref deck, .. } => {
                self.deck = deck.iter().flatten().rev().copied().take(Card::TOTAL).collect();
                self.discards = Counts::NONE;
            }
            Event::Dealt { seat, cards } => self.deal(seat, cards),
            Event::Thrown { seat, throw } => {
                let places = throw.picture == Picture::Stone && !self.hands[seat].is_empty();
                let step = if places { Step::PlaceStone { throw } } else { Step::Move { throw } };
                self.phase = Phase::Turn { seat, step };
            }
            Event::Drew { seat, card } => self.draw(seat, card),
            Event::Discarded { seat, card, forced } => self.discard(seat, card, forced),
            Event::PlacedStone { seat, room } => {
                self.stones[seat] = Some(room);
                self.knowledge.all_saw(seat, |hands| hands.agreeing_with(room));
                self.go_on(seat, |throw| Step::Move { throw });
            }
            Event::Moved { seat, piece, .. } => {
                self.pieces[seat] = piece;
                self.go_on(seat, |throw| Step::Act { throw, asked: false });
            }
            Event::Jailed { seat, .. } => self.pieces[seat] = Piece::Jail,
            Event::Freed { seat, .. } => self.pieces[seat] = Piece::Home,
            Event::Asked { seat, target, card, answer } => {
                if let Some(held) = answer {
                    self.knowledge.was_told(seat, target, |hands| hands.answering(card, held));
                }
                if let Phase::Turn { step: Step::Act { asked, .. }, .. } = &mut self.phase {
                    *asked = true;
                }
            }
            Event::Announced { seat, ref shown, ref claims, points } => self.announced(seat, shown, claims, points),
            Event::DrewNothing { .. } | Event::KeysThrown { .. } => {}
            Event::TurnEnded { seat, .. } => self.phase = self.turn_of(self.seats.after(seat)),
            Event::Ended { reason } => self.phase = Phase::Over { ending: reason },
        }
    }

    fn deal(&mut self, seat: Seat, cards: Option<[Card; 2]>) {
        self.deck.truncate(self.deck.len().saturating_sub(2));
        self.hands[seat] = cards.into_iter().flatten().collect();
        let overfull = self.hands[seat].is_overfull();
        self.knowledge.all_saw(seat, |_| if overfull { Hands::ONE_CARD } else { Hands::TWO_CARDS });
        if let Phase::Opening { owing } = &mut self.phase {
            if overfull {
                *owing = owing.with(seat);
            }
            self.open(self.seats.after(seat) == Seat::FIRST);
        }
    }

    /// Begins the first turn once all are dealt to and nobody owes a discard.
    fn open(&mut self, all_dealt: bool) {
        if all_dealt && self.phase == (Phase::Opening { owing: SeatSet::EMPTY }) {
            self.phase = self.turn_of(Seat::FIRST);
        }
    }

    fn draw(&mut self, seat: Seat, card: Option<Card>) {
        self.deck.pop();
        if let Some(card) = card {
            self.hands[seat].add(card);
        }
        if self.hands[seat].is_overfull() {
            self.go_on(seat, |throw| Step::Discard { throw });
        } else {
            self.knowledge.all_saw(seat, Hands::after_drawing);
        }
    }

    fn discard(&mut self, seat: Seat, card: Card, forced: bool) {
        self.hands[seat].remove(card);
        self.discards.add(card);
        self.knowledge.all_saw(seat, |hands| hands.after_discarding(card, forced));
        match &mut self.phase {
            Phase::Opening { owing } => {
                *owing = owing.without(seat);
                self.open(true);
            }
            Phase::Turn { .. } => self.go_on(seat, |throw| Step::Move { throw }),
            Phase::Over { .. } => {}
        }
    }

    fn announced(&mut self, seat: Seat, shown: &[Card], claims: &[JudgedClaim], points: Option<u16>) {
        let shown: Hand = shown.iter().copied().collect();
        self.knowledge.all_saw(seat, |_| Hands::exactly(&shown));
        for claim in claims {
            self.knowledge.all_saw(claim.seat, |hands| hands.answering(claim.card, claim.held));
        }
        let named = claims.iter().map(|claim| claim.card);
        if let (Some(_), Some(set)) = (points, Room::of(shown.cards().iter().copied().chain(named))) {
            self.hands[seat].clear();
            self.knowledge.all_saw(seat, |_| Hands::NO_CARD);
            for claim in claims {
                self.hands[claim.seat].remove(claim.card);
                self.knowledge.all_saw(claim.seat, |hands| hands.after_giving(claim.card));
            }
            self.stones[seat] = None;
            // A sixteenth set can only come from a malformed log.
            let _ = self.sets.try_push(Scored { seat, set });
        }
    }

    /// The next step of the throw being played.
    fn go_on(&mut self, seat: Seat, next: impl FnOnce(Throw) -> Step) {
        if let Phase::Turn {
            step: Step::Discard { throw } | Step::PlaceStone { throw } | Step::Move { throw } | Step::Act { throw, .. },
            ..
        } = self.phase
        {
            self.phase = Phase::Turn { seat, step: next(throw) };
        }
    }
}
