//! The table: deck, hands, storehouses, and the decision that is owed.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::cards::{Blessing, Card, Cards, Treasure};
use super::options::{Options, Side};
use crate::seat::{Seat, SeatCount, SeatSet};

/// The most seats a table has.
pub(super) const SEATS: usize = 4;

/// A table of kamudakara.
#[derive(Clone, Debug)]
pub struct Kamudakara {
    pub(super) options: Arc<Options>,
    pub(super) seats: SeatCount,
    /// The round, counted from 0: the one to be dealt in [`Phase::Dealing`].
    pub(super) round: u8,
    /// The seat that begins the round.
    pub(super) first: Seat,
    /// The seat whose turn it is.
    pub(super) turn: Seat,
    /// タカマガハラ; the top is at the end.
    pub(super) deck: ArrayVec<Card, 48>,
    /// 御霊.
    pub(super) hands: [Cards; SEATS],
    /// 倉.
    pub(super) storehouses: [Storehouse; SEATS],
    /// The points of the rounds that are over.
    pub(super) points: [u16; SEATS],
    pub(super) phase: Phase,
}

/// 倉: what a seat has collected.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Storehouse {
    /// Face up.
    pub(super) open: Cards,
    /// 形代, by the seat that put them there and alone knows their faces.
    pub(super) veiled: [Cards; SEATS],
}

impl Storehouse {
    /// How many cards lie face down.
    pub(super) fn veiled_count(&self) -> u8 {
        self.veiled.iter().map(|cards| cards.len()).sum()
    }
}

/// What the table waits for, or what follows by itself (see [`follows`](Kamudakara::follows)).
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// A round is to be dealt.
    Dealing,
    /// Every seat chooses what lies in its storehouse at first; who has, has it set aside.
    Opening { chosen: [Option<Cards>; SEATS] },
    /// The seat whose turn it is chooses what to do with it.
    Turn,
    /// 神事: one of the two cards drawn is to be kept.
    Ritual { drawn: Cards },
    /// 祭祀: the other seat is to choose.
    Offer(Offer),
    /// The treasure was chosen: the offering seat chooses which blessing it receives first.
    Order(Offer),
    /// Between the blessings of a rite, or after them.
    Rite(Rite),
    /// A blessing is being received.
    Blessing(Reception),
    /// The deck has run out and the turn is over.
    RoundOver,
    /// The last round has been scored.
    Over,
}

/// A treasure card under the sleeve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) to: Seat,
    pub(super) card: Treasure,
    /// The side that shows.
    pub(super) side: Side,
}

/// What is left of a rite once the other seat has chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rite {
    pub(super) card: Treasure,
    /// In whose storehouse the treasure will lie.
    pub(super) owner: Seat,
    /// Who receives what next.
    pub(super) next: Option<(Seat, Blessing)>,
    /// Who receives what after that.
    pub(super) then: Option<(Seat, Blessing)>,
}

/// A blessing while it is carried out.
#[derive(Clone, Debug)]
pub(super) struct Reception {
    pub(super) seat: Seat,
    pub(super) blessing: Blessing,
    pub(super) occasion: Occasion,
    pub(super) step: Step,
}

impl Reception {
    /// The rule by which `count` demons go to other seats now: 慰霊 where its own demon is the only
    /// one, else the one by which they were used.
    pub(super) fn rule_of_giving(&self, count: u8) -> &'static str {
        match self.occasion {
            Occasion::Memorial if count == 1 => "kd.memorial",
            Occasion::Memorial | Occasion::Rite(_) => "kd.demon-wild",
        }
    }
}

/// What brought a blessing.
#[derive(Clone, Debug)]
pub(super) enum Occasion {
    /// 祭祀.
    Rite(Rite),
    /// 慰霊: its demon leaves with those declared.
    Memorial,
}

/// How far a blessing is. `demons` are those declared, which have left the storehouse.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The receiver declares how many demons count as treasures.
    Declare,
    /// So many cards are to be drawn.
    Draw { demons: u8, count: u8 },
    /// The hand is too small for this 知.
    Void { demons: u8 },
    /// So many hand cards go to the storehouse: face up by 知, face down by 仁.
    Put { demons: u8, count: u8 },
    /// So many demons go to other seats, at least one.
    Give { count: u8 },
}

impl Kamudakara {
    pub(super) fn new(options: &Arc<Options>, seats: SeatCount) -> Self {
        Self {
            options: Arc::clone(options),
            seats,
            round: 0,
            first: Seat::FIRST,
            turn: Seat::FIRST,
            deck: ArrayVec::new(),
            hands: [Cards::NONE; SEATS],
            storehouses: [Storehouse::default(); SEATS],
            points: [0; SEATS],
            phase: Phase::Dealing,
        }
    }

    /// The seats that owe a decision.
    pub(super) fn deciding(&self) -> SeatSet {
        match &self.phase {
            Phase::Opening { chosen } => self.seats.seats().filter(|seat| chosen[seat.index()].is_none()).collect(),
            Phase::Turn | Phase::Ritual { .. } | Phase::Order(_) => SeatSet::one(self.turn),
            Phase::Offer(offer) => SeatSet::one(offer.to),
            Phase::Blessing(reception) => SeatSet::one(reception.seat),
            Phase::Dealing | Phase::Rite(_) | Phase::RoundOver | Phase::Over => SeatSet::EMPTY,
        }
    }

    pub(super) fn is_opening(&self) -> bool {
        matches!(self.phase, Phase::Opening { .. })
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// What the seat's cards score as they lie (rule `kd.score`).
    pub(super) fn score(&self, seat: Seat) -> u16 {
        let storehouse = &self.storehouses[seat.index()];
        let squares = Treasure::ALL.map(|treasure| u16::from(storehouse.open.of(treasure)).pow(2));
        u16::from(self.hands[seat.index()].len())
            + 2 * u16::from(storehouse.veiled_count())
            + squares.iter().sum::<u16>()
    }

    /// The shown and the hidden blessing of an offer.
    pub(super) fn blessings(&self, offer: Offer) -> [Blessing; 2] {
        let Offer { card, side, .. } = offer;
        [side, side.other()].map(|side| self.options.faces.blessing(card, side))
    }

    /// The most demons that the receiver may declare: all that lie face up, but no more than a 知
    /// bears without becoming void.
    pub(super) fn most_demons(&self, seat: Seat, blessing: Blessing) -> u8 {
        let open = self.storehouses[seat.index()].open;
        let demons = open.of(Card::Demon);
        match blessing {
            Blessing::Wisdom => demons.min(self.hands[seat.index()].len().saturating_sub(open.of(Treasure::Mirror))),
            Blessing::Courage | Blessing::Benevolence => demons,
        }
    }
}
