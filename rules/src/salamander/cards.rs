//! The 47 cards, and the 84 rooms that one card of each kind leads to.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::pips::Pips;

/// A wing of the board, worth 1 to 4 in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::Element)]
pub enum Element {
    /// 空気, worth 1.
    Air,
    /// 水, worth 2.
    Water,
    /// 地, worth 3.
    Earth,
    /// 火, worth 4.
    Fire,
}

impl Element {
    /// The four wings.
    pub const ALL: [Self; 4] = [Self::Air, Self::Water, Self::Earth, Self::Fire];

    /// What it counts in a product.
    pub const fn value(self) -> u8 {
        self as u8 + 1
    }
}

/// A column of a wing: how many stones mark it.
pub type Stone = Pips<3>;

/// A row of a wing.
pub type Number = Pips<7>;

/// What a card tells of a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The wing.
    Element,
    /// The column.
    Stone,
    /// The row.
    Number,
}

impl Kind {
    /// The three kinds, in the order in which cards are listed.
    pub const ALL: [Self; 3] = [Self::Element, Self::Stone, Self::Number];

    /// The different cards of this kind, by value.
    pub const fn cards(self) -> &'static [Card] {
        let (elements, rest) = Card::ALL.split_at(4);
        let (stones, numbers) = rest.split_at(3);
        match self {
            Self::Element => elements,
            Self::Stone => stones,
            Self::Number => numbers,
        }
    }
}

/// A card by its kind and value; equal cards are interchangeable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    /// A wing.
    Element(Element),
    /// A column.
    Stone(Stone),
    /// A row.
    Number(Number),
}

const fn stone(value: u8) -> Card {
    Card::Stone(Stone::new(value).unwrap())
}

const fn number(value: u8) -> Card {
    Card::Number(Number::new(value).unwrap())
}

impl Card {
    /// How many different cards there are.
    pub const COUNT: usize = 14;

    /// How many cards there are in all.
    pub const TOTAL: usize = 47;

    /// Every different card: elements, stones, numbers, each by value.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Element(Element::Air),
        Self::Element(Element::Water),
        Self::Element(Element::Earth),
        Self::Element(Element::Fire),
        stone(1),
        stone(2),
        stone(3),
        number(1),
        number(2),
        number(3),
        number(4),
        number(5),
        number(6),
        number(7),
    ];

    const NAMES: [&'static str; Self::COUNT] = [
        "air", "water", "earth", "fire", "stone-1", "stone-2", "stone-3", "number-1", "number-2", "number-3",
        "number-4", "number-5", "number-6", "number-7",
    ];

    const JAPANESE: [&'static str; Self::COUNT] =
        ["空気", "水", "地", "火", "石1", "石2", "石3", "数1", "数2", "数3", "数4", "数5", "数6", "数7"];

    /// How many of each there are (`docs/rules/salamander.md`).
    const COPIES: [u8; Self::COUNT] = [4, 4, 4, 4, 5, 5, 5, 1, 2, 3, 4, 3, 2, 1];

    /// The place in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        match self {
            Self::Element(element) => element as usize,
            Self::Stone(stone) => 3 + stone.get() as usize,
            Self::Number(number) => 6 + number.get() as usize,
        }
    }

    /// What it tells of a room.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Element(_) => Kind::Element,
            Self::Stone(_) => Kind::Stone,
            Self::Number(_) => Kind::Number,
        }
    }

    /// What it counts in a product.
    pub const fn value(self) -> u8 {
        match self {
            Self::Element(element) => element.value(),
            Self::Stone(stone) => stone.get(),
            Self::Number(number) => number.get(),
        }
    }

    /// How many of this card there are among the 47.
    pub const fn copies(self) -> u8 {
        Self::COPIES[self.index()]
    }

    /// The name in requests and answers.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }

    /// The name in Japanese texts.
    pub const fn japanese(self) -> &'static str {
        Self::JAPANESE[self.index()]
    }

    /// The card of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|&other| other == name).map(|index| Self::ALL[index])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Self::from_name(&name).ok_or_else(|| serde::de::Error::unknown_variant(&name, &Self::NAMES))
    }
}

impl PartialSchema for Card {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .enum_values(Some(Self::NAMES))
            .description(Some("A card by kind and value; equal cards are interchangeable."))
            .examples(["stone-3"])
            .build()
            .into()
    }
}

impl ToSchema for Card {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("salamander.Card")
    }
}

/// How many of each card lie somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts([u8; Card::COUNT]);

impl Counts {
    /// None.
    pub const NONE: Self = Self([0; Card::COUNT]);

    /// All 47 cards.
    pub const FULL: Self = Self(Card::COPIES);

    /// The 47 cards without these.
    pub fn full_without(cards: impl IntoIterator<Item = Card>) -> Self {
        let mut left = Self::FULL;
        for card in cards {
            left.take(card);
        }
        left
    }

    /// How many of this card.
    pub const fn get(&self, card: Card) -> u8 {
        self.0[card.index()]
    }

    /// One more of this card.
    pub fn add(&mut self, card: Card) {
        self.0[card.index()] += 1;
    }

    /// One less of this card, if there is one.
    pub fn take(&mut self, card: Card) -> bool {
        let count = &mut self.0[card.index()];
        let there = *count > 0;
        *count -= u8::from(there);
        there
    }

    /// Whether there is no card at all.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; Card::COUNT]
    }

    /// Whether there is a card of each kind.
    pub fn make_a_set(&self) -> bool {
        Kind::ALL.into_iter().all(|kind| kind.cards().iter().any(|&card| self.get(card) > 0))
    }

    /// Every card, equal ones side by side.
    pub fn iter(&self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().flat_map(|card| std::iter::repeat_n(card, self.get(card).into()))
    }
}

/// One of the 84 rooms: also the three cards that lead to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = salamander::Room)]
pub struct Room {
    /// The wing.
    pub element: Element,
    /// The column, 1 to 3.
    pub stone: Stone,
    /// The row, 1 to 7.
    pub number: Number,
}

impl Room {
    /// Every room, by wing, column and row.
    pub fn all() -> impl Iterator<Item = Self> {
        Element::ALL.into_iter().flat_map(|element| {
            Stone::all().flat_map(move |stone| Number::all().map(move |number| Self { element, stone, number }))
        })
    }

    /// The room that these cards lead to, if they are one of each kind and no more.
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Option<Self> {
        let (mut element, mut stone, mut number) = (None, None, None);
        for card in cards {
            let repeated = match card {
                Card::Element(value) => element.replace(value).is_some(),
                Card::Stone(value) => stone.replace(value).is_some(),
                Card::Number(value) => number.replace(value).is_some(),
            };
            if repeated {
                return None;
            }
        }
        Some(Self { element: element?, stone: stone?, number: number? })
    }

    /// The three cards.
    pub const fn cards(self) -> [Card; 3] {
        [Card::Element(self.element), Card::Stone(self.stone), Card::Number(self.number)]
    }

    /// Whether the card is one of the three.
    pub fn has(self, card: Card) -> bool {
        match card {
            Card::Element(element) => self.element == element,
            Card::Stone(stone) => self.stone == stone,
            Card::Number(number) => self.number == number,
        }
    }

    /// What the set scores.
    pub const fn points(self) -> u16 {
        self.element.value() as u16 * self.stone.get() as u16 * self.number.get() as u16
    }
}
