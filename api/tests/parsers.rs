//! The fuzz targets' bodies on a stable compiler: on anything, and on what is nearly right.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use proptest::prelude::*;

/// What clients send when all is well.
const SOUND: [&str; 14] = [
    r#"{"action":{"type":"roll"},"version":3}"#,
    r#"{"id":"a","action":{"type":"resign"},"at_s":1.5,"dry_run":true}"#,
    r#"{"type":"gather","letter":"か"}"#,
    r#"{"type":"say","word":"コート"}"#,
    r#"{"type":"choose_opening","cards":["sword","mirror"]}"#,
    r#"{"type":"rite","card":"sword","to":1,"show":"left"}"#,
    r#"{"type":"place_stone","element":"fire","stone":1,"number":2}"#,
    r#"{"type":"announce","claims":[{"seat":1,"card":"air"},{"seat":1,"card":"fire"},{"seat":1,"card":"water"}]}"#,
    r#"{"type":"place_dice","dice":[{"space":1,"die":"d8"}]}"#,
    r#"{"type":"stack","x":1e3,"y":-2.5,"turn":90,"face":3}"#,
    r#"{"dice":[1,2,3,4,5,6,1,1,1,1,6,6],"deck":[]}"#,
    r#"{"dice":[],"deck":["sword","mirror","jewel","demon","sword"],"virtual_clock":true}"#,
    r#"{"deck":["air","water","earth","fire","stone-1","number-7"]}"#,
    r#"{"dice":[4294967295,0,20],"deck":["か",""]}"#,
];

/// What stands in addresses and between processes when all is well.
const TEXTS: [&str; 5] = [
    "0190a0a0-5c1e-7d3a-8b0e-0123456789ab",
    "AZCgoFweeTqLDgEjRWeJqw",
    "after=7&seat=1",
    "0190a0a05c1e7d3a8b0e0123456789ab here 0190a0a0-5c1e-7d3a-8b0e-0123456789ab 03",
    "0190a0a05c1e7d3a8b0e0123456789ab ask 0190a0a0-5c1e-7d3a-8b0e-0123456789ab",
];

/// One of them, with a few bytes changed, put in or left out.
fn nearly(sound: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..4);
    (prop::sample::select(sound), prop::collection::vec(change, 0..4)).prop_map(|(sound, changes)| {
        let mut bytes = sound.as_bytes().to_vec();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len() + 1);
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 => bytes.truncate(at),
                _ => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn any_body(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        bodies::body(&bytes);
    }

    #[test]
    fn a_body_nearly_right(bytes in nearly(&SOUND)) {
        bodies::body(&bytes);
    }

    #[test]
    fn an_action_nearly_right(bytes in nearly(&SOUND)) {
        bodies::action(&bytes);
    }

    #[test]
    fn a_script_nearly_right(bytes in nearly(&SOUND)) {
        bodies::script(&bytes);
    }

    #[test]
    fn any_text(text in ".{0,80}") {
        bodies::text(&text);
    }

    #[test]
    fn a_text_nearly_right(bytes in nearly(&TEXTS)) {
        bodies::text(&String::from_utf8_lossy(&bytes));
    }
}
