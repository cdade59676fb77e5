//! Vertex block descent: each colour's vertices alone, from random states.

use glam::Vec3;

use super::fem::{Elements, LAWS};
use super::press::Pressed;
use super::states::{bases, contact_blocks};
use super::trial::Arrays;
use super::vertex::nears;
use super::{Bench, Case, Check, Checks, ErrorStats, Random};
use crate::Result;
use crate::family;
use crate::family::fem::FemElement;
use crate::gpu::types::{ContactBlock, DAMPING_EXPLICIT};
use crate::model::{VertexArrays, coloring};

pub const CHECKS: Checks = &[("vbd_solve", Check::Trial(solve))];

/// The case with finite elements in the bodies that are made of them, and colours.
fn colored(bench: &Bench<'_>) -> Case {
    let mut case = bench.case.clone();
    case.loads.fill(Vec3::ZERO);
    for body in &mut case.bodies {
        body.damping_mode = DAMPING_EXPLICIT;
    }
    let elements = Elements::new(bench, LAWS[0], false, 91);
    for (tet, own) in elements.tets.iter().zip(elements.wanted) {
        if case.bodies[tet.body as usize].loaded == family::fem::LOADED {
            case.model.elements.push(FemElement {
                corners: tet.corners.to_array(),
                gradients: own.gradients,
                volume: own.volume,
                law: own.law,
                lame: own.lame,
                relaxation: own.relaxation,
                shape_rate: f64::from(tet.shape_rate),
            });
        }
    }
    let model = &case.model;
    let springs = model.springs.iter().map(|spring| spring.points.to_vec());
    let tets = model.tets.iter().map(|tet| tet.corners.to_vec());
    let areas = model.areas.iter().map(|area| area.corners.to_vec());
    let elements = model.elements.iter().map(|e| e.corners.to_vec());
    let pairs = |corners: Vec<u32>| {
        let pairs = (0..corners.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        pairs.map(|pair| pair.map(|k| corners[k])).collect::<Vec<_>>()
    };
    let all = springs.chain(tets).chain(areas).chain(elements);
    let edges: Vec<_> = all.flat_map(pairs).collect();
    let places: Vec<_> = case.particles.iter().map(|p| p.position.as_dvec3()).collect();
    case.model.colors = coloring(&places, &edges);
    case
}

/// v + H⁻¹ f/h of one colour's vertices; the others stay.
fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let case = colored(bench);
    let own = bench.on(&case)?;
    let (oracle, inputs) = (own.oracle(), &case.particles);
    let (system, h) = (&oracle.system, oracle.h);
    let nears = nears(&oracle);
    let given = contact_blocks(&mut Random::new(92), inputs.len());
    let starts = bases(&own, 92);
    let vertices = VertexArrays::new(&case.model);
    for (color, part) in vertices.colors.iter().enumerate() {
        let arrays: &Arrays<'_> = &[
            ("base", &starts),
            ("contact_blocks", &given),
            ("color", &&vertices.vertices[part.clone()]),
            ("vertex_tets", &vertices.tets),
        ];
        let after = own.run(case.sim, part.len(), arrays)?;
        let left: Vec<ContactBlock> = after.get("contact_blocks");
        for (i, got) in after.particles().iter().enumerate() {
            if case.model.colors[i] != color as u32 || system.pinned(i) {
                errors.holds(*got == inputs[i] && left[i] == given[i]);
                continue;
            }
            let press = Pressed {
                force: given[i].force.as_dvec3(),
                hold: given[i].matrix(),
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
