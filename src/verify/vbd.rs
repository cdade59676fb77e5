//! Vertex block descent: each colour's vertices alone, from random states.

use glam::Vec3;

use super::bench::Bench;
use super::case::{Case, Random};
use super::errors::ErrorStats;
use super::fem::{Elements, LAWS};
use super::newton_matrix::{contact_blocks, symmetric};
use super::oracle::Oracle;
use super::press::Pressed;
use super::vertex::nears;
use crate::Result;
use crate::family;
use crate::family::fem::FemElement;
use crate::family::fem::law::Lame;
use crate::gpu::types::{DAMPING_EXPLICIT, Particle};
use crate::gpu::{Buffer, Kernel};
use crate::model::coloring;
use crate::scene::Law;

pub const CHECKS: super::Checks = &[("vbd_solve", super::Check::Case(solve))];

/// The case with finite elements in the bodies that are made of them, and colours.
fn colored(bench: &Bench<'_>) -> Result<Case> {
    let mut case = bench.case.clone();
    case.loads.fill(Vec3::ZERO);
    for body in &mut case.bodies {
        body.damping_mode = DAMPING_EXPLICIT;
    }
    for tet in Elements::new(bench, LAWS[0], false, 91)?.tets {
        if case.bodies[tet.body as usize].loaded != family::fem::LOADED {
            continue;
        }
        let [b, c, d] = [tet.gradient_b, tet.gradient_c, tet.gradient_d].map(|g| g.as_dvec3());
        case.model.elements.push(FemElement {
            corners: tet.corners.to_array(),
            gradients: [-(b + c + d), b, c, d],
            volume: f64::from(tet.volume),
            law: Law::NeoHookean,
            lame: Lame {
                lambda: f64::from(tet.lambda),
                mu: f64::from(tet.mu),
            },
            relaxation: f64::from(tet.relaxation),
            shape_rate: f64::from(tet.shape_rate),
        });
    }
    let model = &case.model;
    let springs = model.springs.iter().map(|spring| spring.points.to_vec());
    let tets = model.tets.iter().map(|tet| tet.corners.to_vec());
    let areas = model.areas.iter().map(|area| area.corners.to_vec());
    let elements = model.elements.iter().map(|e| e.corners.to_vec());
    let edges: Vec<_> = springs
        .chain(tets)
        .chain(areas)
        .chain(elements)
        .flat_map(|corners| {
            let pairs = |k: usize| corners[..k].to_vec();
            let all = (0..corners.len()).map(|k| (corners[k], pairs(k)));
            all.flat_map(|(b, others)| others.into_iter().map(move |a| [a, b]))
                .collect::<Vec<_>>()
        })
        .collect();
    case.model.colors = coloring(case.particles.len(), &edges);
    Ok(case)
}

/// v + H⁻¹ f/h of one colour's vertices; the others stay.
pub fn solve(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let case = colored(bench)?;
    let own = bench.on(&case)?;
    let (context, sim, inputs) = (bench.context, case.sim, &case.particles);
    let oracle = Oracle::new(&case, &sim, inputs);
    let (system, h) = (&oracle.system, oracle.h);
    let nears = nears(&oracle);
    let mut random = Random::new(92);
    let given = contact_blocks(&mut random, inputs.len());
    let start = |p: &Particle| Particle {
        position: p.position - sim.step * p.velocity,
        velocity: p.velocity + random.vector(0.5).as_vec3(),
        ..*p
    };
    let starts: Vec<_> = inputs.iter().map(start).collect();
    let Some(vertices) = &own.buffers.vertices else {
        errors.case();
        return Ok(());
    };
    let base = Buffer::new(context, "base", &starts)?;
    let pressed = Buffer::new(context, "contact_blocks", &given)?;
    errors.case();
    for (color, part) in vertices.colors.iter().enumerate() {
        pressed.write(context, 0, &given);
        own.write(inputs, inputs);
        let others = [
            base.bind("base"),
            pressed.bind("contact_blocks"),
            vertices.vertices.bind_part("color", part.clone()),
            vertices.tets.bind("vertex_tets"),
        ];
        own.dispatch(kernel, sim, part.len(), &others);
        let left = pressed.read(context)?;
        for (i, got) in own.written()?.iter().enumerate() {
            if case.model.colors[i] != color as u32 || system.pinned(i) {
                errors.holds(*got == inputs[i] && left[i] == given[i]);
                continue;
            }
            let press = Pressed {
                force: given[i].force.as_dvec3(),
                hold: symmetric(given[i].diagonal, given[i].off),
                force_scale: f64::from(given[i].force.length()),
                hold_scale: 700.0,
                ..Pressed::default()
            };
            let solved = nears[i].solve(starts[i].velocity.as_dvec3(), &press);
            errors.vector(got.velocity, solved.velocity, solved.scale);
            let x = starts[i].position.as_dvec3();
            let scale = x.length() + h * solved.scale;
            errors.vector(got.position, x + h * solved.velocity, scale);
            errors.holds(got.inverse_mass == inputs[i].inverse_mass);
            errors.number(left[i].stiffness, solved.stiffness, solved.stiffness_scale);
        }
    }
    Ok(())
}
