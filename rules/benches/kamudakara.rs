//! Random playouts of カムダカラ.

mod playouts;

use criterion::{Criterion, criterion_group, criterion_main};
use rules::kamudakara::Kamudakara;

fn random_playouts(criterion: &mut Criterion) {
    playouts::measure::<Kamudakara>(criterion, &[2, 3, 4]);
}

criterion_group!(benches, random_playouts);
criterion_main!(benches);
