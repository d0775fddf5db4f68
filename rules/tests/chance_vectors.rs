//! The numbers in `docs/chance.md` are the numbers that the code makes.

use std::sync::Arc;

use dictionary::Lexicon;
use physics::world::{Engine, Shift};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use rules::chance::{Chance, Key, Position, Script, commitment};
use rules::game::{Context, Game};
use rules::sainokawara::Tremor;
use rules::seat::SeatCount;
use rules::time::Timestamp;
use rules::twenty_one::{Action, Event, TwentyOne};
use serde::Deserialize;

const PAGE: &str = include_str!("../../docs/chance.md");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    server_seed: String,
    commitment: String,
    match_id: String,
    entropy: Vec<String>,
    key: String,
    words: Vec<u32>,
    dice: Vec<u32>,
    below: Below,
    shuffle: Shuffle,
    scripted_dice: ScriptedDice,
    scripted_deck: ScriptedDeck,
    seat_order: SeatOrder,
    bot: Bot,
    tremors: Vec<Trembling>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Below {
    bound: u32,
    values: Vec<u32>,
    words_used: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shuffle {
    items: Vec<String>,
    shuffled: Vec<String>,
    words_used: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedDice {
    script: Vec<u32>,
    dice: Vec<u32>,
    words_used: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedDeck {
    script: Vec<String>,
    items: Vec<char>,
    pile: Vec<char>,
    words_used: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatOrder {
    key: String,
    items: Vec<String>,
    shuffled: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bot {
    version: u32,
    key: String,
    words: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trembling {
    tremor: Tremor,
    aim: Shift,
    strayed: Shift,
    words_used: u64,
}

/// The one JSON block of the page.
fn vectors() -> Vectors {
    let (_, rest) = PAGE.split_once("```json\n").expect("the page has its vectors");
    let (block, after) = rest.split_once("```").unwrap();
    assert!(!after.contains("```json"), "one block holds them all");
    serde_json::from_str(block).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    assert_eq!(hex.len() % 2, 0);
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn array<const N: usize>(hex: &str) -> [u8; N] {
    bytes(hex).try_into().unwrap()
}

impl Vectors {
    fn server_seed(&self) -> [u8; 32] {
        array(&self.server_seed)
    }

    fn match_id(&self) -> [u8; 16] {
        array(&self.match_id.replace('-', ""))
    }

    fn key(&self) -> Key {
        let entropy: Vec<_> = self.entropy.iter().map(|hex| bytes(hex)).collect();
        Key::derive(&self.server_seed(), &self.match_id(), entropy.iter().map(Vec::as_slice))
    }

    fn chance(&self) -> Chance {
        self.scripted(Script::default())
    }

    fn scripted(&self, script: Script) -> Chance {
        Chance::new(self.key(), Arc::new(script))
    }
}

/// The words of a stream under a key as the page writes it.
fn words(key: &str, count: usize) -> Vec<u32> {
    let mut stream = ChaCha20Rng::from_seed(array(key));
    (0..count).map(|_| stream.next_u32()).collect()
}

/// Words as the code's own chance lets them be seen: all but the highest bit.
fn low_bits(mut chance: Chance, count: usize) -> Vec<u32> {
    (0..count).map(|_| chance.below(1 << 31)).collect()
}

fn without_highest_bit(words: &[u32]) -> Vec<u32> {
    words.iter().map(|word| word & !(1 << 31)).collect()
}

#[test]
fn the_commitment_is_the_hash_of_the_seed() {
    let page = vectors();
    assert_eq!(commitment(&page.server_seed()), array::<32>(&page.commitment));
}

#[test]
fn the_key_gives_the_words() {
    let page = vectors();
    assert_eq!(words(&page.key, page.words.len()), page.words);
    assert_eq!(low_bits(page.chance(), page.words.len()), without_highest_bit(&page.words));
}

#[test]
fn numbers_come_by_rejection() {
    let page = vectors();
    let mut chance = page.chance();
    assert_eq!(page.below.values.iter().map(|_| chance.below(page.below.bound)).collect::<Vec<_>>(), page.below.values);
    assert_eq!(chance.position().words, page.below.words_used);
    assert!(page.below.words_used > page.below.values.len() as u64, "the example shows a rejected word");
}

#[test]
fn dice_are_one_more_than_a_number_below_their_faces() {
    let page = vectors();
    let mut chance = page.chance();
    assert_eq!(page.dice.iter().map(|_| chance.die(6)).collect::<Vec<_>>(), page.dice);
}

#[test]
fn shuffles_are_fisher_yates() {
    let page = vectors();
    let mut chance = page.chance();
    let mut items = page.shuffle.items.clone();
    chance.shuffle(&mut items);
    assert_eq!((items, chance.position().words), (page.shuffle.shuffled, page.shuffle.words_used));
}

#[test]
fn scripted_values_come_first() {
    let page = vectors();
    let ScriptedDice { script, dice, words_used } = &page.scripted_dice;
    let mut chance = page.scripted(Script { dice: script.clone(), deck: vec![] });
    assert_eq!(dice.iter().map(|_| chance.die(6)).collect::<Vec<_>>(), *dice);
    assert_eq!(chance.position(), Position { words: *words_used, dice: script.len() as u32, cards: 0 });

    let ScriptedDeck { script, items, pile, words_used } = &page.scripted_deck;
    let mut chance = page.scripted(Script { dice: vec![], deck: script.clone() });
    assert_eq!(chance.pile(items.clone(), |name| name.parse().ok()), *pile);
    assert_eq!(chance.position(), Position { words: *words_used, dice: 0, cards: script.len() as u32 });
}

#[test]
fn the_seats_have_a_stream_of_their_own() {
    let page = vectors();
    let key = Key::for_seat_order(&page.server_seed(), &page.match_id());
    let mut chance = Chance::new(key.clone(), Arc::default());
    let mut seats = page.seat_order.items.clone();
    chance.shuffle(&mut seats);
    assert_eq!(seats, page.seat_order.shuffled);
    let expected = without_highest_bit(&words(&page.seat_order.key, 4));
    assert_eq!(low_bits(Chance::new(key, Arc::default()), 4), expected);
}

#[test]
fn the_bots_have_a_stream_for_each_decision() {
    let page = vectors();
    let chance = Chance::new(page.key().for_bot(page.bot.version), Arc::default());
    assert_eq!(words(&page.bot.key, page.bot.words.len()), page.bot.words);
    assert_eq!(low_bits(chance, page.bot.words.len()), without_highest_bit(&page.bot.words));
}

#[test]
fn a_hand_trembles_by_twelve_numbers() {
    let page = vectors();
    assert_eq!(page.tremors.len(), 3);
    for trembling in &page.tremors {
        let mut chance = page.chance();
        assert_eq!(trembling.tremor.stray(trembling.aim, &mut chance), trembling.strayed);
        assert_eq!(chance.position().words, trembling.words_used);
    }
}

#[test]
fn twenty_one_uses_one_die_a_roll() {
    let page = vectors();
    let mut chance = page.chance();
    let lexicon = &Lexicon::empty();
    let mut context = Context { chance: &mut chance, now: Timestamp::from_millis(0), lexicon, world: &mut Engine };
    let mut game = TwentyOne::setup(&Arc::default(), SeatCount::new(2).unwrap());
    let mut log = Vec::new();
    game.start(&mut context, &mut log);
    // So many rolls take more than one game.
    while log.iter().filter(|event| matches!(event, Event::Rolled { .. })).count() < page.dice.len() {
        let seat = game.to_act().iter().next().unwrap();
        game.apply(seat, &Action::Roll {}, &mut context, &mut log).unwrap();
    }
    let rolled = log.iter().filter_map(|event| match event {
        Event::Rolled { die, .. } => Some(u32::from(die.pips())),
        _ => None,
    });
    assert_eq!(rolled.collect::<Vec<_>>(), page.dice);
}
