//! Two tables that a viewer cannot tell apart look the same to it, byte for byte.

use proptest::prelude::*;

use super::invariants::play_at_random;
use super::*;
use crate::kamudakara::{Blessing, Treasure};

/// The table with all that the viewer cannot know dealt anew: the hands of others and the deck,
/// and under the sleeve any treasure that shows the same blessing.
fn with_other_secrets(table: &Table, viewer: Viewer, chance: &mut Chance) -> Table {
    let mut other = table.clone();
    let game = &mut other.game;
    let hidden: Vec<_> = game.seats.seats().filter(|&seat| !viewer.sees(seat)).collect();
    let mut unknown: Vec<_> = game.deck.iter().copied().collect();
    for seat in &hidden {
        unknown.extend(game.hands[seat.index()].iter());
        unknown.extend(game.storehouses[seat.index()].veiled[seat.index()].iter());
    }
    if let Phase::Ritual { drawn } = &game.phase
        && !viewer.sees(game.turn)
    {
        unknown.extend(drawn.iter());
    }
    chance.shuffle(&mut unknown);
    let mut unknown = unknown.into_iter();
    game.deck.iter_mut().for_each(|card| *card = unknown.next().expect("as many as before"));
    for seat in &hidden {
        let mut deal = |held: &mut Cards| *held = unknown.by_ref().take(held.len().into()).collect();
        deal(&mut game.hands[seat.index()]);
        deal(&mut game.storehouses[seat.index()].veiled[seat.index()]);
    }
    if let Phase::Ritual { drawn } = &mut game.phase
        && !viewer.sees(game.turn)
    {
        *drawn = unknown.collect();
    }
    if let Phase::Opening { chosen } = &mut game.phase {
        for seat in hidden {
            if let Some(cards) = &mut chosen[seat.index()] {
                *cards = game.hands[seat.index()].iter().take(2).collect();
            }
        }
    }
    if let Phase::Offer(offer) = &mut game.phase
        && !viewer.sees(game.turn)
    {
        let faces = &game.options.faces;
        let shown = faces.blessing(offer.card, offer.side);
        let candidates: Vec<_> = Treasure::ALL
            .into_iter()
            .flat_map(|card| crate::kamudakara::Side::BOTH.map(|side| (card, side)))
            .filter(|&(card, side)| faces.blessing(card, side) == shown)
            .collect();
        (offer.card, offer.side) = candidates[chance.below(candidates.len() as u32) as usize];
    }
    other
}

/// Everything that the table shows the viewer.
fn surface(table: &Table, viewer: Viewer) -> String {
    let legal = match viewer {
        Viewer::Seat(seat) => table.legal(seat.number()),
        Viewer::Public | Viewer::Everything => Vec::new(),
    };
    serde_json::to_string(&(table.game.view(viewer), table.owing(), legal)).unwrap()
}

/// What the rules let the viewer learn from an event, said without regard to how events are redacted.
#[derive(PartialEq, Debug)]
enum Fact {
    /// Seen by all.
    Open(&'static str, u8, Option<Cards>, u8, bool),
    /// A blessing that begins or is laid open otherwise.
    Blessing(u8, Blessing),
    /// Own cards seen.
    Own(Cards),
}

fn facts(event: &Event, viewer: Viewer) -> Vec<Fact> {
    let own = |seat: &Seat, cards: &Option<Cards>| cards.filter(|_| viewer.sees(*seat)).map(Fact::Own);
    let open = |what, seat: &Seat, count, forced| Fact::Open(what, seat.number(), None, count, forced);
    let (fact, own) = match event {
        Event::Dealt { round, first, hands, .. } => {
            let mine = hands.iter().zip((0..).map(seat)).find_map(|(hand, seat)| own(&seat, hand));
            (open("dealt", first, *round, false), mine)
        }
        Event::OpeningChosen { seat, cards, forced } => (open("chosen", seat, 2, *forced), own(seat, cards)),
        Event::Opened { cards } => {
            return (0..).zip(cards).map(|(seat, &cards)| Fact::Open("opened", seat, Some(cards), 2, false)).collect();
        }
        Event::RitualDrawn { seat, count, cards, forced } => (open("ritual", seat, *count, *forced), own(seat, cards)),
        Event::RitualKept { seat, kept, return_to, .. } => {
            (open("kept", seat, *return_to as u8, false), own(seat, &kept.map(Cards::from)))
        }
        Event::Offered { seat, to, shown, card, .. } => {
            let card = own(seat, &card.map(Cards::from));
            return [Fact::Blessing(to.number(), *shown)].into_iter().chain(card).collect();
        }
        Event::OfferTaken { seat, take } => (open("take", seat, *take as u8, false), None),
        Event::OrderChosen { seat, first } => (Fact::Blessing(seat.number(), *first), None),
        Event::MemorialHeld { seat, blessing } | Event::BlessingBegun { seat, blessing } => {
            (Fact::Blessing(seat.number(), *blessing), None)
        }
        Event::DemonStored { seat } => (open("demon", seat, 1, false), None),
        Event::DemonsUsed { seat, count, forced } => (open("used", seat, *count, *forced), None),
        Event::Drew { seat, count, cards } => (open("drew", seat, *count, false), own(seat, cards)),
        Event::Voided { seat } => (open("void", seat, 0, false), None),
        Event::Stored { seat, cards, forced } => {
            (Fact::Open("stored", seat.number(), Some(*cards), cards.len(), *forced), None)
        }
        Event::Veiled { seat, count, cards, forced } => (open("veiled", seat, *count, *forced), own(seat, cards)),
        Event::DemonsGiven { to, forced, .. } => {
            return to.iter().map(|seat| open("given", seat, 1, *forced)).collect();
        }
        Event::TreasureStored { seat, card } => {
            (Fact::Open("treasure", seat.number(), Some((*card).into()), 1, false), None)
        }
        Event::RoundScored { scores, .. } => {
            return scores
                .iter()
                .zip((0..).map(seat))
                .map(|(&score, seat)| open("scored", &seat, score as u8, false))
                .collect();
        }
    };
    [fact].into_iter().chain(own).collect()
}

fn learnt(log: &[Event], viewer: Viewer) -> Vec<Fact> {
    log.iter().flat_map(|event| facts(event, viewer)).collect()
}

/// What the seat may do on the twin table where it does this here, of another's actions also some
/// that may look the same to the viewer: their cards are secret.
fn look_alikes(twin: &Table, number: u8, action: &Action, viewer: Viewer, chance: &mut Chance) -> Vec<Action> {
    let mut actions = Vec::new();
    if !viewer.sees(seat(number)) {
        actions = twin.legal(number);
        actions.retain(|other| std::mem::discriminant(other) == std::mem::discriminant(action));
        chance.shuffle(&mut actions);
        actions.truncate(3);
    }
    actions.push(action.clone());
    actions
}

fn seen(log: &[Event], viewer: Viewer) -> String {
    let seen: Vec<_> = log.iter().map(|event| Kamudakara::redact(event, viewer)).collect();
    serde_json::to_string(&seen).unwrap()
}

/// Every seat of the table, and the public.
fn viewers(seats: usize) -> impl Iterator<Item = Viewer> {
    (0..seats as u8).map(seat).map(Viewer::Seat).chain([Viewer::Public])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// From any table on, its twin with other secrets is played alongside, as long as the rules let
    /// the viewer see no difference.
    #[test]
    fn tables_that_cannot_be_told_apart_look_the_same(seats in 2_usize..=4, seed: u8, choices: u8) {
        let mut table = Table::dealt(seats, Options::default(), "");
        table.chance = random(seed);
        let mut twins: Vec<(Viewer, Table)> = Vec::new();
        let mut secrets = random(seed.wrapping_add(choices));
        let mut compared = 0;
        play_at_random(&mut table, &mut random(choices), |table, number, action| {
            for viewer in viewers(seats) {
                let twin = with_other_secrets(table, viewer, &mut secrets);
                assert_eq!(surface(&twin, viewer), surface(table, viewer));
                if secrets.below(3) == 0 {
                    twins.push((viewer, twin));
                }
            }
            let mut next = table.clone();
            let log = next.act(number, action);
            twins.retain_mut(|(viewer, twin)| {
                let alike = look_alikes(twin, number, action, *viewer, &mut secrets);
                let Some((after, twin_log)) = alike.into_iter().find_map(|action| {
                    let mut after = twin.clone();
                    let twin_log = after.attempt(number, &action).ok()?;
                    (learnt(&log, *viewer) == learnt(&twin_log, *viewer)).then_some((after, twin_log))
                }) else {
                    return false;
                };
                *twin = after;
                compared += 1;
                assert_eq!(seen(&log, *viewer), seen(&twin_log, *viewer), "{viewer:?} {action:?}");
                assert_eq!(surface(&next, *viewer), surface(twin, *viewer), "{viewer:?} {action:?}");
                true
            });
        });
        prop_assert!(compared > 10, "{} comparisons are too few", compared);
    }
}
