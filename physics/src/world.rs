//! The world: dice on a table, under gravity, until they rest.
//!
//! Lengths are millimetres, masses grams, times seconds. A run is a pure function of what it is
//! given: the engine is built for equal results on all machines, and keeps nothing between runs.

use rapier3d::math::{Pose as Isometry, Rotation, Vector};
use rapier3d::parry::query::{ShapeCastOptions, cast_shapes};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, RigidBodyType, SharedShape, SpringCoefficients,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decimal::Milli;
use crate::pose::Pose;
use crate::solid::{DENSITY, FRICTION, Solid};

/// Standard gravity, in mm/s².
const GRAVITY: f32 = 9806.65;
/// One step of the engine. A die is some hundredth the size of what the engine's own 1/60 s is
/// meant for, and what it does happens eight times as fast.
const STEP: f32 = 1.0 / 480.0;
/// Solver passes a step.
const PASSES: usize = 4;
/// The size of things in the world, for the engine's tolerances.
const LENGTH_UNIT: f32 = 10.0;
/// How far above what it would touch a die is let go.
const RELEASE_GAP: f32 = 0.05;
/// How long a nudge takes.
const NUDGE_STEPS: usize = 96;
/// No die is called at rest sooner than this after the last touch.
const SHORTEST: usize = 48;
/// Everything must stay slow for so many steps to be at rest.
const CALM_STEPS: usize = 36;
/// Slower than this, in mm/s and rad/s, is slow.
const CALM: (f32, f32) = (1.5, 0.1);
/// A run ends here whatever still moves.
const LONGEST: usize = 360;
/// What rolls on the table comes to rest by this, per second.
const ROLLING_LOSS: f32 = 2.0;

/// A die in the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Body {
    /// What it is.
    pub solid: Solid,
    /// Where it is.
    pub pose: Pose,
}

/// A shift along the table and a turn about the vertical.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Shift {
    /// Millimetres.
    #[schema(value_type = f64)]
    pub x: Milli,
    /// Millimetres.
    #[schema(value_type = f64)]
    pub y: Milli,
    /// Degrees, counter-clockwise as seen from above.
    #[schema(value_type = f64)]
    pub turn: Milli,
}

/// What a hand does to the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Touch {
    /// Sets a die down on one of its faces, its centre of mass at this place on the table, just
    /// above the first thing it would touch, and lets go. It is the last of the bodies afterwards.
    SetDown {
        /// The die.
        solid: Solid,
        /// The face it stands on, from 1.
        face: u8,
        /// Where, from the middle of the table, and how far turned.
        at: Shift,
    },
    /// Pushes a die along, keeping its height, and lets go.
    Nudge {
        /// Which of the bodies.
        index: usize,
        /// How far.
        by: Shift,
    },
    /// Takes nothing but its hand away: the world goes on until it rests.
    LetBe,
}

/// Where the bodies rest after a hand has touched the world.
pub trait World {
    /// The poses of the standing bodies in their order, after them that of a die set down.
    fn touch(&mut self, standing: &[Body], touch: &Touch) -> Vec<Pose>;
}

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine;

impl World for Engine {
    fn touch(&mut self, standing: &[Body], touch: &Touch) -> Vec<Pose> {
        let mut scene = Scene::new(standing);
        match *touch {
            Touch::SetDown { solid, face, at } => scene.set_down(standing, solid, face, at),
            Touch::Nudge { index, by } => scene.nudge(index, by),
            Touch::LetBe => {}
        }
        scene.rest();
        scene.poses()
    }
}

/// The lowest point of a body, in millimetres above the table.
pub fn lowest(body: &Body) -> f32 {
    let isometry = body.pose.isometry();
    body.solid.corners().iter().map(|&corner| (isometry * corner).z).fold(f32::MAX, f32::min)
}

struct Scene {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Scene {
    fn new(standing: &[Body]) -> Self {
        let mut world = PhysicsWorld { gravity: Vector::new(0.0, 0.0, -GRAVITY), ..PhysicsWorld::default() };
        let parameters = &mut world.integration_parameters;
        parameters.dt = STEP;
        parameters.length_unit = LENGTH_UNIT;
        parameters.num_solver_iterations = PASSES;
        parameters.contact_softness = SpringCoefficients { natural_frequency: 240.0, damping_ratio: 10.0 };
        parameters.static_contact_softness = SpringCoefficients { natural_frequency: 480.0, damping_ratio: 10.0 };
        world.insert(
            RigidBodyBuilder::fixed(),
            ColliderBuilder::new(SharedShape::halfspace(Vector::Z)).friction(FRICTION),
        );
        let mut scene = Self { world, bodies: Vec::with_capacity(standing.len() + 1) };
        for body in standing {
            if let Some(shape) = hull(body.solid) {
                scene.insert(shape, body.pose.isometry());
            }
        }
        scene
    }

    fn insert(&mut self, shape: SharedShape, at: Isometry) {
        let body = RigidBodyBuilder::dynamic().pose(at).can_sleep(false).angular_damping(ROLLING_LOSS);
        let collider = ColliderBuilder::new(shape).density(DENSITY).friction(FRICTION).restitution(0.0);
        self.bodies.push(self.world.insert(body, collider).0);
    }

    fn set_down(&mut self, standing: &[Body], solid: Solid, face: u8, at: Shift) {
        let (Some(shape), Some(lying)) = (hull(solid), solid.standing_on(face)) else { return };
        let rotation = Rotation::from_rotation_z((at.turn.get() as f32).to_radians()) * lying;
        let place = |height| Isometry::from_parts(Vector::new(at.x.get() as f32, at.y.get() as f32, height), rotation);
        let half = solid.size / 2.0;
        let tops = standing.iter().map(|body| body.pose.centre()[2] as f32 + 2.0 * body.solid.size);
        let above = tops.fold(0.0, f32::max) + 2.0 * solid.size;
        let fall = standing
            .iter()
            .filter_map(|body| {
                let other = hull(body.solid)?;
                let options = ShapeCastOptions { max_time_of_impact: above, ..ShapeCastOptions::default() };
                let (from, down) = (place(above), Vector::NEG_Z);
                let hit = cast_shapes(&from, down, &*shape, &body.pose.isometry(), Vector::ZERO, &*other, options);
                hit.ok().flatten().map(|hit| hit.time_of_impact)
            })
            .fold(above - half, f32::min);
        self.insert(shape, place(above - fall + RELEASE_GAP));
    }

    fn nudge(&mut self, index: usize, by: Shift) {
        let Some(&handle) = self.bodies.get(index) else { return };
        let Some(body) = self.world.bodies.get_mut(handle) else { return };
        let time = NUDGE_STEPS as f32 * STEP;
        body.set_body_type(RigidBodyType::KinematicVelocityBased, true);
        body.set_linvel(Vector::new(by.x.get() as f32, by.y.get() as f32, 0.0) / time, true);
        body.set_angvel(Vector::new(0.0, 0.0, (by.turn.get() as f32).to_radians()) / time, true);
        for _ in 0..NUDGE_STEPS {
            self.world.step();
        }
        if let Some(body) = self.world.bodies.get_mut(handle) {
            body.set_body_type(RigidBodyType::Dynamic, true);
            body.set_linvel(Vector::ZERO, true);
            body.set_angvel(Vector::ZERO, true);
        }
    }

    /// Lets time pass until nothing moves, or no longer.
    fn rest(&mut self) {
        let mut calm = 0;
        for step in 0..LONGEST {
            self.world.step();
            let is_calm = self
                .bodies
                .iter()
                .filter_map(|&body| self.world.bodies.get(body))
                .all(|body| body.linvel().length() < CALM.0 && body.angvel().length() < CALM.1);
            calm = if is_calm { calm + 1 } else { 0 };
            if step >= SHORTEST && calm >= CALM_STEPS {
                return;
            }
        }
    }

    fn poses(&self) -> Vec<Pose> {
        let bodies = self.bodies.iter().filter_map(|&body| self.world.bodies.get(body));
        bodies.map(|body| Pose::round(body.position())).collect()
    }
}

/// The solid as the engine knows it.
fn hull(solid: Solid) -> Option<SharedShape> {
    SharedShape::convex_hull(&solid.corners())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::Shape;

    const CUBE: Solid = Solid { shape: Shape::Cube, size: 16.0 };
    const KINDS: [Shape; 4] = [Shape::Cube, Shape::Octahedron, Shape::Trapezohedron, Shape::Icosahedron];

    fn shift(x: f64, y: f64, turn: f64) -> Shift {
        Shift { x: Milli::round(x), y: Milli::round(y), turn: Milli::round(turn) }
    }

    fn set_down(standing: &[Body], solid: Solid, at: Shift) -> Vec<Body> {
        let poses = Engine.touch(standing, &Touch::SetDown { solid, face: 1, at });
        let solids = standing.iter().map(|body| body.solid).chain([solid]);
        solids.zip(poses).map(|(solid, pose)| Body { solid, pose }).collect()
    }

    #[test]
    fn a_die_on_a_table_rests() {
        for shape in KINDS {
            let solid = Solid { shape, size: 16.0 };
            for face in 1..=shape.faces() {
                let poses = Engine.touch(&[], &Touch::SetDown { solid, face, at: shift(3.0, -2.0, 40.0) });
                let [x, y, z] = poses[0].centre();
                assert!((x - 3.0).abs() < 0.1 && (y + 2.0).abs() < 0.1 && (z - 8.0).abs() < 0.1, "{shape:?} {poses:?}");
                let body = Body { solid, pose: poses[0] };
                let later = Engine.touch(&[body], &Touch::LetBe)[0].centre();
                assert!([x, y, z].iter().zip(later).all(|(now, later)| (now - later).abs() < 0.05), "{shape:?}");
            }
        }
    }

    #[test]
    fn the_same_touch_has_the_same_result() {
        let tower = |seed: f64| {
            (0..5).fold(Vec::new(), |standing, step| {
                set_down(&standing, CUBE, shift(seed * f64::from(step % 3), -seed, 7.0 * f64::from(step)))
            })
        };
        assert_eq!(tower(0.7), tower(0.7));
        assert_ne!(tower(0.7), tower(0.6));
    }

    #[test]
    fn a_die_stands_on_another_within_its_support_and_falls_beyond_it() {
        let bottom = set_down(&[], CUBE, Shift::default());
        for (x, stands) in [(0.0, true), (7.0, true), (9.0, false), (12.0, false)] {
            let both = set_down(&bottom, CUBE, shift(x, 0.0, 0.0));
            assert_eq!(lowest(&both[1]) > 15.0, stands, "{x} mm off: {both:?}");
        }
    }

    #[test]
    fn a_tower_leaning_past_its_support_falls() {
        // Each die is within the support of the one below it, but four steps of 5 mm carry the
        // centre of mass of those above the bottom die past its edge.
        let mut tower = Vec::new();
        let mut standing = 0;
        for step in 0..5 {
            tower = set_down(&tower, CUBE, shift(5.0 * f64::from(step), 0.0, 0.0));
            if tower.iter().skip(1).any(|body| lowest(body) < 1.0) {
                break;
            }
            standing += 1;
        }
        assert!((2..5).contains(&standing), "{standing} stood");
    }

    #[test]
    fn a_nudge_carries_what_stands_on_the_die() {
        let bottom = set_down(&[], CUBE, Shift::default());
        let both = set_down(&bottom, CUBE, Shift::default());
        let poses = Engine.touch(&both, &Touch::Nudge { index: 0, by: shift(4.0, 0.0, 0.0) });
        assert!((poses[0].centre()[0] - 4.0).abs() < 0.3 && (poses[1].centre()[0] - 4.0).abs() < 1.0, "{poses:?}");
        let far = Engine.touch(&both, &Touch::Nudge { index: 1, by: shift(10.0, 0.0, 0.0) });
        assert!(far[1].centre()[2] < 20.0, "pushed over the edge it falls: {far:?}");
    }
}
