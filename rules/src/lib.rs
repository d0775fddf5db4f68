//! The rules of five Japanese table games, as pure functions.
