//! The built-in bot: it weighs what an action gains its seat now against what it gains the others.

use super::actions::{Action, End, Take};
use super::cards::{Blessing, Card, Cards, Treasure};
use super::options::Side;
use super::view::View;
use crate::game::{Advice, Thinking};
use crate::seat::Seat;

/// What a demon face up in the storehouse is worth to its owner, in points.
const DEMON_AT_HAND: f64 = 0.8;
/// What a card drawn is worth beyond its point, for what may be done with it.
const DRAWN: f64 = 1.3;
/// How many points ahead make a win about three times as likely as a loss.
const SPREAD: f64 = 10.0;

/// The actions by what they gain, best first; equals in random order.
pub(super) fn advise(
    view: &View,
    seat: Seat,
    mut legal: Vec<Action>,
    thinking: &mut Thinking<'_>,
) -> Vec<Advice<Action>> {
    thinking.random.shuffle(&mut legal);
    let mind = Mind::new(view, seat);
    let lead = mind.lead();
    let mut advice: Vec<_> =
        legal.into_iter().map(|action| Advice { value: chance_to_win(lead + mind.gain(&action)), action }).collect();
    advice.sort_by(|a, b| b.value.total_cmp(&a.value));
    advice
}

fn chance_to_win(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead / SPREAD).exp())
}

/// What a seat has, as far as the thinking seat knows.
#[derive(Clone, Copy)]
struct Holding {
    open: [u8; 4],
    hand_size: u8,
    /// The hand itself, where it is the own.
    hand: Option<Cards>,
}

impl Holding {
    fn open(&self, card: impl Into<Card>) -> u8 {
        self.open[card.into() as usize]
    }

    /// What a face-up treasure more adds to the score.
    fn treasure_gain(&self, treasure: Treasure) -> f64 {
        f64::from(2 * self.open(treasure) + 1)
    }

    /// What putting these hand cards face up adds to the score, all in all.
    fn store_gain(&self, cards: Cards) -> f64 {
        let treasures: f64 = Treasure::ALL
            .map(|treasure| {
                let (before, more) = (f64::from(self.open(treasure)), f64::from(cards.of(treasure)));
                (before + more).powi(2) - before.powi(2)
            })
            .iter()
            .sum();
        treasures + DEMON_AT_HAND * f64::from(cards.of(Card::Demon)) - f64::from(cards.len())
    }

    /// What a first pair adds: points at once, and what the treasures lend the blessings to come.
    fn opening_gain(&self, cards: Cards) -> f64 {
        let lends = |card: Card| match card {
            Card::Sword | Card::Jewel => 1.5,
            Card::Mirror => 1.0,
            Card::Demon => 0.0,
        };
        self.store_gain(cards) + cards.iter().map(lends).sum::<f64>()
    }

    /// What a card may become worth while it stays in the hand.
    fn promise(&self, card: Card) -> f64 {
        card.treasure().map_or(0.6, |treasure| 0.3 * self.treasure_gain(treasure))
    }

    /// The most that storing so many cards of the hand adds; of an unknown hand, about as much.
    fn best_store(&self, count: u8) -> f64 {
        let Some(mut hand) = self.hand else {
            let mean: f64 = Treasure::ALL.map(|treasure| self.treasure_gain(treasure)).iter().sum::<f64>() / 4.0;
            return f64::from(count) * (mean - 0.5);
        };
        let mut stored = Cards::NONE;
        for _ in 0..count {
            let with = |card: Card| {
                let mut cards = stored;
                cards.add(card);
                self.store_gain(cards)
            };
            let Some(best) = hand.kinds().max_by(|&a, &b| with(a).total_cmp(&with(b))) else { break };
            hand.remove(best);
            stored.add(best);
        }
        self.store_gain(stored)
    }
}

/// The table from the seat that thinks.
struct Mind<'a> {
    view: &'a View,
    seat: Seat,
    /// How much a point of another seat weighs against an own one.
    rivalry: f64,
}

impl<'a> Mind<'a> {
    fn new(view: &'a View, seat: Seat) -> Self {
        Self { view, seat, rivalry: 1.0 / (view.hand_sizes.len() as f64 - 1.0).max(1.0) }
    }

    fn holding(&self, seat: Seat) -> Holding {
        let storehouse = &self.view.storehouses[seat.index()];
        Holding {
            open: [storehouse.sword, storehouse.mirror, storehouse.jewel, storehouse.demon],
            hand_size: self.view.hand_sizes[seat.index()],
            hand: if seat == self.seat { self.view.hand } else { None },
        }
    }

    fn total(&self, seat: Seat) -> f64 {
        f64::from(self.view.points[seat.index()] + self.view.standing[seat.index()])
    }

    fn others(&self) -> impl Iterator<Item = Seat> {
        (0..).map_while(Seat::new).take(self.view.hand_sizes.len()).filter(|&seat| seat != self.seat)
    }

    /// How far the seat is ahead of the best other.
    fn lead(&self) -> f64 {
        let best = self.others().map(|seat| self.total(seat)).fold(f64::MIN, f64::max);
        self.total(self.seat) - best
    }

    /// What the action gains against the others, in points.
    fn gain(&self, action: &Action) -> f64 {
        let own = self.holding(self.seat);
        match *action {
            Action::ChooseOpening { cards } => own.opening_gain(cards),
            Action::Ritual {} => DRAWN,
            Action::RitualKeep { keep, return_to } => {
                let returned = self.view.drawn.and_then(|mut drawn| {
                    drawn.remove(keep);
                    drawn.kinds().next()
                });
                let lost = returned.map_or(0.0, |card| own.promise(card));
                own.promise(keep) - if return_to == End::Top { 0.2 * lost } else { 0.1 }
            }
            Action::Rite { card, to, show } => card.treasure().map_or(0.0, |card| self.rite_gain(card, to, show)),
            Action::RiteChoose { take } => self.choice_gain(take),
            Action::Memorial { blessing } => self.blessing_gain(&own, blessing) - 1.0 - 2.0 * self.rivalry,
            Action::MemorialStore {} => DEMON_AT_HAND - 1.0,
            // Cards drawn first are there to be stored.
            Action::BlessingOrder { first } => f64::from(u8::from(first != Blessing::Wisdom)),
            Action::UseDemons { count } => {
                self.view.blessing.map_or(0.0, |reception| self.strength_gain(&own, reception.blessing, count))
            }
            Action::Store { cards } => own.store_gain(cards),
            Action::Veil { cards } => f64::from(cards.len()) - cards.iter().map(|card| own.promise(card)).sum::<f64>(),
            // Two points each, where they do least harm.
            Action::GiveDemons { ref to } => to.iter().map(|&seat| -2.0 - self.total(seat) / 100.0).sum(),
        }
    }

    /// What a blessing of this strength adds, demons left out.
    fn plain_gain(&self, holding: &Holding, blessing: Blessing, strength: u8) -> f64 {
        let drawn = f64::from(strength.min(self.view.deck_size));
        match blessing {
            Blessing::Courage => DRAWN * drawn,
            Blessing::Benevolence => 2.0 * drawn,
            Blessing::Wisdom if strength > holding.hand_size => 0.0,
            Blessing::Wisdom => holding.best_store(strength),
        }
    }

    /// What a blessing adds with so many demons declared, which then are another seat's.
    fn strength_gain(&self, holding: &Holding, blessing: Blessing, demons: u8) -> f64 {
        let strength = holding.open(blessing.counts()) + demons;
        self.plain_gain(holding, blessing, strength) - (2.0 * self.rivalry + DEMON_AT_HAND) * f64::from(demons)
    }

    fn blessing_gain(&self, holding: &Holding, blessing: Blessing) -> f64 {
        (0..=holding.open(Card::Demon))
            .map(|demons| self.strength_gain(holding, blessing, demons))
            .fold(f64::MIN, f64::max)
    }

    /// What a rite gains the offering seat and the other, once the other takes this.
    fn rite_outcome(
        &self,
        from: Seat,
        to: Seat,
        card: Treasure,
        [shown, hidden]: [Blessing; 2],
        take: Take,
    ) -> [f64; 2] {
        let (giver, taker) = (self.holding(from), self.holding(to));
        let kept = giver.treasure_gain(card);
        let bless = |holding: &Holding, blessing| self.blessing_gain(holding, blessing);
        match take {
            Take::Shown => [bless(&giver, hidden) + kept, bless(&taker, shown)],
            Take::Hidden => [bless(&giver, shown) + kept, bless(&taker, hidden)],
            Take::Treasure => [bless(&giver, shown) + bless(&giver, hidden), taker.treasure_gain(card)],
        }
    }

    fn faces(&self, card: Treasure, show: Side) -> [Blessing; 2] {
        [show, show.other()].map(|side| self.view.faces.blessing(card, side))
    }

    /// The other seat may take anything, and will rather take what hurts.
    fn rite_gain(&self, card: Treasure, to: Seat, show: Side) -> f64 {
        let outcomes = Take::ALL.map(|take| {
            let [own, other] = self.rite_outcome(self.seat, to, card, self.faces(card, show), take);
            own - self.rivalry * other
        });
        let worst = outcomes.iter().copied().fold(f64::MAX, f64::min);
        let mean = outcomes.iter().sum::<f64>() / outcomes.len() as f64;
        0.7 * worst + 0.3 * mean - 1.0
    }

    /// The mean over the cards that may lie under the sleeve, by how many of each are unseen.
    fn choice_gain(&self, take: Take) -> f64 {
        let Some(offer) = self.view.offer else { return 0.0 };
        let (mut sum, mut weights) = (0.0, 0.0);
        for card in Treasure::ALL {
            for faces in Side::BOTH.map(|show| self.faces(card, show)) {
                if faces[0] == offer.shown {
                    let weight = f64::from(self.unseen(card));
                    let [giver, own] = self.rite_outcome(offer.from, self.seat, card, faces, take);
                    sum += weight * (own - self.rivalry * giver);
                    weights += weight;
                }
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    /// How many of these cards are neither face up nor known to the seat.
    fn unseen(&self, card: Treasure) -> u8 {
        let open: u8 =
            (0..).map_while(Seat::new).take(self.view.hand_sizes.len()).map(|seat| self.holding(seat).open(card)).sum();
        let veiled: u8 = self.view.veiled_cards.iter().flatten().map(|cards| cards.of(card)).sum();
        let hand = self.view.hand.map_or(0, |hand| hand.of(card));
        Card::COPIES.saturating_sub(open + veiled + hand)
    }
}
