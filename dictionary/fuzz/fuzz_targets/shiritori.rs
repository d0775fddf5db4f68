//! See `bodies::shiritori`.
#![no_main]

use std::sync::LazyLock;

use dictionary::Lexicon;
use libfuzzer_sys::fuzz_target;

#[path = "../bodies.rs"]
mod bodies;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("sound data"));

fuzz_target!(|body: &[u8]| bodies::shiritori(&LEXICON, body));
