//! Vertex block descent: each colour's vertices alone, from random states.

use glam::{DMat3, DVec3, Vec3};

use super::bench::Bench;
use super::case::{Case, Random};
use super::fem::{Elements, LAWS, area, gradient_scale};
use super::newton_matrix::{around, presses, scale_around, symmetric};
use super::oracle::Oracle;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{DAMPING_EXPLICIT, KIND_FEM, Particle};
use crate::gpu::{Buffer, Kernel};
use crate::model::{FemElement, coloring};
use crate::reference::fem::{self, Element};
use crate::reference::rotation::symmetric_eigen;
use crate::reference::{System, positive};
use crate::scene::Law;

/// The case with finite elements in the bodies that are made of them, and colours.
fn colored(bench: &Bench<'_>) -> Result<Case> {
    let mut case = bench.case.clone();
    case.loads.fill(Vec3::ZERO);
    for body in &mut case.bodies {
        body.damping_mode = DAMPING_EXPLICIT;
    }
    for tet in Elements::new(bench, LAWS[0], false, 91)?.tets {
        if case.bodies[tet.body as usize].kind != KIND_FEM {
            continue;
        }
        let [b, c, d] = [tet.gradient_b, tet.gradient_c, tet.gradient_d].map(|g| g.as_dvec3());
        case.model.elements.push(FemElement {
            corners: tet.corners.to_array(),
            gradients: [-(b + c + d), b, c, d],
            volume: f64::from(tet.volume),
            law: Law::NeoHookean,
            lambda: f64::from(tet.lambda),
            mu: f64::from(tet.mu),
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

/// The block of an element that belongs to its corner `i`: that of its neo-Hookean energy, which is positive there, and
/// of its viscosity over h.
fn element_block(element: &Element, x: &[DVec3], i: usize, h: f64) -> DMat3 {
    let mut block = DMat3::ZERO;
    let corner = element.corners.iter().position(|c| *c == i).unwrap_or(0);
    for (k, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        let mut w = vec![DVec3::ZERO; x.len()];
        w[i] = unit;
        let elastic = fem::force_changes(element, x, &w)[corner];
        let viscous = fem::damping_forces(element, x, &w)[corner] / h;
        *block.col_mut(k) = -(elastic + viscous);
    }
    block
}

/// Scale of an element's block [N/m]: with φ that of F and G = Σ |∇N_c|, V0 G² (μ (1 + φ²) + (λ + μ) (1 + φ²)² +
/// (λ + 3 μ) τ/h φ²).
fn block_scale(element: &Element, x: &[DVec3], h: f64) -> f64 {
    let (size, stretch) = (area(element), gradient_scale(element, x).powi(2));
    let (lambda, mu) = (element.lame.lambda, element.lame.mu);
    let elastic = mu * (1.0 + stretch) + (lambda.abs() + mu) * (1.0 + stretch).powi(2);
    let viscous = (lambda.abs() + 3.0 * mu) * element.relaxation / h * stretch;
    size * size / element.volume * (elastic + viscous)
}

/// What one vertex is given, in f64.
struct Vertex {
    force: DVec3,
    block: DMat3,
    force_scale: f64,
    block_scale: f64,
}

fn vertex(oracle: &Oracle<'_>, forces: &(Vec<DVec3>, Vec<f64>), i: usize) -> Vertex {
    let (system, h) = (&oracle.system, oracle.h);
    let near = around(system, i);
    let mut found = Vertex {
        force: forces.0[i],
        block: DMat3::ZERO,
        force_scale: forces.1[i],
        block_scale: 0.0,
    };
    let count = system.position.len();
    for (k, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        let mut w = vec![DVec3::ZERO; count];
        w[i] = unit;
        let (x, v) = (&system.position, &system.velocity);
        *found.block.col_mut(k) = positive::product(&near, x, Some(v), h, &w)[i];
        found.block_scale = found.block_scale.max(scale_around(oracle, &near, &w, i));
    }
    for element in system.elements.iter().filter(|e| e.corners.contains(&i)) {
        let block = element_block(element, &system.position, i, h);
        found.block += block;
        found.block_scale += block_scale(element, &system.position, h);
    }
    found
}

/// Elastic and damping forces alone, with their scales [N].
fn forces(oracle: &Oracle<'_>) -> (Vec<DVec3>, Vec<f64>) {
    let bare = System {
        gravity: DVec3::ZERO,
        drag: 0.0,
        pulls: Vec::new(),
        ..oracle.system.clone()
    };
    let bare = oracle.of(bare);
    let (x, v) = (&bare.system.position, &bare.system.velocity);
    let a = bare.acceleration(x, v);
    let mass = |i: usize| match bare.system.pinned(i) {
        true => 0.0,
        false => bare.system.mass(i),
    };
    let all = 0..x.len();
    (
        all.clone().map(|i| a.value[i] * mass(i)).collect(),
        all.map(|i| a.scale[i] * mass(i)).collect(),
    )
}

/// v + H⁻¹ f/h of one colour's vertices; the others stay.
pub fn solve(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let case = colored(bench)?;
    let own = Bench::new(bench.context, &case)?;
    own.idle.set(bench.idle.get());
    let (context, sim, inputs) = (bench.context, case.sim, &case.particles);
    let oracle = Oracle::new(&case, &sim, inputs);
    let (system, h) = (&oracle.system, oracle.h);
    let forces = forces(&oracle);
    let mut random = Random::new(92);
    let given = presses(&mut random, inputs.len());
    let start = |p: &Particle| Particle {
        position: p.position - sim.step * p.velocity,
        velocity: p.velocity + random.vector(0.5).as_vec3(),
        ..*p
    };
    let starts: Vec<_> = inputs.iter().map(start).collect();
    let Some(vertices) = &own.buffers.vertices else {
        tally.case();
        return Ok(());
    };
    let base = Buffer::new(context, "base", &starts)?;
    let pressed = Buffer::new(context, "presses", &given)?;
    tally.case();
    for (color, part) in vertices.colors.iter().enumerate() {
        pressed.write(context, 0, &given);
        own.write(inputs, inputs);
        let others = [
            base.bind("base"),
            pressed.bind("presses"),
            vertices.vertices.bind_part("color", part.clone()),
            vertices.tets.bind("vertex_tets"),
        ];
        own.run(kernel, sim, part.len(), &others);
        let left = pressed.read(context)?;
        for (i, got) in own.written()?.iter().enumerate() {
            if case.model.colors[i] != color as u32 || system.pinned(i) {
                tally.holds(*got == inputs[i] && left[i] == given[i]);
                continue;
            }
            let vertex = vertex(&oracle, &forces, i);
            let pace = system.mass(i) / h;
            let inertia = pace * (1.0 / h + system.drag);
            let own = vertex.block + DMat3::from_diagonal(DVec3::splat(inertia));
            let (v, v0) = (system.velocity[i], starts[i].velocity.as_dvec3());
            let drag = h * system.drag * (v - system.wind);
            let push = given[i].force.as_dvec3();
            let force = vertex.force + push + pace * (v0 - v - drag);
            let block = own + symmetric(given[i].diagonal, given[i].off);
            let change = block.inverse() * force / h;
            let rows = [0, 1, 2].map(|k| block.col(k).to_array());
            let least = symmetric_eigen(rows)
                .0
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            let terms = v0.length()
                + (1.0 + h * system.drag) * v.length()
                + h * system.drag * system.wind.length();
            let force_scale = vertex.force_scale + push.length() + pace * terms;
            let block_scale = vertex.block_scale + inertia + 700.0;
            let scale = v.length() + (force_scale / h + block_scale * change.length()) / least;
            tally.vector(got.velocity, v + change, scale);
            let x = starts[i].position.as_dvec3();
            tally.vector(got.position, x + h * (v + change), x.length() + h * scale);
            tally.holds(got.inverse_mass == inputs[i].inverse_mass);
            let mean = (own.x_axis.x + own.y_axis.y + own.z_axis.z) / 3.0;
            tally.number(left[i].stiffness, mean, vertex.block_scale + inertia);
        }
    }
    Ok(())
}
