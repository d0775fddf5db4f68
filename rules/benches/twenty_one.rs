//! Random playouts of ２１.

mod playouts;

use criterion::{Criterion, criterion_group, criterion_main};
use rules::twenty_one::TwentyOne;

fn random_playouts(criterion: &mut Criterion) {
    playouts::measure::<TwentyOne>(criterion, &[2, 10]);
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
