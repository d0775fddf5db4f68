//! サラマンダー: announcements, and the time in jail.

use std::collections::BTreeMap;

use rules::outcome::Outcome;
use rules::salamander::{Event, Piece, Pips};
use rules::seat::Seat;
use serde_json::Value;

use super::{Figure, Form, Study, name, unknown};
use crate::history::sheet::{Measure, Sheet};
use crate::history::tokens;

/// A card, as a pattern.
macro_rules! card {
    () => {
        "(?:air|water|earth|fire|stone-[1-3]|number-[1-7])"
    };
}

const ANNOUNCEMENT: Measure = Measure("announcements");
const JAILED: Measure = Measure("jailed_for");
const JAIL_END: Measure = Measure("jail_ended_by");
const JAIL_TURNS: Measure = Measure("jail_turns");
const KEYS: Measure = Measure("keys");

/// The cards of others that an announcement names, with their seats: each once, in order.
fn claims(token: &str) -> impl Iterator<Item = &str> {
    let (claims, _) = tokens::value(token).split_once(':').unwrap_or_default();
    claims.split('+')
}

/// The pieces of a match that are in jail, with the turns that their seats have ended there.
#[derive(Default)]
pub(super) struct Claims {
    jailed: BTreeMap<Seat, u64>,
}

/// The chance of three keys in five throws of sticks of which each shows one in four times.
fn three_keys(key: &str) -> Option<f64> {
    (key == "three").then(|| (1.0 - 0.75_f64.powi(5)).powi(3))
}

impl Study for Claims {
    type Event = Event;

    const FIGURES: &'static [Figure] = &[
        Figure {
            measure: ANNOUNCEMENT,
            meaning: "Announcements by how many cards of others they named; hits: all of it was true.",
            form: Form::Rates(unknown),
        },
        Figure { measure: JAILED, meaning: "What pieces went to jail for.", form: Form::Shares },
        Figure {
            measure: JAIL_END,
            meaning: "How stays in jail ended; match_end: with the match.",
            form: Form::Shares,
        },
        Figure {
            measure: JAIL_TURNS,
            meaning: "Turns that a seat ended in jail, by stay; of stays that ended before the match did.",
            form: Form::Values,
        },
        Figure {
            measure: KEYS,
            meaning: "Turns in which a jailed seat threw for keys; hits: three keys. Expected: the chance of that.",
            form: Form::Rates(three_keys),
        },
    ];

    const TOKENS: &'static [tokens::Shape] = &[
        tokens::Shape::new("0.throw=2+3.lizard", r"<seat>\.throw=[1-4]\+[1-4]\.(?:lizard|stone)")
            .only(|token| tokens::value(token).split(['+', '.']).take(2).is_sorted()),
        tokens::Shape::new("0.discard=fire", concat!(r"<seat>\.discard=", card!())),
        tokens::Shape::new("0.place_stone=fire-3-7", r"<seat>\.place_stone=(?:air|water|earth|fire)-[1-3]-[1-7]"),
        tokens::Shape::new("0.move=sum", r"<seat>\.move=(?:sum|difference)(?:\.home)?"),
        tokens::Shape::new("0.ask=1.fire", concat!(r"<seat>\.ask=<seat>\.", card!())).only(tokens::is_about_others),
        tokens::Shape::new(
            "0.announce=1.stone-3:true",
            concat!(r"<seat>\.announce=<seat>\.", card!(), r"(?:\+<seat>\.", card!(), ")?:(?:true|false)"),
        )
        .only(|token| tokens::is_about_others(token) && claims(token).is_sorted_by(|one, other| one < other)),
        tokens::Shape::new("0.throw_keys=free", r"<seat>\.throw_keys=(?:free|stay)"),
        tokens::Shape::new("0.end_turn", r"<seat>\.end_turn"),
    ];

    fn of(_options: &Value) -> Result<Self, String> {
        Ok(Self::default())
    }

    fn token(event: &Event) -> Option<String> {
        Some(match event {
            Event::Thrown { seat, throw } => {
                let mut numbers = throw.numbers.map(Pips::get);
                numbers.sort_unstable();
                let [low, high] = numbers;
                format!("{seat}.throw={low}+{high}.{}", name(&throw.picture))
            }
            Event::Discarded { seat, card, .. } => format!("{seat}.discard={}", card.name()),
            Event::PlacedStone { seat, room } => {
                let [element, stone, number] = room.cards();
                format!("{seat}.place_stone={}-{}-{}", element.name(), stone.value(), number.value())
            }
            Event::Moved { seat, by, steps, piece } => {
                let home = if *piece == Piece::Home && *steps > 0 { ".home" } else { "" };
                format!("{seat}.move={}{home}", name(by))
            }
            Event::Asked { seat, target, card, .. } => format!("{seat}.ask={target}.{}", card.name()),
            Event::Announced { seat, claims, points, .. } => {
                let mut claims: Vec<_> = claims.iter().map(|claim| (claim.seat, claim.card.name())).collect();
                claims.sort_unstable();
                let claims: Vec<_> = claims.iter().map(|(seat, card)| format!("{seat}.{card}")).collect();
                format!("{seat}.announce={}:{}", claims.join("+"), points.is_some())
            }
            Event::KeysThrown { seat, throws } => {
                format!("{seat}.throw_keys={}", if throws.open_the_jail() { "free" } else { "stay" })
            }
            Event::TurnEnded { seat, forced: false } => format!("{seat}.end_turn"),
            Event::TurnEnded { .. }
            | Event::Shuffled { .. }
            | Event::Dealt { .. }
            | Event::Drew { .. }
            | Event::DrewNothing { .. }
            | Event::Jailed { .. }
            | Event::Freed { .. }
            | Event::Ended { .. } => return None,
        })
    }

    fn see(&mut self, event: &Event, _outcome: &Outcome, sheet: &mut Sheet) {
        match event {
            Event::Announced { claims, points, .. } => {
                sheet.count(ANNOUNCEMENT, claims.len().to_string(), points.is_some());
            }
            Event::Jailed { seat, reason } => {
                self.jailed.insert(*seat, 0);
                sheet.count(JAILED, name(reason), false);
            }
            Event::Freed { seat, reason } => {
                if let Some(turns) = self.jailed.remove(seat) {
                    sheet.count(JAIL_END, name(reason), false);
                    sheet.value(JAIL_TURNS, turns);
                }
            }
            Event::KeysThrown { throws, .. } => sheet.count(KEYS, "three", throws.open_the_jail()),
            Event::TurnEnded { seat, .. } => {
                if let Some(turns) = self.jailed.get_mut(seat) {
                    *turns += 1;
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, sheet: &mut Sheet) {
        for _ in std::mem::take(&mut self.jailed) {
            sheet.count(JAIL_END, "match_end", false);
        }
    }
}
