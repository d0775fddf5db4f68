//! Random playouts of 賽の河原 with real dice; of the placements a sample is enumerated.

mod playouts;

use criterion::{Criterion, criterion_group, criterion_main};
use rules::sainokawara::Sainokawara;

fn random_playouts(criterion: &mut Criterion) {
    playouts::measure::<Sainokawara>(criterion, &[3, 6]);
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
