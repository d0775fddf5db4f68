//! カムダカラ: what is taken from an offer, by what it shows and what it hides.

use rules::kamudakara::{Blessing, Event, Options, Take, Treasure};
use rules::outcome::Outcome;
use serde::Deserialize;
use serde_json::Value;

use super::{Figure, Form, Study, name, names, unknown};
use crate::history::sheet::{Measure, Sheet};
use crate::history::tokens;

/// Cards, as a pattern.
macro_rules! cards {
    () => {
        r"(?:(?:sword|mirror|jewel|demon)(?:\+(?:sword|mirror|jewel|demon))*)"
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
        tokens::Shape::new("open=sword+mirror,demon+jewel", concat!("open=", cards!(), "(?:,", cards!(), ")+")),
        tokens::Shape::new("0.ritual", r"\d\.(?:ritual|memorial_store)"),
        tokens::Shape::new("0.ritual_keep=top", r"\d\.ritual_keep=(?:top|bottom)"),
        tokens::Shape::new("0.rite=1.wisdom", concat!(r"\d\.rite=\d\.", blessing!())),
        tokens::Shape::new("1.rite_choose=hidden", r"\d\.rite_choose=(?:shown|hidden|treasure)"),
        tokens::Shape::new("0.memorial=wisdom", concat!(r"\d\.(?:memorial|blessing_order)=", blessing!())),
        tokens::Shape::new("0.use_demons=1", r"\d\.(?:use_demons|veil)=\d{1,3}"),
        tokens::Shape::new("0.store=sword+demon", concat!(r"\d\.store=", cards!(), "?")),
        tokens::Shape::new("0.give_demons=1+2", r"\d\.give_demons=(?:\d(?:\+\d)*)?"),
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
