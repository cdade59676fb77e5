//! Random elements of the kernels' checks.

use glam::{DMat3, DQuat, DVec3, UVec4, Vec3, Vec4};

use crate::Result;
use crate::gpu::types::{
    Body, FemState, FemTet, LAW_COROTATED, LAW_NEO_HOOKEAN, LAW_ST_VENANT, SLICE, Sim,
};
use crate::gpu::{Binding, Buffer, Kernel};
use crate::model::Incidence;
use crate::reference::fem::{Element, Lame, Law, Plasticity};
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::errors::ErrorStats;

pub const LAWS: [(u32, Law); 3] = [
    (LAW_NEO_HOOKEAN, Law::NeoHookean),
    (LAW_COROTATED, Law::Corotated),
    (LAW_ST_VENANT, Law::StVenant),
];

/// Of all plastic bodies; the cap is reached by some elements.
pub(super) const PLASTICITY: Plasticity = Plasticity {
    yield_strain: 0.25,
    creep: 40.0,
    most: 0.4,
};
/// What stands in an array where a kernel must not write.
pub(super) const UNTOUCHED: Vec4 = Vec4::splat(-77.0);

/// The kinds of elements that each kernel is tried with.
pub fn sorts() -> impl Iterator<Item = ((u32, Law), bool)> {
    LAWS.into_iter()
        .flat_map(|law| [false, true].map(|plastic| (law, plastic)))
}

/// Random elements of one law among a case's particles.
pub struct Elements {
    pub(super) law: u32,
    pub(super) plastic: bool,
    pub(super) bodies: Buffer<Body>,
    /// As the kernels see them.
    pub tets: Vec<FemTet>,
    pub(super) states: Vec<FemState>,
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
        };
        self.wanted.push(element(&tet, &state, law));
        self.tets.push(tet);
        self.states.push(state);
    }

    /// Makes all elements nearly undeformed: turned, and stretched and sheared by about so much.
    pub fn straighten(&mut self, bench: &Bench<'_>, strain: f64, seed: u64) {
        let mut random = Random::new(seed);
        let place = |i: u32| bench.case.particles[i as usize].position.as_dvec3();
        for ((tet, state), wanted) in self.tets.iter_mut().zip(&self.states).zip(&mut self.wanted) {
            let [a, b, c, d] = tet.corners.to_array().map(place);
            let edges = DMat3::from_cols(b - a, c - a, d - a);
            let [x, y, z] = [(); 3].map(|()| random.vector(strain));
            let f = rotation(&mut random) * (DMat3::IDENTITY + DMat3::from_cols(x, y, z));
            let rows = (edges.inverse() * f).transpose();
            let gradients = [rows.x_axis, rows.y_axis, rows.z_axis].map(|g| g.as_vec3());
            [tet.gradient_b, tet.gradient_c, tet.gradient_d] = gradients;
            *wanted = element(tet, state, wanted.law);
        }
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
        Ok(self.run(kernel, bench, sim, given)?.0)
    }

    /// The same, and the states that it leaves.
    pub(super) fn run(
        &self,
        kernel: &Kernel,
        bench: &Bench<'_>,
        sim: Sim,
        given: &[Binding<'_>],
    ) -> Result<(Vec<Vec4>, Vec<FemState>)> {
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
        bench.dispatch(kernel, sim, self.tets.len(), &others);
        Ok((forces.read(bench.context)?, states.read(bench.context)?))
    }

    /// Compares the corners' forces: `wanted` and their scale, per element.
    pub fn compare(
        &self,
        got: &[Vec4],
        wanted: impl Fn(usize) -> ([DVec3; 4], f64),
        errors: &mut ErrorStats,
    ) {
        errors.case();
        let mut written = vec![false; got.len()];
        for (t, tet) in self.tets.iter().enumerate() {
            let (force, scale) = wanted(t);
            for (slot, force) in tet.slots.to_array().into_iter().zip(force) {
                written[slot as usize] = true;
                errors.vector(got[slot as usize].truncate(), force, scale);
            }
        }
        let others = got.iter().zip(written).filter(|(_, written)| !written);
        errors.holds(others.into_iter().all(|(got, _)| *got == UNTOUCHED));
    }
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
    }
}
