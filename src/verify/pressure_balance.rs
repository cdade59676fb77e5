//! The source's own example of its rule: two springs that overlap meet where their forces balance.
//!
//! The corners of a triangle are held by a spring each of stiffness 1 from below, a tip below the triangle by one of
//! stiffness 3 from above. The triangles around all of them keep an area of 1 m².

use std::ops::Range;

use glam::{DVec3, UVec4, Vec3, Vec4};

use super::touch::Touch;
use super::trial::Arrays;
use super::{Bench, Case, ErrorStats, Oracle};
use crate::Result;
use crate::gpu::Content;
use crate::gpu::types::{
    Body, Collide, Contact, Externals, Impulse, MAX_SOLIDS, NONE, PULL_ROOM, Particle, Pull, Shift,
    Sim, Solid,
};
use crate::model::{BodyRanges, Model, Spring};
use crate::reference::contact::pressure::HALVINGS;

/// Stiffness of the triangle's springs and the tip's [N/m], at lengths of 1 m.
const STIFFNESS: [f32; 2] = [1.0, 3.0];

/// Runs the rule on overlaps [m] of which one balances exactly on the way, for either order of the bodies.
pub fn check(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (overlap, swapped) in [(0.2, false), (0.2, true), (0.25, false), (0.25, true)] {
        let case = case(overlap, swapped);
        let [triangle, tip] = meet(&bench.on(&case)?, Parts::new(swapped), overlap)?;
        let balance = -overlap * STIFFNESS[1] / (STIFFNESS[0] + STIFFNESS[1]);
        let near = overlap / 16.0 * (1.0 + f32::EPSILON * 16.0);
        errors.holds((triangle - balance).abs() <= near && (tip - balance).abs() <= near);
        // Where both see the tie the body with the lower index goes forward.
        let tie = -0.25 * if swapped { 0.6875 } else { 0.8125 };
        errors.holds(overlap == 0.2 || [triangle, tip] == [tie; 2]);
    }
    Ok(())
}

/// Where the particles of the two parts begin: the triangle's corners and their anchors, the tip with its anchor and two
/// more that make its triangle.
#[derive(Clone, Copy)]
struct Parts {
    triangle: usize,
    tip: usize,
}

impl Parts {
    fn new(swapped: bool) -> Self {
        if swapped { Self { triangle: 4, tip: 0 } } else { Self { triangle: 0, tip: 6 } }
    }
}

/// Heights of the triangle and the tip after the rule [m].
fn meet(bench: &Bench<'_>, parts: Parts, overlap: f32) -> Result<[f32; 2]> {
    let (sim, count) = (bench.case.sim, bench.len());
    let touch = touch(&bench.oracle(), parts, overlap);
    let (fans, fan_corners) = touch.fans();
    let source = Collide { source: 1, ..Collide::default() };
    let given: &Arrays<'_> = &[
        ("contacts", &touch.contacts),
        ("rows", &touch.rows),
        ("fans", &fans),
        ("fan_corners", &fan_corners),
        ("collide", &[source]),
        ("impulses_warm_start", &[Impulse::default()]),
    ];
    let none = vec![Shift::default(); count];
    let arrays = [given, &[("shifts", &none)]].concat();
    let half = bench.run_other("project_half", sim, count, &arrays)?;
    half.skip("status");
    let (mut particles, mut shifts) = (half.particles(), half.get::<Shift>("shifts"));
    for _ in 0..HALVINGS {
        let arrays = [given, &[("particles_in", &particles), ("shifts", &shifts)]].concat();
        let forces = bench.run_other("internal_force", sim, count, &arrays)?;
        shifts = forces.get("shifts");
        let arrays = [given, &[("particles_out", &particles), ("shifts", &shifts)]].concat();
        let moved = bench.run(sim, count, &arrays)?;
        moved.skip("status");
        (particles, shifts) = (moved.particles(), moved.get("shifts"));
    }
    Ok([parts.triangle, parts.tip].map(|i| particles[i].position.y))
}

fn touch(oracle: &Oracle<'_>, parts: Parts, overlap: f32) -> Touch {
    let Parts { triangle, tip } = parts;
    let surface = [[0, 2, 1].map(|k| triangle + k), [tip, tip + 2, tip + 3]];
    let mut touch = Touch::new(oracle, surface.to_vec());
    let corners = [0, 1, 2].map(|k| (triangle + k) as u32);
    touch.add(Contact {
        normal: Vec3::Y,
        gap: overlap,
        particles: UVec4::new(tip as u32, corners[0], corners[1], corners[2]),
        weights: Vec4::new(1.0, -0.5, -0.25, -0.25),
        second: NONE,
        feature: tip as u32,
        body: oracle.system.body[triangle] as u32,
        depth: overlap,
        ..Contact::default()
    });
    touch.link();
    touch
}

fn particles(overlap: f32, swapped: bool) -> Vec<Particle> {
    let at = |x: f32, y: f32, z: f32, inverse_mass: f32| Particle {
        position: Vec3::new(x, y, z),
        inverse_mass,
        ..Particle::default()
    };
    let corners = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]];
    let triangle = corners.map(|[x, z]| at(x, 0.0, z, 1.0));
    let anchors = corners.map(|[x, z]| at(x, -1.0, z, 0.0));
    let tip = [
        at(0.25, -overlap, 0.25, 1.0),
        at(0.25, 1.0 - overlap, 0.25, 0.0),
        at(2.25, 0.0, 0.25, 0.0),
        at(2.25, 1.0, 0.25, 0.0),
    ];
    if swapped {
        [&tip[..], &triangle, &anchors].concat()
    } else {
        [&triangle[..], &anchors, &tip].concat()
    }
}

fn case(overlap: f32, swapped: bool) -> Case {
    let Parts { triangle, tip } = Parts::new(swapped);
    let particles = particles(overlap, swapped);
    let below = |k: usize| [triangle + k, triangle + 3 + k];
    let ends = [below(0), below(1), below(2), [tip, tip + 1]];
    let mut bodies = [(STIFFNESS[0], triangle..triangle + 6), (STIFFNESS[1], tip..tip + 4)];
    bodies.sort_by_key(|(_, particles)| particles.start);
    let model = Model {
        bodies: bodies.iter().map(|(_, p)| ranges(p.clone())).collect(),
        positions: particles.iter().map(|p| p.position.as_dvec3()).collect(),
        velocities: vec![DVec3::ZERO; particles.len()],
        masses: vec![1.0; particles.len()],
        pinned: particles.iter().map(|p| p.inverse_mass == 0.0).collect(),
        springs: ends
            .map(|ends| Spring {
                points: ends.map(|i| i as u32),
                rest: 1.0,
                distance: 0.0,
                damping: 0.0,
            })
            .to_vec(),
        ..Model::default()
    };
    let body =
        |(distance, _): &(f32, Range<usize>)| Body { distance: *distance, ..Body::default() };
    Case {
        content: Content::ALL,
        model,
        bodies: bodies.iter().map(body).collect(),
        sim: Sim {
            step: 1e-3,
            particle_count: particles.len() as u32,
            body_count: 2,
            damping_stages: 1,
            theta_scale: 2.0,
            ..Sim::default()
        },
        externals: Box::new(Externals {
            solids: [Solid::default(); MAX_SOLIDS as usize],
            pulls: [Pull::default(); PULL_ROOM as usize],
        }),
        particles,
        loads: Vec::new(),
    }
}

fn ranges(particles: Range<usize>) -> BodyRanges {
    BodyRanges { particles, edge: 1.0, ..BodyRanges::default() }
}
