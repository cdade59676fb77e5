//! Tetrahedra so thin that they make a body stiff.

use super::{BodyRanges, Model};
use crate::extreme;

/// A tetrahedron is a sliver where its volume is less than this part of the cube of its longest edge, of a regular one
/// 0.118: its shortest height is then below a hundredth of that edge.
const NEEDLE: f64 = 1e-3;

/// What to add to a message about a body that is too stiff: its thinnest tetrahedron, where that is a sliver.
pub fn note(model: &Model, body: &BodyRanges) -> String {
    let slenderness = |tet: &super::Tet| {
        let x = tet.corners.map(|i| model.rest_positions[i as usize]);
        let lengths = (0..4).flat_map(|i| (0..i).map(move |j| x[i].distance(x[j])));
        tet.rest / lengths.fold(0.0, extreme::greatest).powi(3)
    };
    let tets = model.tets[body.tets.clone()].iter().map(slenderness);
    let thinnest = tets.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
    match thinnest {
        Some((i, part)) if part < NEEDLE => format!(
            "; its tetrahedron {i} is a sliver: its volume is {part:.1e} of its longest edge cubed"
        ),
        _ => String::new(),
    }
}
