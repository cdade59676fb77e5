//! Random elements of the kernels' checks.

use glam::{DMat3, DQuat, DVec3, UVec4, Vec3, Vec4};

use crate::Result;
use crate::family::fem::arrays::give_slots;
use crate::gpu::types::{
    Body, FemState, FemTet, LAW_COROTATED, LAW_NEO_HOOKEAN, LAW_ST_VENANT, Sim,
};
use crate::reference::fem::{Element, Lame, Law, Plasticity};
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

pub const LAWS: [(u32, Law); 3] = [
    (LAW_NEO_HOOKEAN, Law::NeoHookean),
    (LAW_COROTATED, Law::Corotated),
    (LAW_ST_VENANT, Law::StVenant),
];

/// Of all plastic bodies; the cap is reached by some elements.
pub(super) const PLASTICITY: Plasticity = Plasticity { yield_strain: 0.25, creep: 40.0, most: 0.4 };
/// What stands in an array where a kernel must not write.
pub(super) const UNTOUCHED: Vec4 = Vec4::splat(-77.0);

/// The kinds of elements that each kernel is tried with.
pub fn sorts() -> impl Iterator<Item = ((u32, Law), bool)> {
    LAWS.into_iter().flat_map(|law| [false, true].map(|plastic| (law, plastic)))
}

/// Random elements of one law among a case's particles.
pub struct Elements {
    pub(super) law: u32,
    pub(super) plastic: bool,
    pub(super) bodies: Vec<Body>,
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
    pub fn new(bench: &Bench<'_>, (law, of_law): (u32, Law), plastic: bool, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let yield_strain = match plastic {
            true => PLASTICITY.yield_strain as f32,
            false => f32::MAX,
        };
        let material = |body: &Body| Body {
            law,
            yield_strain,
            creep: PLASTICITY.creep as f32,
            plastic_most: PLASTICITY.most as f32,
            ..*body
        };
        let mut made = Self {
            law,
            plastic,
            bodies: bench.case.bodies.iter().map(material).collect(),
            tets: Vec::new(),
            states: Vec::new(),
            wanted: Vec::new(),
            slots: 0,
        };
        for (index, body) in bench.case.model.bodies.iter().enumerate() {
            for _ in body.particles.clone().filter(|_| body.particles.len() > 3) {
                made.add(bench, index, of_law, &mut random);
            }
        }
        (_, made.slots) = give_slots(&mut made.tets, bench.len());
        made
    }

    /// One element of body `index`, with a rest shape that makes its deformation what the test wants.
    fn add(&mut self, bench: &Bench<'_>, index: usize, law: Law, random: &mut Random) {
        let range = bench.case.model.bodies[index].particles.clone();
        let place = |i: u32| bench.case.particles[i as usize].position.as_dvec3();
        let state = if self.plastic { plastic_state(random) } else { FemState::default() };
        let stretch = state.plastic_stretch();
        let inverted = self.tets.len().is_multiple_of(3);
        let (corners, gradients) = loop {
            let corners = random.distinct::<4>(range.start, range.end);
            let [a, b, c, d] = corners.map(place);
            let edges = DMat3::from_cols(b - a, c - a, d - a);
            if edges.determinant().abs() < 0.1 {
                continue;
            }
            break (corners, gradients(edges, deformation(random, inverted) * stretch));
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
            [tet.gradient_b, tet.gradient_c, tet.gradient_d] = gradients(edges, f);
            *wanted = element(tet, state, wanted.law);
        }
    }

    /// Runs the kernel over the elements with other arrays.
    pub fn run(&self, bench: &Bench<'_>, sim: Sim, others: &Arrays<'_>) -> Result<Written> {
        let sim = Sim { fem_count: self.tets.len() as u32, ..sim };
        let own: &Arrays<'_> = &[
            ("bodies", &self.bodies),
            ("fem_tets", &self.tets),
            ("fem_states", &self.states),
            ("corner_forces", &vec![UNTOUCHED; self.slots]),
        ];
        bench.run(sim, self.tets.len(), &[own, others].concat())
    }

    /// Compares the corners' forces: `wanted` and their scale, per element.
    pub fn compare(
        &self,
        after: &Written,
        wanted: impl Fn(usize) -> ([DVec3; 4], f64),
        errors: &mut ErrorStats,
    ) {
        let got: Vec<Vec4> = after.get("corner_forces");
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

/// The gradients in a rest shape from which `f` leads to these edges.
fn gradients(edges: DMat3, f: DMat3) -> [Vec3; 3] {
    let rows = (edges.inverse() * f).transpose();
    [rows.x_axis, rows.y_axis, rows.z_axis].map(|g| g.as_vec3())
}

/// The reference's element: every number as the kernels read it.
fn element(tet: &FemTet, state: &FemState, law: Law) -> Element {
    let [b, c, d] = [tet.gradient_b, tet.gradient_c, tet.gradient_d].map(|g| g.as_dvec3());
    Element {
        corners: tet.corners.to_array().map(|i| i as usize),
        gradients: [-(b + c + d), b, c, d],
        volume: f64::from(tet.volume),
        law,
        lame: Lame { lambda: f64::from(tet.lambda), mu: f64::from(tet.mu) },
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
