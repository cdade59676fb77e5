//! The world of a search as the reference sees it.

use crate::gpu::types::PATCH;
use crate::reference::contact::folds::Patch;
use crate::reference::contact::{BodyContact, Scene};
use crate::verify::{Bench, Case};

/// A bench's world as the reference sees it.
pub(super) fn scene(bench: &Bench<'_>, folds: bool, floor: f64) -> Scene {
    let case = bench.case;
    let index = |i: &u32| *i as usize;
    let body = |b: usize| vec![b; case.model.bodies[b].particles.len()];
    let particles = &case.particles;
    Scene {
        position: particles.iter().map(|p| p.position.as_dvec3()).collect(),
        velocity: particles.iter().map(|p| p.velocity.as_dvec3()).collect(),
        inverse_mass: particles.iter().map(|p| f64::from(p.inverse_mass)).collect(),
        body: (0..case.bodies.len()).flat_map(body).collect(),
        edges: case.model.springs.iter().map(|s| s.points.map(|i| index(&i))).collect(),
        tets: case.model.tets.iter().map(|t| t.corners.map(|i| index(&i))).collect(),
        surface: case.model.triangles.iter().map(|t| t.map(|i| index(&i))).collect(),
        bodies: (0..case.bodies.len()).map(|b| body_contact(case, b)).collect(),
        patches: if folds { patches(case) } else { Vec::new() },
        step: f64::from(case.sim.step),
        floor,
    }
}

/// Those of the bodies that may touch themselves.
fn patches(case: &Case) -> Vec<Patch> {
    let (patches, points) = crate::collide::patches::patches(&case.model);
    let members = points.chunks_exact(PATCH as usize);
    let own = patches.iter().zip(members).map(|(patch, members)| Patch {
        body: patch.body as usize,
        members: members.iter().map(|i| *i as usize).collect(),
        rest: members.iter().map(|i| case.model.rest_positions[*i as usize]).collect(),
    });
    own.collect()
}

fn body_contact(case: &Case, index: usize) -> BodyContact {
    let body = &case.bodies[index];
    BodyContact {
        replica: index.checked_div(case.model.replica_size).unwrap_or(0),
        margin: f64::from(body.margin),
        edge: f64::from(body.edge),
        radius: f64::from(body.radius),
        thickness: f64::from(body.thickness),
        friction: f64::from(body.friction),
        group: body.group,
        mask: body.mask,
        self_contact: body.self_contact != 0,
        rigid: body.rigid != 0,
    }
}
