//! Random playouts of サラマンダー.

mod playouts;

use criterion::{Criterion, criterion_group, criterion_main};
use rules::salamander::Salamander;

fn random_playouts(criterion: &mut Criterion) {
    playouts::measure::<Salamander>(criterion, &[2, 3, 4]);
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
