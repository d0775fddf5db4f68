//! The four kinds of cards, the blessings, and cards counted by kind.

use std::fmt;
use std::ops::ControlFlow;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::text::Text;

/// A card, by its kind: cards of one kind are all alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::Card)]
pub enum Card {
    /// 剣.
    Sword,
    /// 鏡.
    Mirror,
    /// 玉.
    Jewel,
    /// 鬼札.
    Demon,
}

impl Card {
    /// Every kind, in the order in which cards are listed.
    pub const ALL: [Self; 4] = [Self::Sword, Self::Mirror, Self::Jewel, Self::Demon];
    /// How many cards of each kind there are.
    pub const COPIES: u8 = 12;

    /// The kind of this name, as scripts write it.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.name() == name)
    }

    /// The name in requests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sword => "sword",
            Self::Mirror => "mirror",
            Self::Jewel => "jewel",
            Self::Demon => "demon",
        }
    }

    /// The treasure on the card; a demon has none.
    pub const fn treasure(self) -> Option<Treasure> {
        match self {
            Self::Sword => Some(Treasure::Sword),
            Self::Mirror => Some(Treasure::Mirror),
            Self::Jewel => Some(Treasure::Jewel),
            Self::Demon => None,
        }
    }
}

/// A treasure (神宝), the middle of a treasure card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::Treasure)]
pub enum Treasure {
    /// 剣.
    Sword,
    /// 鏡.
    Mirror,
    /// 玉.
    Jewel,
}

impl Treasure {
    /// Every treasure, in the order in which cards are listed.
    pub const ALL: [Self; 3] = [Self::Sword, Self::Mirror, Self::Jewel];
}

impl From<Treasure> for Card {
    fn from(treasure: Treasure) -> Self {
        match treasure {
            Treasure::Sword => Self::Sword,
            Treasure::Mirror => Self::Mirror,
            Treasure::Jewel => Self::Jewel,
        }
    }
}

/// A blessing (加護).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = kamudakara::Blessing)]
pub enum Blessing {
    /// 勇: draw as many cards as swords.
    Courage,
    /// 知: store as many cards as mirrors.
    Wisdom,
    /// 仁: draw as many cards as jewels and veil as many.
    Benevolence,
}

impl Blessing {
    /// Every blessing.
    pub const ALL: [Self; 3] = [Self::Courage, Self::Wisdom, Self::Benevolence];

    /// The treasure that the blessing counts.
    pub const fn counts(self) -> Treasure {
        match self {
            Self::Courage => Treasure::Sword,
            Self::Wisdom => Treasure::Mirror,
            Self::Benevolence => Treasure::Jewel,
        }
    }
}

/// Cards in no order: how many there are of each kind. In JSON a list of names.
#[derive(Clone, Copy, PartialEq, Eq, Default, ToSchema)]
#[schema(as = kamudakara::Cards, value_type = Vec<Card>, examples(json!(["sword", "jewel", "demon"])))]
pub struct Cards([u8; 4]);

impl Cards {
    /// No card.
    pub const NONE: Self = Self([0; 4]);
    /// The most cards that a list may name: all there are.
    const LIMIT: usize = Card::ALL.len() * Card::COPIES as usize;

    /// So many cards of one kind.
    pub const fn some(count: u8, card: Card) -> Self {
        let mut counts = [0; 4];
        counts[card as usize] = count;
        Self(counts)
    }

    /// How many of this kind there are.
    pub fn of(self, card: impl Into<Card>) -> u8 {
        self.0[card.into() as usize]
    }

    /// How many there are in all.
    pub const fn len(self) -> u8 {
        let [sword, mirror, jewel, demon] = self.0;
        sword + mirror + jewel + demon
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether all of `others` are among them.
    pub fn contain(self, others: Self) -> bool {
        self.0.iter().zip(others.0).all(|(own, other)| *own >= other)
    }

    /// The kinds there are at least one card of.
    pub fn kinds(self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().filter(move |&card| self.of(card) > 0)
    }

    /// Every card, kind by kind.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().flat_map(move |card| std::iter::repeat_n(card, self.of(card).into()))
    }

    /// Adds these.
    pub fn add(&mut self, others: impl Into<Self>) {
        for (own, other) in self.0.iter_mut().zip(others.into().0) {
            *own += other;
        }
    }

    /// Takes these away. Those that are not there are left out of account.
    pub fn remove(&mut self, others: impl Into<Self>) {
        for (own, other) in self.0.iter_mut().zip(others.into().0) {
            *own = own.saturating_sub(other);
        }
    }

    /// The one way to take `count` of them, if there is only one.
    pub fn only_selection(self, count: u8) -> Option<Self> {
        let mut kinds = self.kinds();
        match (kinds.next(), kinds.next()) {
            _ if count == 0 => Some(Self::NONE),
            _ if count == self.len() => Some(self),
            (Some(card), None) if count < self.len() => Some(Self::some(count, card)),
            _ => None,
        }
    }

    /// Visits every way to take `count` of them.
    pub fn selections(self, count: u8, mut visit: impl FnMut(Self) -> ControlFlow<()>) -> ControlFlow<()> {
        let [swords, mirrors, jewels, demons] = self.0;
        for sword in 0..=swords.min(count) {
            for mirror in 0..=mirrors.min(count - sword) {
                let rest = count - sword - mirror;
                for jewel in rest.saturating_sub(demons)..=jewels.min(rest) {
                    visit(Self([sword, mirror, jewel, rest - jewel]))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<C: Into<Card>> From<C> for Cards {
    fn from(card: C) -> Self {
        Self::some(1, card.into())
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut counts = [0; 4];
        for card in cards {
            counts[card as usize] += 1;
        }
        Self(counts)
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Cards;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let most = Cards::LIMIT;
                let (en, ja) = (format!("a list of at most {most} cards"), format!("{most} 枚までの札のリスト"));
                fmt::Display::fmt(&Text::new(en, ja), f)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Cards, A::Error> {
                let mut cards = Cards::NONE;
                for length in 1.. {
                    match list.next_element::<Card>()? {
                        Some(_) if length > Cards::LIMIT => {
                            return Err(serde::de::Error::invalid_length(length, &self));
                        }
                        Some(card) => cards.add(card),
                        None => break,
                    }
                }
                Ok(cards)
            }
        }
        deserializer.deserialize_seq(List)
    }
}
