//! The true solids of dice: convex, every face alike, opposite faces parallel.
//!
//! Sizes are millimetres between opposite faces, as a calliper measures a die. Corners and edges are
//! sharp. Only sums, products and square roots make the corners, which come out the same everywhere.

use rapier3d::math::{Rotation, Vector};

/// Density in g/mm³: cast acrylic (PMMA), 1.18 g/cm³ in makers' data sheets, of which most dice are.
pub const DENSITY: f32 = 1.18e-3;
/// Coulomb friction of acrylic on acrylic; tables of static friction give 0.60 to 0.70
/// (<https://designengineers.blogspot.com/2008/03/coefficients-of-friction-static-ranges.html>).
pub const FRICTION: f32 = 0.6;

/// The shape of a die.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The cube, of six faces.
    Cube,
    /// The regular octahedron, of eight faces.
    Octahedron,
    /// The pentagonal trapezohedron, of ten faces.
    Trapezohedron,
    /// The regular icosahedron, of twenty faces.
    Icosahedron,
}

/// A die as a body: its shape and how large it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Solid {
    /// The shape.
    pub shape: Shape,
    /// Millimetres between opposite faces.
    pub size: f32,
}

impl Shape {
    /// How many faces it has.
    pub const fn faces(self) -> u8 {
        match self {
            Self::Cube => 6,
            Self::Octahedron => 8,
            Self::Trapezohedron => 10,
            Self::Icosahedron => 20,
        }
    }

    /// The corners of some such solid around the origin.
    fn corners(self) -> Vec<[f64; 3]> {
        let both = [1.0, -1.0];
        match self {
            Self::Cube => both.iter().flat_map(|&x| both.iter().flat_map(move |&y| both.map(|z| [x, y, z]))).collect(),
            Self::Octahedron => both.iter().flat_map(|&s| [[s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]]).collect(),
            Self::Icosahedron => {
                let golden = f64::midpoint(1.0, 5_f64.sqrt());
                both.iter()
                    .flat_map(|&a| both.map(|b| (a, b * golden)))
                    .flat_map(|(a, b)| [[0.0, a, b], [a, b, 0.0], [b, 0.0, a]])
                    .collect()
            }
            Self::Trapezohedron => {
                // Ten corners zigzag about the equator, 36° apart; for the kites to be flat, the
                // zigzag is tan² 18° of the apexes' height, here 1 as on the dice of the trade.
                let root = 5_f64.sqrt();
                let (cos36, sin36) = ((1.0 + root) / 4.0, (10.0 - 2.0 * root).sqrt() / 4.0);
                let height = (1.0 - cos36) / (1.0 + cos36);
                let (mut x, mut y, mut side) = (1.0, 0.0, 1.0);
                let mut corners = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
                for _ in 0..10 {
                    corners.push([x, y, side * height]);
                    (x, y, side) = (x * cos36 - y * sin36, x * sin36 + y * cos36, -side);
                }
                corners
            }
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Two directions closer than this are one.
const SAME: f64 = 1e-6;

/// The faces' outward directions (unit length) with their distance from the middle. A plane through
/// three corners that has all others on one side is a face.
fn planes(corners: &[[f64; 3]]) -> Vec<([f64; 3], f64)> {
    let mut found: Vec<([f64; 3], f64)> = Vec::new();
    for (i, &a) in corners.iter().enumerate() {
        for (j, &b) in corners.iter().enumerate().skip(i + 1) {
            for &c in &corners[j + 1..] {
                let normal = cross(minus(b, a), minus(c, a));
                let length = dot(normal, normal).sqrt();
                if length < SAME {
                    continue;
                }
                let outward = if dot(normal, a) < 0.0 { -length } else { length };
                let normal = normal.map(|part| part / outward);
                let distance = dot(normal, a);
                let is_face = corners.iter().all(|&other| dot(normal, other) <= distance + SAME);
                if is_face && found.iter().all(|(other, _)| dot(*other, normal) < 1.0 - SAME) {
                    found.push((normal, distance));
                }
            }
        }
    }
    found
}

impl Solid {
    /// The corners around its centre of mass, in millimetres.
    pub fn corners(self) -> Vec<Vector> {
        let corners = self.shape.corners();
        let inner = planes(&corners).first().map_or(1.0, |&(_, distance)| distance);
        let scale = f64::from(self.size) / 2.0 / inner;
        corners.iter().map(|corner| Vector::from_array(corner.map(|part| (part * scale) as f32))).collect()
    }

    /// The outward directions of its faces, in the order of their numbers from 1: the numbers of
    /// opposite faces add up to one more than there are faces, as on dice.
    pub fn normals(self) -> Vec<Vector> {
        let mut front: Vec<[f64; 3]> = Vec::new();
        for (normal, _) in planes(&self.shape.corners()) {
            if front.iter().all(|&other| dot(other, normal) > SAME - 1.0) {
                front.push(normal);
            }
        }
        let back: Vec<_> = front.iter().rev().map(|normal| normal.map(|part| -part)).collect();
        front.into_iter().chain(back).map(|normal| Vector::from_array(normal.map(|part| part as f32))).collect()
    }

    /// How it lies when it stands on this face, before it is turned about the vertical; none where
    /// it has no such face.
    pub fn standing_on(self, face: u8) -> Option<Rotation> {
        let normal = *self.normals().get(usize::from(face.checked_sub(1)?))?;
        Some(Rotation::from_rotation_arc(normal, Vector::NEG_Z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [(Shape, usize); 4] =
        [(Shape::Cube, 8), (Shape::Octahedron, 6), (Shape::Trapezohedron, 12), (Shape::Icosahedron, 12)];

    #[test]
    fn solids_have_the_faces_and_corners_they_should() {
        for (shape, corners) in SHAPES {
            let solid = Solid { shape, size: 16.0 };
            assert_eq!(solid.corners().len(), corners, "{shape:?}");
            assert_eq!(solid.normals().len(), usize::from(shape.faces()), "{shape:?}");
        }
    }

    #[test]
    fn opposite_faces_are_parallel_and_the_size_apart() {
        for (shape, _) in SHAPES {
            let solid = Solid { shape, size: 16.0 };
            let normals = solid.normals();
            for (normal, opposite) in normals.iter().zip(normals.iter().rev()) {
                assert!((*normal + *opposite).length() < 1e-5, "{shape:?}");
                let reach = |direction: Vector| {
                    solid.corners().iter().map(|corner| corner.dot(direction)).fold(f32::MIN, f32::max)
                };
                assert!((reach(*normal) + reach(*opposite) - 16.0).abs() < 1e-3, "{shape:?}");
            }
        }
    }

    #[test]
    fn a_die_stands_on_any_of_its_faces_and_on_no_other() {
        for (shape, _) in SHAPES {
            let solid = Solid { shape, size: 16.0 };
            for face in 1..=shape.faces() {
                let rotation = solid.standing_on(face).unwrap();
                let low = solid.corners().iter().filter(|&&corner| (rotation * corner).z < -7.99).count();
                assert!(low >= 3, "{shape:?} on {face}");
            }
            assert!(solid.standing_on(0).is_none() && solid.standing_on(shape.faces() + 1).is_none());
        }
    }
}
