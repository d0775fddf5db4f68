//! The rules, one by one, on scripted sticks and cards.

mod announcements;
mod bot;
mod chance;
mod endings;
mod jail;
mod knowledge;
mod playthrough;
mod questions;
mod road;
mod secrets;
mod setup;
mod turn;

use std::ops::ControlFlow;
use std::sync::Arc;

use dictionary::Lexicon;
use physics::world::Engine;
use serde_json::{Value, json};

use super::{Action, By, Card, Event, Options, Piece, Room, Salamander, View};
use crate::chance::{Chance, Key, Script};
use crate::game::{Context, Game, Inquiry};
use crate::seat::{Seat, SeatCount, Viewer};
use crate::time::Timestamp;

static LEXICON: std::sync::LazyLock<Lexicon> = std::sync::LazyLock::new(Lexicon::empty);

/// A match played by hand.
#[derive(Clone)]
struct Play {
    game: Salamander,
    chance: Chance,
    log: Vec<Event>,
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn card(name: &str) -> Card {
    Card::from_name(name).unwrap()
}

fn room(element: &str, stone: u8, number: u8) -> Room {
    serde_json::from_value(json!({"element": element, "stone": stone, "number": number})).unwrap()
}

/// Reads actions as clients write them.
fn action(value: Value) -> Action {
    serde_json::from_value(value).unwrap()
}

fn throw() -> Action {
    action(json!({"type": "throw"}))
}

fn end_turn() -> Action {
    action(json!({"type": "end_turn"}))
}

fn throw_keys() -> Action {
    action(json!({"type": "throw_keys"}))
}

fn discard(card: &str) -> Action {
    action(json!({"type": "discard", "card": card}))
}

fn place(element: &str, stone: u8, number: u8) -> Action {
    action(json!({"type": "place_stone", "element": element, "stone": stone, "number": number}))
}

fn walk(by: By) -> Action {
    Action::Move { by, enter_home: false }
}

fn enter(by: By) -> Action {
    Action::Move { by, enter_home: true }
}

fn ask(seat: u8, card: &str) -> Action {
    action(json!({"type": "ask", "seat": seat, "card": card}))
}

fn announce(claims: &[(u8, &str)]) -> Action {
    let claims: Vec<_> = claims.iter().map(|(seat, card)| json!({"seat": seat, "card": card})).collect();
    action(json!({"type": "announce", "claims": claims}))
}

fn seeded(seats: usize, target: u16, script: Script, seed: u64) -> Play {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let game = Salamander::setup(&Arc::new(Options { target }), SeatCount::new(seats).unwrap());
    let chance = Chance::new(Key::derive(&bytes, &[0; 16], []), Arc::new(script));
    let mut play = Play { game, chance, log: Vec::new() };
    let mut context =
        Context { chance: &mut play.chance, now: Timestamp::default(), lexicon: &LEXICON, world: &mut Engine };
    play.game.start(&mut context, &mut play.log);
    play
}

/// A match of these seats with these sticks and this deck, top card first.
fn play(seats: usize, dice: &[u32], deck: &str) -> Play {
    let script = Script { dice: dice.to_vec(), deck: deck.split_whitespace().map(String::from).collect() };
    seeded(seats, Options::default().target, script, 7)
}

impl Play {
    /// Tries an action of a seat that is to act: the events, or the rule that it breaks.
    fn act(&mut self, number: u8, action: &Action) -> Result<&[Event], &'static str> {
        assert!(self.game.to_act().contains(seat(number)), "seat {number} is not to act: {:?}", self.game.phase);
        let (before, position, from) = (self.game.clone(), self.chance.position(), self.log.len());
        let mut context =
            Context { chance: &mut self.chance, now: Timestamp::default(), lexicon: &LEXICON, world: &mut Engine };
        match self.game.apply(seat(number), action, &mut context, &mut self.log) {
            Ok(()) => Ok(&self.log[from..]),
            Err(refusal) => {
                assert_eq!(format!("{:?}", self.game), format!("{before:?}"), "it left a trace");
                assert_eq!((self.chance.position(), self.log.len()), (position, from), "it left a trace");
                assert!(Salamander::FACTS.rules.iter().any(|rule| rule.id == refusal.rule));
                Err(refusal.rule)
            }
        }
    }

    /// Plays actions of a seat that are all legal.
    fn plays<const N: usize>(&mut self, seat: u8, actions: [Action; N]) -> &mut Self {
        for action in actions {
            self.act(seat, &action).unwrap_or_else(|rule| panic!("{action:?} of seat {seat} breaks {rule}"));
        }
        self
    }

    fn refuses(&mut self, seat: u8, action: &Action) -> &'static str {
        self.act(seat, action).expect_err("it should be refused")
    }

    fn legal(&self, number: u8) -> Vec<Action> {
        let mut actions = Vec::new();
        self.game.legal_actions(seat(number), Inquiry { lexicon: &LEXICON, words: true }, &mut |action| {
            actions.push(action);
            ControlFlow::Continue(())
        });
        actions
    }

    /// Throws, plays the picture in the first legal way, and moves.
    fn moves(&mut self, number: u8, by: By) -> &mut Self {
        self.plays(number, [throw()]);
        while let first @ (Action::PlaceStone { .. } | Action::Discard { .. }) = self.legal(number)[0].clone() {
            self.plays(number, [first]);
        }
        self.plays(number, [walk(by)])
    }

    fn view(&self, number: u8) -> View {
        self.game.view(Viewer::Seat(seat(number)))
    }

    fn public(&self) -> View {
        self.game.view(Viewer::Public)
    }

    fn pieces(&self) -> Vec<Piece> {
        self.public().pieces
    }

    /// The seat whose turn it is.
    fn turn(&self) -> u8 {
        self.public().turn.unwrap().number()
    }

    fn hand(&self, number: u8) -> Vec<&'static str> {
        self.view(number).hand.unwrap().into_iter().map(Card::name).collect()
    }

    fn known(&self, observer: u8, target: u8) -> (Vec<&'static str>, Vec<&'static str>) {
        let known = self.view(observer).known.unwrap().swap_remove(target.into());
        (known.holds.into_iter().map(Card::name).collect(), known.lacks.into_iter().map(Card::name).collect())
    }

    /// Plays a random legal action, if the match is still on.
    fn plays_at_random(&mut self, choices: &mut Chance) -> bool {
        let owing: Vec<_> = self.game.to_act().iter().collect();
        let Some(&actor) = owing.get(choices.below(owing.len().max(1) as u32) as usize) else { return false };
        let legal = self.legal(actor.number());
        let action = legal[choices.below(legal.len() as u32) as usize].clone();
        let mut context =
            Context { chance: &mut self.chance, now: Timestamp::default(), lexicon: &LEXICON, world: &mut Engine };
        self.game.apply(actor, &action, &mut context, &mut self.log).unwrap();
        true
    }
}

/// Choices of a test's own, apart from the match's chance.
fn choices(seed: u64) -> Chance {
    let mut bytes = [1; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    Chance::new(Key::derive(&bytes, &[1; 16], []), Arc::default())
}

const fn road(square: u8) -> Piece {
    Piece::Road { square }
}
