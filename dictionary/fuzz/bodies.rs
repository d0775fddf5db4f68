//! What the answers about しりとり have to keep, whatever is asked.

use dictionary::Lexicon;
use dictionary::shiritori::{ChainRequest, NextRequest};

/// Any body that parses as a question is answered or refused, and both questions have one answer.
pub fn shiritori(lexicon: &Lexicon, body: &[u8]) {
    if let Ok(request) = serde_json::from_slice::<NextRequest>(body) {
        let _answer_or_fault = lexicon.next_words(&request);
    }
    if let Ok(request) = serde_json::from_slice::<ChainRequest>(body) {
        next_and_check_agree(lexicon, &request);
    }
}

/// After a chain that holds, what may come next is what the chain goes on with.
pub fn next_and_check_agree(lexicon: &Lexicon, request: &ChainRequest) {
    let Ok(chain) = lexicon.check_chain(request) else { return };
    let readings: Option<Vec<_>> = chain.words.iter().map(|word| Some(word.readings.first()?.clone())).collect();
    let (Some(used), true, true) = (readings, chain.valid, chain.words.iter().all(|word| word.readings.len() == 1))
    else {
        return;
    };
    let next = NextRequest {
        after: used.last().cloned(),
        used,
        rules: request.rules.clone(),
        limit: Some(3),
        extra: request.extra.clone(),
        banned: request.banned.clone(),
        ..NextRequest::default()
    };
    let next = lexicon.next_words(&next).expect("a chain that holds can be asked about");
    assert_eq!(next.next_must_start_with, chain.next_must_start_with);
    assert!(next.words.is_empty() || !chain.dead_end, "{:?} after {request:?}", next.words);
    for word in &next.words {
        let words = request.words.iter().cloned().chain([word.reading.clone().into_owned()]).collect();
        if let Ok(longer) = lexicon.check_chain(&ChainRequest { words, ..request.clone() }) {
            assert!(longer.valid, "{} after {request:?}: {:?}", word.reading, longer.first_error);
        }
    }
}
