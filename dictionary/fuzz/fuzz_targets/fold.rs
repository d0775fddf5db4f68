//! Any text folds without a panic, and its reading folds to the same again.
#![no_main]

use dictionary::{fold, trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let traced = trace(text);
    if let Ok(folded) = fold(text) {
        assert_eq!(fold(&folded.hiragana).as_ref(), Ok(&folded));
        assert_eq!(traced.map(|traced| traced.spellings), Ok(folded.spellings));
    }
});
