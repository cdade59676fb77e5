//! A case as the reference sees it: every number exactly as the kernels read it.

use glam::{DMat3, DQuat};

use super::case::Case;
use super::matched;
use super::oracle::{exact, positions, velocities};
use crate::family;
use crate::gpu::types::{
    Body, Externals, IMPLICIT_STEP, PROBE_MARGIN, Particle, Pull as GpuPull, SOLID_PLANE,
    SOLID_SPHERE, Sim, Solid as GpuSolid,
};
use crate::model;
use crate::reference::{Area, Material, Pull, Solid, SolidMotion, Spring, System, Tet, fem, shape};

/// A number as the kernels read it.
fn constant(x: f64) -> f64 {
    f64::from(x as f32)
}

fn corners<const N: usize>(corners: [u32; N]) -> [usize; N] {
    corners.map(|i| i as usize)
}

/// The system of a case with the given uniform and state. Lengths at rest are those of the rounded inverses.
pub fn system(case: &Case, sim: &Sim, particles: &[Particle]) -> System {
    let model = &case.model;
    let spring = |spring: &model::Spring| Spring {
        points: corners(spring.points),
        rest: 1.0 / constant(1.0 / spring.rest),
        stiffness: constant(spring.distance),
        damping: constant(spring.damping),
    };
    let tet = |tet: &model::Tet| Tet {
        corners: corners(tet.corners),
        rest_volume: 1.0 / (6.0 * constant(1.0 / (6.0 * tet.rest))),
        stiffness: constant(tet.volume),
    };
    let of_body = |index: usize| vec![index; model.bodies[index].particles.len()];
    let body: Vec<_> = (0..case.bodies.len()).flat_map(of_body).collect();
    let area = |area: &model::Area| Area {
        corners: corners(area.corners),
        rest: 1.0 / constant(1.0 / area.rest),
        stiffness: match &case.bodies[body[area.corners[0] as usize]] {
            own if own.loaded == family::springs::LOADED => f64::from(own.area),
            _ => 0.0,
        },
    };
    let (rest, clusters) = matched::clusters(model, &case.bodies);
    let particles_of = |number: fn(&Particle) -> f32| {
        let numbers = particles.iter().map(number);
        numbers.map(f64::from).collect()
    };
    let solids = &case.externals.solids[..sim.solid_count as usize];
    System {
        position: positions(particles),
        velocity: velocities(particles),
        inverse_mass: particles_of(|p| p.inverse_mass),
        damping_rate: particles_of(|p| p.damping_rate),
        chord: match sim.implicit {
            IMPLICIT_STEP => f64::from(sim.step),
            _ => 0.0,
        },
        half_velocity: Vec::new(),
        springs: model.springs.iter().map(spring).collect(),
        tets: model.tets.iter().map(tet).collect(),
        areas: model.areas.iter().map(area).collect(),
        body,
        loads: exact(case.loads.iter().copied()),
        elements: model.elements.iter().map(fem_element).collect(),
        shape_rates: (model.elements.iter()).map(|e| constant(e.shape_rate)).collect(),
        kept: vec![shape::Kept::default(); clusters.len()],
        clusters,
        rest,
        bodies: case.bodies.iter().map(|body| material(body, sim)).collect(),
        gravity: sim.gravity.as_dvec3(),
        drag: f64::from(sim.drag),
        wind: sim.wind.as_dvec3(),
        pulls: pulls(&case.externals, sim),
        solids: solids.iter().map(solid).collect(),
        motions: solids.iter().map(motion).collect(),
        solid_friction: solids.iter().map(friction).collect(),
    }
}

/// An element without plastic stretch.
fn fem_element(element: &crate::family::fem::FemElement) -> fem::Element {
    let [_, b, c, d] = element.gradients.map(|g| g.as_vec3().as_dvec3());
    fem::Element {
        corners: corners(element.corners),
        gradients: [-(b + c + d), b, c, d],
        volume: constant(element.volume),
        law: element.law,
        lame: fem::Lame { lambda: constant(element.lame.lambda), mu: constant(element.lame.mu) },
        relaxation: constant(element.relaxation),
        plastic: DMat3::IDENTITY,
    }
}

fn material(body: &Body, sim: &Sim) -> Material {
    let (pull, brake) = matched::rates(body, sim);
    let stiffness = body.start_rate.max(body.stiffness_rate / PROBE_MARGIN);
    Material {
        pull,
        brake,
        friction: f64::from(body.friction),
        margin: f64::from(body.margin),
        radius: f64::from(body.radius),
        omega: f64::from(stiffness).sqrt(),
    }
}

/// The pulls of this step: the forces' means over it, by the part of it that they share with it.
fn pulls(externals: &Externals, sim: &Sim) -> Vec<Pull> {
    let (start, span) = (f64::from(sim.tick), f64::from(sim.span));
    let pull = |pull: &GpuPull| {
        let from = f64::from(pull.from_tick) + f64::from(pull.from_part);
        let to = f64::from(pull.to_tick) + f64::from(pull.to_part);
        let shared = to.min(start + span) - from.max(start);
        Pull {
            point: pull.particle as usize,
            force: (shared.max(0.0) / span) * pull.force.as_dvec3(),
        }
    };
    externals.pulls[..sim.pull_count as usize].iter().map(pull).collect()
}

fn friction(solid: &GpuSolid) -> Option<f64> {
    (solid.friction >= 0.0).then(|| f64::from(solid.friction))
}

fn motion(solid: &GpuSolid) -> SolidMotion {
    SolidMotion {
        centre: solid.centre.as_dvec3(),
        velocity: solid.velocity.as_dvec3(),
        spin: solid.spin.as_dvec3(),
    }
}

fn solid(solid: &GpuSolid) -> Solid {
    let (centre, extent) = (solid.centre.as_dvec3(), solid.extent.as_dvec3());
    match solid.kind {
        SOLID_PLANE => Solid::Plane { normal: extent, offset: extent.dot(centre) },
        SOLID_SPHERE => Solid::Sphere { centre, radius: extent.x },
        _ => {
            let rotation = DMat3::from_quat(DQuat::from_vec4(solid.rotation.as_dvec4()));
            Solid::Box { centre, half_size: extent, rotation }
        }
    }
}
