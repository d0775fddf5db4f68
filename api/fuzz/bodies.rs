//! What every parser that meets a client has to keep, whatever it is given: it never panics, and what
//! it takes means one thing.

use std::sync::Arc;

use dictionary::Lexicon;
use rules::chance::{Key, Script};
use rules::game::Inquiry;
use rules::registry::games;
use rules::seat::{Seat, Viewer};
use rules::table::{AnyGame, AnyTable, Plan, Player};
use rules::time::Timestamp;
use serde_json::{Value, json};
use takujo::http::body::parse;
use takujo::http::{Language, params};
use takujo::ids::{MatchId, PlayerId};
use takujo::matches::act::NewAction;
use takujo::matches::facts::Sandbox;
use takujo::matches::follow::Start;
use takujo::matches::list::read_cursor;
use takujo::matches::presence::Presence;
use takujo::matches::socket::SocketAction;

/// A body that is read strictly is one that a lax reader reads alike; a refusal says why.
pub fn body(bytes: &[u8]) {
    match parse::<Value>(bytes) {
        Ok(value) => assert_eq!(serde_json::from_slice::<Value>(bytes).ok(), Some(value)),
        Err(problem) => {
            let said = serde_json::to_value(problem.body(Language::Japanese)).expect("a problem is JSON");
            assert!(said["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
        }
    }
    if let Ok(new) = parse::<NewAction>(bytes) {
        // The fields of an action are those of a message over a socket.
        assert!(parse::<SocketAction>(bytes).is_ok(), "{:?}", new.action);
    }
}

/// An action that is refused changes nothing; one that is taken is in the log.
pub fn action(bytes: &[u8]) {
    let Ok(action) = parse::<Value>(bytes) else { return };
    for mut table in games().into_iter().map(|game| lay(game, Script::default()).expect("the defaults are sound")) {
        let views = |table: &dyn AnyTable| {
            [Viewer::Public, Viewer::Seat(Seat::FIRST)].map(|viewer| table.view(viewer).to_string())
        };
        for seat in table.head().count().seats() {
            let (version, before) = (table.head().version, views(&*table));
            match table.act(seat, &action, table.head().now, &Lexicon::empty()) {
                Ok(step) => assert_eq!((step.version, table.head().version), (version + 1, version + 1)),
                Err(_) => assert_eq!((table.head().version, views(&*table)), (version, before)),
            }
        }
    }
}

/// A script that a match is laid with can be played to where it runs out, and beyond.
pub fn script(bytes: &[u8]) {
    let Ok(sandbox) = parse::<Sandbox>(bytes) else { return };
    for game in games() {
        let Some(mut table) = lay(game, Script { dice: sandbox.dice.clone(), deck: sandbox.deck.clone() }) else {
            continue;
        };
        for _ in 0..40 {
            let Some(seat) = table.head().to_act.iter().next() else { break };
            let lexicon = Lexicon::empty();
            let legal = table.legal_actions(seat, Inquiry { lexicon: &lexicon, words: false }, 1);
            let Some(action) = legal.actions.first() else { break };
            let action: Value = serde_json::from_str(action.get()).expect("an action is JSON");
            table.act(seat, &action, table.head().now, &lexicon).expect("what is legal is taken");
        }
    }
}

/// Ids, cursors, queries and what processes tell each other.
pub fn text(text: &str) {
    if let Ok(id) = text.parse::<MatchId>() {
        assert_eq!(id.to_string().parse(), Ok(id));
    }
    if let Ok(id) = text.parse::<PlayerId>() {
        assert_eq!(id.to_string().parse(), Ok(id));
    }
    let _none_or_one = read_cursor(text);
    if let Ok(from) = params::parse::<Start>(text) {
        assert!(from.seat.is_none_or(|seat| seat.number() < Seat::LIMIT));
    }
    Presence::new().hear(text);
}

/// A started table of humans; none where the game does not take the script.
fn lay(game: &'static dyn AnyGame, script: Script) -> Option<Box<dyn AnyTable>> {
    let seats = (0..*game.facts().seats.start()).map(|seat| (Arc::from(format!("{seat}")), Player::Human)).collect();
    let plan = Plan {
        seats,
        turn_seconds: None,
        script: Arc::new(script),
        virtual_clock: false,
        created_at: Timestamp::from_millis(0),
    };
    let (mut table, _) = game.lay(&json!({}), plan).ok()?;
    table.set_chance(Key::derive(&[7; 32], &[0; 16], []));
    table.start(Timestamp::from_millis(0), &Lexicon::empty()).ok()?;
    Some(table)
}
