//! カムダカラ: what is taken from an offer, by what it shows and what it hides.

use rules::kamudakara::{Blessing, Event, Options, Take, Treasure};
use rules::outcome::Outcome;
use serde::Deserialize;
use serde_json::Value;

use super::{Figure, Form, Study, name, names, unknown};
use crate::history::sheet::{Measure, Sheet};
use crate::history::tokens;

/// A card, as a pattern.
macro_rules! card {
    () => {
        "(?:sword|mirror|jewel|demon)"
    };
}

/// A blessing, as a pattern.
macro_rules! blessing {
    () => {
        "(?:courage|wisdom|benevolence)"
    };
}

const SHOWN: Measure = Measure("shown_blessings");
const HIDDEN: Measure = Measure("hidden_blessings");
const TREASURE: Measure = Measure("treasures");

/// Whether cards come in the order in which they are listed.
fn are_in_order<'a>(cards: impl Iterator<Item = &'a str>) -> bool {
    cards.is_sorted_by_key(|card| ["sword", "mirror", "jewel", "demon"].iter().position(|&one| one == card))
}

/// A card under the sleeve.
#[derive(Clone, Copy)]
struct Offer {
    shown: Blessing,
    hidden: Blessing,
    treasure: Treasure,
}

/// The offers of a match.
pub(super) struct Offers {
    options: Options,
    offer: Option<Offer>,
}

impl Study for Offers {
    type Event = Event;

    const FIGURES: &'static [Figure] = &[
        Figure {
            measure: SHOWN,
            meaning: "How often each blessing was offered showing; hits: it was taken.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: HIDDEN,
            meaning: "How often each blessing was offered under the sleeve; hits: it was taken.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: TREASURE,
            meaning: "How often each treasure was offered; hits: it was taken.",
            form: Form::Rates(unknown),
        },
    ];

    const TOKENS: &'static [tokens::Shape] = &[
        tokens::Shape::new(
            "open=sword+mirror,jewel+demon",
            concat!("open=", card!(), r"\+", card!(), "(?:,", card!(), r"\+", card!(), "){1,3}"),
        )
        .only(|token| tokens::value(token).split(',').all(|cards| are_in_order(cards.split('+')))),
        tokens::Shape::new("0.ritual", r"<seat>\.(?:ritual|memorial_store)"),
        tokens::Shape::new("0.ritual_keep=top", r"<seat>\.ritual_keep=(?:top|bottom)"),
        tokens::Shape::new("0.rite=1.wisdom", concat!(r"<seat>\.rite=<seat>\.", blessing!()))
            .only(tokens::is_about_others),
        tokens::Shape::new("1.rite_choose=hidden", r"<seat>\.rite_choose=(?:shown|hidden|treasure)"),
        tokens::Shape::new("0.memorial=wisdom", concat!(r"<seat>\.(?:memorial|blessing_order)=", blessing!())),
        tokens::Shape::new("0.use_demons=1", r"<seat>\.use_demons=(?:\d|1[0-2])"),
        tokens::Shape::new("0.veil=2", r"<seat>\.veil=(?:\d|[1-3]\d|4[0-8])"),
        tokens::Shape::new(
            "0.store=sword+demon",
            concat!(r"<seat>\.store=(?:", card!(), r"(?:\+", card!(), "){0,47})?"),
        )
        .only(|token| are_in_order(tokens::parts(token))),
        tokens::Shape::new("0.give_demons=1+2", r"<seat>\.give_demons=(?:<seat>(?:\+<seat>){0,11})?")
            .only(|token| tokens::is_about_others(token) && tokens::parts(token).is_sorted()),
    ];

    fn of(options: &Value) -> Result<Self, String> {
        let options = Options::deserialize(options).map_err(|error| error.to_string())?;
        Ok(Self { options, offer: None })
    }

    fn token(event: &Event) -> Option<String> {
        Some(match event {
            Event::Opened { cards } => {
                let hands: Vec<_> = cards.iter().map(|cards| names(cards.iter())).collect();
                format!("open={}", hands.join(","))
            }
            Event::RitualDrawn { seat, .. } => format!("{seat}.ritual"),
            Event::RitualKept { seat, return_to, .. } => format!("{seat}.ritual_keep={}", name(return_to)),
            Event::Offered { seat, to, shown, .. } => format!("{seat}.rite={to}.{}", name(shown)),
            Event::OfferTaken { seat, take } => format!("{seat}.rite_choose={}", name(take)),
            Event::OrderChosen { seat, first } => format!("{seat}.blessing_order={}", name(first)),
            Event::MemorialHeld { seat, blessing } => format!("{seat}.memorial={}", name(blessing)),
            Event::DemonStored { seat } => format!("{seat}.memorial_store"),
            Event::DemonsUsed { seat, count, .. } => format!("{seat}.use_demons={count}"),
            Event::Stored { seat, cards, .. } => format!("{seat}.store={}", names(cards.iter())),
            Event::Veiled { seat, count, .. } => format!("{seat}.veil={count}"),
            Event::DemonsGiven { seat, to, .. } => {
                let mut to = to.clone();
                to.sort_unstable();
                format!("{seat}.give_demons={}", names(&to))
            }
            Event::Dealt { .. }
            | Event::OpeningChosen { .. }
            | Event::BlessingBegun { .. }
            | Event::Drew { .. }
            | Event::Voided { .. }
            | Event::TreasureStored { .. }
            | Event::RoundScored { .. } => return None,
        })
    }

    fn see(&mut self, event: &Event, _outcome: &Outcome, sheet: &mut Sheet) {
        match *event {
            Event::Offered { shown, card: Some(treasure), side: Some(side), .. } => {
                let hidden = self.options.faces.blessing(treasure, side.other());
                self.offer = Some(Offer { shown, hidden, treasure });
            }
            Event::OfferTaken { take, .. } => {
                if let Some(offer) = self.offer.take() {
                    sheet.count(SHOWN, name(&offer.shown), take == Take::Shown);
                    sheet.count(HIDDEN, name(&offer.hidden), take == Take::Hidden);
                    sheet.count(TREASURE, name(&offer.treasure), take == Take::Treasure);
                }
            }
            _ => {}
        }
    }
}
