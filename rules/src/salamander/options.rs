//! What a match may choose.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::{Card, Counts};
use crate::chance::Script;
use crate::text::{Fault, Text};

/// The options of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = salamander::Options)]
pub struct Options {
    /// The score that ends the match (`sal.target`); 49 makes it short, 84 is the best single set,
    /// 85 cannot be reached with one set, 100 makes it long.
    #[schema(minimum = 1, maximum = 500, default = 84)]
    pub target: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: 84 }
    }
}

impl Options {
    /// What is wrong with the values, and with a script.
    pub(super) fn faults(&self, script: &Script) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !(1..=500).contains(&self.target) {
            faults.push(Fault::new(
                "options.target",
                Text::new(
                    format!("The target is a score from 1 to 500, not {}.", self.target),
                    format!("目標点は1から500までです（{}でした）。", self.target),
                ),
            ));
        }
        let mut left = Counts::FULL;
        for (at, name) in script.deck.iter().enumerate() {
            let field = || format!("sandbox.deck[{at}]");
            match Card::from_name(name) {
                None => faults.push(Fault::new(
                    field(),
                    Text::new(
                        format!("`{name}` is no card; cards are air water earth fire stone-1 to stone-3 number-1 to number-7."),
                        format!("「{name}」というカードはありません。air、water、earth、fire、stone-1〜stone-3、number-1〜number-7 から選びます。"),
                    ),
                )),
                Some(card) if !left.take(card) => faults.push(Fault::new(
                    field(),
                    Text::new(
                        format!("There are only {} cards {name}.", card.copies()),
                        format!("{}のカードは{}枚しかありません。", card.japanese(), card.copies()),
                    ),
                )),
                Some(_) => {}
            }
        }
        faults
    }
}
