//! The kernels of finite elements, on random elements of every law: stretched, inverted, with and without plastic
//! stretch.
//!
//! The scale of a deformation gradient is φ = Σ |x_c − x_a| |∇N_c|; its rounding reaches the stresses by the
//! derivatives of the laws, and a rotation over the least sum of two stretches.

use glam::{DMat3, DQuat, DVec3, UVec2, UVec4, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::oracle::{Oracle, exact};
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{
    Body, FemState, FemTet, LAW_COROTATED, LAW_NEO_HOOKEAN, LAW_ST_VENANT, PROBE_DAMPING,
    PROBE_STIFFNESS, SLICE, Sim,
};
use crate::gpu::{Binding, Buffer, Kernel};
use crate::model::Incidence;
use crate::reference::damping;
use crate::reference::fem::{
    Element, Lame, Law, Plasticity, damping_forces, damping_rate, flow, force_changes, forces,
};
use crate::reference::rotation::nearest_rotation;

pub const LAWS: [(u32, Law); 3] = [
    (LAW_NEO_HOOKEAN, Law::NeoHookean),
    (LAW_COROTATED, Law::Corotated),
    (LAW_ST_VENANT, Law::StVenant),
];
/// Of all plastic bodies; the cap is reached by some elements.
const PLASTICITY: Plasticity = Plasticity {
    yield_strain: 0.25,
    creep: 40.0,
    most: 0.4,
};
/// What stands in an array where a kernel must not write.
const UNTOUCHED: Vec4 = Vec4::splat(-77.0);

/// Random elements of one law among a case's particles.
pub struct Elements {
    law: u32,
    plastic: bool,
    bodies: Buffer<Body>,
    /// As the kernels see them.
    pub tets: Vec<FemTet>,
    states: Vec<FemState>,
    /// As the reference does.
    pub wanted: Vec<Element>,
    /// Their number.
    pub slots: usize,
}

impl Elements {
    /// As many as the case has particles; none where no body has four.
    pub fn new(
        bench: &Bench<'_>,
        (law, of_law): (u32, Law),
        plastic: bool,
        seed: u64,
    ) -> Result<Self> {
        let mut random = Random::new(seed);
        let materials: Vec<_> = bench
            .case
            .bodies
            .iter()
            .map(|body| Body {
                law,
                yield_strain: if plastic {
                    PLASTICITY.yield_strain as f32
                } else {
                    f32::MAX
                },
                creep: PLASTICITY.creep as f32,
                plastic_most: PLASTICITY.most as f32,
                ..*body
            })
            .collect();
        let mut made = Self {
            law,
            plastic,
            bodies: Buffer::new(bench.context, "bodies", &materials)?,
            tets: Vec::new(),
            states: Vec::new(),
            wanted: Vec::new(),
            slots: 0,
        };
        let ranges = bench
            .case
            .model
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, body)| body.particles.len() > 3);
        for (index, body) in ranges {
            for _ in body.particles.clone() {
                made.add(bench, index, of_law, &mut random);
            }
        }
        made.give_slots(bench.len());
        Ok(made)
    }

    /// One element of body `index`, with a rest shape that makes its deformation what the test wants.
    fn add(&mut self, bench: &Bench<'_>, index: usize, law: Law, random: &mut Random) {
        let range = bench.case.model.bodies[index].particles.clone();
        let place = |i: u32| bench.case.particles[i as usize].position.as_dvec3();
        let state = if self.plastic {
            plastic_state(random)
        } else {
            FemState::default()
        };
        let stretch = state.plastic_stretch();
        let inverted = self.tets.len().is_multiple_of(3);
        let (corners, gradients) = loop {
            let corners = random.distinct::<4>(range.start, range.end);
            let [a, b, c, d] = corners.map(place);
            let edges = DMat3::from_cols(b - a, c - a, d - a);
            if edges.determinant().abs() < 0.1 {
                continue;
            }
            let f = deformation(random, inverted) * stretch;
            let rows = (edges.inverse() * f).transpose();
            let gradients = [rows.x_axis, rows.y_axis, rows.z_axis].map(|g| g.as_vec3());
            break (corners, gradients);
        };
        let lame = Lame::new(random.between(500.0, 2000.0), random.between(-0.2, 0.45));
        let tet = FemTet {
            corners: UVec4::from(corners),
            slots: UVec4::ZERO,
            gradient_b: gradients[0],
            volume: random.between(0.2, 0.6) as f32,
            gradient_c: gradients[1],
            lambda: lame.lambda as f32,
            gradient_d: gradients[2],
            mu: lame.mu as f32,
            body: index as u32,
            shape_rate: random.between(0.1, 3.0) as f32,
            relaxation: random.between(0.01, 0.03) as f32,
            reserved: 0.0,
        };
        self.wanted.push(element(&tet, &state, law));
        self.tets.push(tet);
        self.states.push(state);
    }

    /// Slots for the corners' forces as the engine lays them out, by particle.
    fn give_slots(&mut self, particles: usize) {
        let corners = self.tets.iter().enumerate().flat_map(|(t, tet)| {
            let corner = move |(c, i): (usize, u32)| (i, 4 * t + c);
            tet.corners.to_array().into_iter().enumerate().map(corner)
        });
        let rows = Incidence::new(particles, &corners.collect::<Vec<_>>());
        for (first, count) in rows.first.iter().zip(&rows.count) {
            for slot in (0..*count).map(|e| first + e * SLICE) {
                let corner = rows.entries[slot as usize];
                self.tets[corner / 4].slots[corner % 4] = slot;
            }
        }
        self.slots = rows.entries.len();
    }

    /// Runs a kernel over the elements with other arrays; the corners' forces.
    pub fn dispatch(
        &self,
        kernel: &Kernel,
        bench: &Bench<'_>,
        sim: Sim,
        given: &[Binding<'_>],
    ) -> Result<Vec<Vec4>> {
        let sim = Sim {
            fem_count: self.tets.len() as u32,
            ..sim
        };
        let tets = Buffer::new(bench.context, "fem_tets", &self.tets)?;
        let states = Buffer::new(bench.context, "fem_states", &self.states)?;
        let forces = Buffer::new(bench.context, "corner_forces", &vec![UNTOUCHED; self.slots])?;
        let mut others = vec![
            self.bodies.bind("bodies"),
            tets.bind("fem_tets"),
            states.bind("fem_states"),
            forces.bind("corner_forces"),
        ];
        others.extend_from_slice(given);
        bench.write(&bench.case.particles, &bench.case.particles);
        bench.run(kernel, sim, self.tets.len(), &others);
        forces.read(bench.context)
    }

    /// Runs a kernel over the elements; the corners' forces and the states that it leaves.
    fn run(
        &self,
        kernel: &Kernel,
        bench: &Bench<'_>,
        sim: Sim,
        field: Option<(&str, &[Vec4])>,
    ) -> Result<(Vec<Vec4>, Vec<FemState>)> {
        let sim = Sim {
            fem_count: self.tets.len() as u32,
            ..sim
        };
        let tets = Buffer::new(bench.context, "fem_tets", &self.tets)?;
        let states = Buffer::new(bench.context, "fem_states", &self.states)?;
        let corner_forces =
            Buffer::new(bench.context, "corner_forces", &vec![UNTOUCHED; self.slots])?;
        let field_buffer = field
            .map(|(name, field)| Buffer::new(bench.context, name, field))
            .transpose()?;
        let mut others = vec![
            self.bodies.bind("bodies"),
            tets.bind("fem_tets"),
            states.bind("fem_states"),
            corner_forces.bind("corner_forces"),
        ];
        if let (Some((name, _)), Some(buffer)) = (field, &field_buffer) {
            others.push(buffer.bind(name));
        }
        bench.write(&bench.case.particles, &bench.case.particles);
        bench.run(kernel, sim, self.tets.len(), &others);
        Ok((
            corner_forces.read(bench.context)?,
            states.read(bench.context)?,
        ))
    }

    /// Compares the corners' forces: `wanted` and their scale, per element.
    pub fn compare(
        &self,
        got: &[Vec4],
        wanted: impl Fn(usize) -> ([DVec3; 4], f64),
        tally: &mut Tally,
    ) {
        tally.case();
        let mut written = vec![false; got.len()];
        for (t, tet) in self.tets.iter().enumerate() {
            let (force, scale) = wanted(t);
            for (slot, force) in tet.slots.to_array().into_iter().zip(force) {
                written[slot as usize] = true;
                tally.vector(got[slot as usize].truncate(), force, scale);
            }
        }
        let others = got.iter().zip(written).filter(|(_, written)| !written);
        tally.holds(others.into_iter().all(|(got, _)| *got == UNTOUCHED));
    }
}

/// φ of a field's gradient.
pub fn gradient_scale(element: &Element, y: &[DVec3]) -> f64 {
    let [a, corners @ ..] = element.corners;
    let gradients = &element.gradients[1..];
    corners
        .iter()
        .zip(gradients)
        .map(|(i, g)| y[*i].distance(y[a]) * g.length())
        .sum()
}

/// V0 Σ |∇N_c|, which turns a stress into forces.
pub fn area(element: &Element) -> f64 {
    element.volume * element.gradients.iter().map(|g| g.length()).sum::<f64>()
}

/// |∂P/∂F|, by which errors of the deformation gradient reach the stress [Pa].
pub fn stiffness(element: &Element, x: &[DVec3]) -> f64 {
    let inverse = element.plastic.inverse();
    let f = element.elastic_gradient(x);
    let change = |column: usize, row: usize| {
        let mut unit = DMat3::ZERO;
        unit.col_mut(column)[row] = 1.0;
        let change = element
            .law
            .stress_change(element.lame, &f, &(unit * inverse));
        size(&(change * inverse.transpose())).powi(2)
    };
    let columns = (0..3).flat_map(|column| (0..3).map(move |row| (column, row)));
    let square: f64 = columns.map(|(column, row)| change(column, row)).sum();
    square.sqrt()
}

/// Scale of the elastic forces at positions `x` [N].
pub fn elastic_scale(element: &Element, x: &[DVec3]) -> f64 {
    area(element) * stiffness(element, x) * (1.0 + gradient_scale(element, x))
}

/// Scale of the viscous forces of velocities `v` [N], |F|² (λ + 2μ) τ φ_v, as F is uncertain by φ.
pub fn viscous_scale(element: &Element, x: &[DVec3], v: &[DVec3]) -> f64 {
    let modulus = element.relaxation * (element.lame.lambda.abs() + 2.0 * element.lame.mu);
    let uncertain = gradient_scale(element, x) * size(&element.gradient(x));
    area(element) * modulus * uncertain * gradient_scale(element, v)
}

/// Least sum of two stretches of F S_p⁻¹, with their signs.
pub fn softest(element: &Element, x: &[DVec3]) -> f64 {
    let f = element.elastic_gradient(x);
    let (r, _) = nearest_rotation(&f);
    let s = r.transpose() * f;
    let matrix = DMat3::IDENTITY * (s.x_axis.x + s.y_axis.y + s.z_axis.z) - s;
    let symmetric = (matrix + matrix.transpose()) * 0.5;
    let columns = symmetric.to_cols_array_2d();
    crate::reference::rotation::symmetric_eigen(columns).0[0]
}

fn size(a: &DMat3) -> f64 {
    a.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt()
}

/// The reference's element: every number as the kernels read it.
fn element(tet: &FemTet, state: &FemState, law: Law) -> Element {
    let [b, c, d] = [tet.gradient_b, tet.gradient_c, tet.gradient_d].map(|g| g.as_dvec3());
    Element {
        corners: tet.corners.to_array().map(|i| i as usize),
        gradients: [-(b + c + d), b, c, d],
        volume: f64::from(tet.volume),
        law,
        lame: Lame {
            lambda: f64::from(tet.lambda),
            mu: f64::from(tet.mu),
        },
        relaxation: f64::from(tet.relaxation),
        plastic: state.plastic_stretch(),
    }
}

/// A rotation times stretches of which two at the most nearly cancel; the least negative where inverted.
fn deformation(random: &mut Random, inverted: bool) -> DMat3 {
    let [turn, frame] = [(); 2].map(|()| rotation(random));
    let sign = if inverted { -1.0 } else { 1.0 };
    let stretch = DVec3::new(
        random.between(0.8, 1.7),
        random.between(0.8, 1.7),
        sign * random.between(0.2, 0.5),
    );
    turn * frame * DMat3::from_diagonal(stretch) * frame.transpose()
}

fn rotation(random: &mut Random) -> DMat3 {
    let axis = random.vector(1.0).normalize();
    DMat3::from_axis_angle(axis, random.between(0.0, 3.0))
}

/// A plastic stretch of determinant 1, and an arbitrary rotation to start from.
fn plastic_state(random: &mut Random) -> FemState {
    let frame = rotation(random);
    let [a, b] = [(); 2].map(|()| random.between(-0.15, 0.15).exp());
    let stretch = frame * DMat3::from_diagonal(DVec3::new(a, b, 1.0 / (a * b))) * frame.transpose();
    let x = (stretch - DMat3::IDENTITY).as_mat3();
    FemState {
        rotation: DQuat::from_mat3(&rotation(random)).as_quat().into(),
        diagonal: Vec3::new(x.x_axis.x, x.y_axis.y, x.z_axis.z),
        off: Vec3::new(x.y_axis.z, x.z_axis.x, x.x_axis.y),
        ..FemState::default()
    }
}

/// The kinds of elements that each kernel is tried with.
pub fn sorts() -> impl Iterator<Item = ((u32, Law), bool)> {
    LAWS.into_iter()
        .flat_map(|law| [false, true].map(|plastic| (law, plastic)))
}

/// Elastic and viscous forces, with as much of the viscosity as the body's mode and the number of sweeps leave; the
/// kept rotation and the plastic flow.
pub fn force(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    for (k, (law, plastic)) in sorts().enumerate() {
        let elements = Elements::new(bench, law, plastic, 61 + k as u64)?;
        for (gathers, flowing) in [(1, false), (3, true)] {
            let sim = Sim {
                damping_gathers: gathers,
                flow: flowing.into(),
                ..bench.case.sim
            };
            let oracle = Oracle::new(bench.case, &sim, &bench.case.particles);
            let (x, v) = (&oracle.system.position, &oracle.system.velocity);
            let (got, states) = elements.run(kernel, bench, sim, None)?;
            elements.compare(
                &got,
                |t| {
                    let element = &elements.wanted[t];
                    let share = match element.corners[0] {
                        i if oracle.swept(i) => 0.0,
                        i if oracle.explicit(i) => 1.0,
                        _ => elements.share(t, &oracle, 1),
                    };
                    let elastic = forces(element, x);
                    let viscous = damping_forces(element, x, v);
                    let force = [0, 1, 2, 3].map(|c| elastic[c] + share * viscous[c]);
                    let viscous = share * viscous_scale(element, x, v);
                    (force, elastic_scale(element, x) + viscous)
                },
                tally,
            );
            elements.compare_states(&states, x, f64::from(sim.step), flowing, tally);
        }
    }
    Ok(())
}

impl Elements {
    /// φ of the viscosity's cap with so many gathers.
    fn share(&self, t: usize, oracle: &Oracle<'_>, gathers: u32) -> f64 {
        let element = &self.wanted[t];
        let shape = f64::from(self.tets[t].shape_rate);
        let rate = damping_rate(element, &oracle.system.position, shape);
        let theta = oracle.theta[oracle.system.body[element.corners[0]]];
        damping::factor(theta, gathers, oracle.h, rate)
    }

    /// What is kept: the nearest rotation, and S_p − I after the flow; untouched where the pass does not advance them.
    fn compare_states(
        &self,
        got: &[FemState],
        x: &[DVec3],
        h: f64,
        flowing: bool,
        tally: &mut Tally,
    ) {
        for (t, got) in got.iter().enumerate() {
            let (element, before) = (&self.wanted[t], &self.states[t]);
            if !flowing || !(self.plastic || self.law == LAW_COROTATED) {
                tally.holds(got == before);
                continue;
            }
            let f = element.elastic_gradient(x);
            let uncertain = gradient_scale(element, x) * size(&element.plastic.inverse());
            let (r, _) = nearest_rotation(&f);
            let found = DMat3::from_quat(DQuat::from_vec4(got.rotation.as_dvec4()));
            let soft = uncertain / softest(element, x);
            for k in 0..3 {
                tally.vector(found.col(k).as_vec3(), r.col(k), soft);
            }
            if !self.plastic {
                tally.holds((got.diagonal, got.off) == (before.diagonal, before.off));
                continue;
            }
            let wanted = flow(element, x, PLASTICITY, h) - DMat3::IDENTITY;
            let diagonal = DVec3::new(wanted.x_axis.x, wanted.y_axis.y, wanted.z_axis.z);
            let off = DVec3::new(wanted.y_axis.z, wanted.z_axis.x, wanted.x_axis.y);
            tally.vector(got.diagonal, diagonal, 1.0 + soft + uncertain);
            tally.vector(got.off, off, 1.0 + soft + uncertain);
        }
    }
}

/// A random field, 0 where the particle is held.
fn field(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let free = |inverse_mass: f32| f32::from(u8::from(inverse_mass > 0.0));
    let particles = bench.case.particles.iter();
    particles
        .map(|p| random.vector(2.0).as_vec3().extend(0.0) * free(p.inverse_mass))
        .collect()
}

/// The viscous forces of the velocities, and of any field: weakened as so many gathers ask.
fn viscosity(
    kernel: &Kernel,
    bench: &Bench<'_>,
    of_velocities: bool,
    tally: &mut Tally,
) -> Result<()> {
    let w = field(bench, 71);
    for (k, gathers) in [2, 5].into_iter().enumerate() {
        let elements = Elements::new(bench, LAWS[2 * k % 3], false, 72 + k as u64)?;
        let sim = Sim {
            damping_gathers: gathers,
            sweep_reach: (gathers * gathers) as f32,
            ..bench.case.sim
        };
        let oracle = Oracle::new(bench.case, &sim, &bench.case.particles);
        let x = &oracle.system.position;
        let (given, w) = if of_velocities {
            (None, oracle.system.velocity.clone())
        } else {
            (
                Some(("sweep_in", &w[..])),
                exact(w.iter().map(|w| w.truncate())),
            )
        };
        let (got, _) = elements.run(kernel, bench, sim, given)?;
        elements.compare(
            &got,
            |t| {
                let share = elements.share(t, &oracle, gathers);
                let element = &elements.wanted[t];
                let force = damping_forces(element, x, &w).map(|f| share * f);
                (force, share * viscous_scale(element, x, &w))
            },
            tally,
        );
    }
    Ok(())
}

/// See [`viscosity`].
pub fn damping_first(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    viscosity(kernel, bench, true, tally)
}

/// See [`viscosity`].
pub fn damping_sweep(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    viscosity(kernel, bench, false, tally)
}

/// −K w and −C w.
pub fn probe(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let field = field(bench, 81);
    let w = exact(field.iter().map(|w| w.truncate()));
    for (k, (law, plastic)) in sorts().enumerate() {
        let elements = Elements::new(bench, law, plastic, 82 + k as u64)?;
        for probe in [PROBE_STIFFNESS, PROBE_DAMPING] {
            let sim = Sim {
                probe,
                ..bench.case.sim
            };
            let oracle = Oracle::new(bench.case, &sim, &bench.case.particles);
            let x = &oracle.system.position;
            let (got, states) = elements.run(kernel, bench, sim, Some(("probe_in", &field)))?;
            tally.holds(states == elements.states);
            elements.compare(
                &got,
                |t| {
                    let element = &elements.wanted[t];
                    if probe == PROBE_DAMPING {
                        let force = damping_forces(element, x, &w);
                        return (force, viscous_scale(element, x, &w));
                    }
                    let force = force_changes(element, x, &w);
                    // The rotation's change divides by the least sum of two stretches once more.
                    let turn = match element.law {
                        Law::Corotated => 1.0 / softest(element, x),
                        _ => 1.0,
                    };
                    let change = gradient_scale(element, &w) * (1.0 + gradient_scale(element, x));
                    let scale = area(element) * stiffness(element, x) * turn * change;
                    (force, scale)
                },
                tally,
            );
        }
    }
    Ok(())
}

/// Sums over each particle's slots, over its mass; particles without any are left alone.
pub fn gather(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(91);
    let mut pairs = Vec::new();
    for i in 0..bench.len() {
        for _ in 0..random.index(0, 9) {
            pairs.push((i as u32, random.vector(5.0).as_vec3().extend(3.0)));
        }
    }
    let rows = Incidence::new(bench.len(), &pairs);
    let ranges: Vec<_> = rows
        .first
        .iter()
        .zip(&rows.count)
        .map(|(first, count)| UVec2::new(*first, *count))
        .collect();
    let loads = Buffer::new(bench.context, "loads", &vec![UNTOUCHED; bench.len()])?;
    let ranges_buffer = Buffer::new(bench.context, "fem_rows", &ranges)?;
    let corner_forces = Buffer::new(bench.context, "corner_forces", &rows.entries)?;
    let others = [
        loads.bind("loads"),
        ranges_buffer.bind("fem_rows"),
        corner_forces.bind("corner_forces"),
    ];
    bench.write(&bench.case.particles, &bench.case.particles);
    bench.run(kernel, bench.case.sim, bench.len(), &others);
    tally.case();
    for (i, got) in loads.read(bench.context)?.iter().enumerate() {
        let inverse_mass = f64::from(bench.case.particles[i].inverse_mass);
        let own = pairs.iter().filter(|(owner, _)| *owner as usize == i);
        let own: Vec<_> = own.map(|(_, f)| f.truncate().as_dvec3()).collect();
        if own.is_empty() {
            tally.holds(*got == UNTOUCHED);
            continue;
        }
        let scale: f64 = own.iter().map(|f| f.length()).sum();
        let sum: DVec3 = own.iter().sum();
        tally.vector(got.truncate(), inverse_mass * sum, inverse_mass * scale);
        tally.holds(got.w == 0.0);
    }
    Ok(())
}
