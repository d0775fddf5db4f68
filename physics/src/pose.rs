//! Where a body is and how it lies.

use rapier3d::math::{Pose as Isometry, Rotation, Vector};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decimal::{Micro, Milli};

/// Where a die is and how it lies. The table is the plane z = 0, z points up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// The centre of mass, in millimetres: x, y, z.
    #[schema(value_type = Vec<f64>, min_items = 3, max_items = 3, examples(json!([0.0, 0.0, 8.0])))]
    pub position: [Milli; 3],
    /// The unit quaternion x, y, z, w that turns the solid from its standard orientation.
    #[schema(value_type = Vec<f64>, min_items = 4, max_items = 4, examples(json!([0.0, 0.0, 0.0, 1.0])))]
    pub rotation: [Micro; 4],
}

impl Pose {
    /// The pose to within its decimal places.
    pub(crate) fn round(isometry: &Isometry) -> Self {
        Self {
            position: isometry.translation.to_array().map(|part| Milli::round(part.into())),
            rotation: isometry.rotation.to_array().map(|part| Micro::round(part.into())),
        }
    }

    /// The pose as the engine has it.
    pub(crate) fn isometry(&self) -> Isometry {
        let position = Vector::from_array(self.position.map(|part| part.get() as f32));
        let rotation = Rotation::from_array(self.rotation.map(|part| part.get() as f32));
        Isometry::from_parts(
            position,
            if rotation.length_squared() > 0.0 { rotation.normalize() } else { Rotation::IDENTITY },
        )
    }

    /// The centre of mass, in millimetres.
    pub fn centre(&self) -> [f64; 3] {
        self.position.map(Milli::get)
    }
}
