//! Any body that parses as a question about しりとり is answered or refused.
#![no_main]

use std::sync::LazyLock;

use dictionary::Lexicon;
use libfuzzer_sys::fuzz_target;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::standard(None).expect("sound data"));

fuzz_target!(|body: &[u8]| {
    if let Ok(request) = serde_json::from_slice(body) {
        let _ = LEXICON.check_chain(&request);
    }
    if let Ok(request) = serde_json::from_slice(body) {
        let _ = LEXICON.next_words(&request);
    }
});
